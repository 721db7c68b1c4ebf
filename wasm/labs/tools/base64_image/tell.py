"""What the steps say, a sentence each."""

from __future__ import annotations

from labs.contract import Sentence, counted, joined, say
from labs.tools.base64_image.files import Form
from labs.tools.base64_image.mail import Damage, Wound
from labs.tools.base64_image.sextets import Group


def picture(form: Form, size: int) -> Sentence:
    if form == "bitmap":
        return say(
            "As a bitmap, the picture is a file of {:,} bytes: a header, and three bytes for each pixel.", size
        )
    return say("As a PNG, the picture is a file of {:,} bytes, compressed and with checksums.", size)


def written(one: Group, letters: int, all_: int) -> Sentence:
    numbers = joined(", ", [str(each) for each in one.sextets])
    return say(
        "The bits of {} are cut into the numbers {}, whose letters are {}; {:,} of {:,} letters are written.",
        counted(len(one.octets), "byte"), numbers, one.letters, letters, all_,
    )  # fmt: skip


def posted(overhead: float, letters: int, breaks: int, size: int) -> Sentence:
    return say(
        "With a header in front the {:,} letters and {:,} bytes of line breaks are a mail, whose body is {:.1f} %"
        " longer than the file of {:,} bytes.",
        letters, breaks, overhead, size,
    )  # fmt: skip


def hurt(damage: Damage, wound: Wound, was: Group, one: Group) -> Sentence:
    if damage == "a line lost":
        return say("Line {} is lost on the way, and the lines around it close up.", wound.line + 1)
    if damage == "a letter lost":
        return say("A letter of line {} is lost, so from here on every group of four is shifted.", wound.line + 1)
    changed = sum(a != b for a, b in zip(was.octets, one.octets, strict=False))
    if not one.letters or changed == 0:
        return say("A letter of line {} changes on the way.", wound.line + 1)
    bytes_ = counted(changed, "byte")
    return say("A letter of line {} changes on the way, and {} of the file with it.", wound.line + 1, bytes_)


def reading(size: int) -> Sentence:
    return say("Four letters become three bytes again: {} of the file can be read.", counted(size, "byte"))


def end(wrong: int, longer: int, defects: list[str], problem: str) -> Sentence:
    if not wrong and not longer:
        return say("The file is the same, byte for byte.")
    difference = say("{} of the file {}", counted(wrong, "byte"), "differs" if wrong == 1 else "differ")
    if longer:
        by = counted(abs(longer), "byte")
        difference = say("{}, and it is {} {}", difference, by, "longer" if longer > 0 else "shorter")
    reports = say("email reports {}", joined(", ", defects)) if defects else say("email reports nothing")
    if not problem:
        return say("{}; {}, and a viewer sees no fault.", difference, reports)
    return say("{}; {}, and a viewer says: {}", difference, reports, lower(problem))


def lower(problem: str) -> str:
    return problem[0].lower() + problem[1:]

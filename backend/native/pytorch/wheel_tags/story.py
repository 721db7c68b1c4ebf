"""The order of the pictures: the accepted tags, each wheel beside them, and the one that wins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from labs.contract import Sentence, joined, say
from packaging.tags import Tag
from packaging.utils import parse_wheel_filename

from native.pytorch.wheel_tags.judged import Band, Wheel
from native.pytorch.wheel_tags.platforms import accepted

if TYPE_CHECKING:
    from native.pytorch.wheel_tags import Params

LINUX = "manylinux_2_17_{0}.manylinux2014_{0}"
OFFERED = {
    "one for each Python": (
        "cp312-cp312-macosx_11_0_arm64",
        "cp312-cp312-manylinux_2_28_x86_64",
        "cp312-cp312-manylinux_2_34_x86_64",
        "cp312-cp312-win_amd64",
        "cp313-cp313-manylinux_2_28_x86_64",
        "cp313-cp313t-manylinux_2_28_x86_64",
    ),
    "stable ABI": (
        "cp310-abi3-macosx_11_0_universal2",
        f"cp310-abi3-{LINUX.format('x86_64')}",
        "cp310-abi3-musllinux_1_2_x86_64",
        "cp310-abi3-win_amd64",
    ),
    "Python alone": ("py3-none-any",),
}
"""The tags of the wheels of a package that is ours, by what they need of Python"""


def story(params: Params) -> Iterator[dict[str, Any]]:
    tags = accepted(params)
    names = OFFERED.get(params.wheels) or [each for some in OFFERED.values() for each in some]
    wheels = [_waiting(f"stats-1.0-{each}.whl") for each in sorted(names)]
    fields: dict[str, Any] = {
        "count": len(tags),
        "platforms": [each for each in dict.fromkeys(tag.platform for tag in tags) if each != "any"],
        "bands": bands(tags),
        "now": "",
        "chosen": "",
    }
    text = say(
        "Python {} accepts {:,} triples of tags here, and the first is {}.", params.python, len(tags), str(tags[0])
    )
    yield {"text": text, "stage": "tags", "wheels": list(wheels), **fields}
    for at, wheel in enumerate(wheels):
        wheels[at] = judged(wheel, tags)
        fields["now"] = wheel.file
        yield {"text": said(wheels[at]), "stage": "wheel", "wheels": list(wheels), **fields}
    wheels.sort(key=lambda each: (each.rank < 0, each.rank))
    best = wheels[0]
    fields |= {"now": "", "chosen": best.file if best.state == "fits" else ""}
    yield {"text": ended(wheels), "stage": "chosen", "wheels": wheels, **fields}


def judged(wheel: Wheel, tags: list[Tag]) -> Wheel:
    """Compared with what is accepted. A name may have several tags in one place, with a point between them."""
    own = parse_wheel_filename(wheel.file)[3]
    rank = next((at for at, tag in enumerate(tags) if tag in own), -1)
    pythons = {tag.interpreter for tag in own}
    of_this = [tag for tag in tags if tag.interpreter in pythons] or tags
    return replace(
        wheel,
        python_known=any(tag.interpreter in pythons for tag in tags),
        abi_known=any(tag.abi == each.abi for tag in of_this for each in own),
        platform_known=bool({tag.platform for tag in tags} & {tag.platform for tag in own}),
        rank=rank,
        state="refused" if rank < 0 else "fits",
    )


def bands(tags: list[Tag]) -> list[Band]:
    made, at = [], 0
    for (python, abi), group in groupby(tags, key=lambda tag: (tag.interpreter, tag.abi)):
        count = len(list(group))
        made.append(Band(python, abi, at, count))
        at += count
    return made


def said(wheel: Wheel) -> Sentence:
    if wheel.state == "fits":
        return say("{} fits: its best triple is number {:,}.", _tail(wheel), wheel.rank + 1)
    wrong = [
        tag
        for tag, known in (
            (wheel.python, wheel.python_known),
            (wheel.abi, wheel.abi_known),
            (wheel.platform, wheel.platform_known),
        )
        if not known
    ]
    return say("{} is refused because of {}.", _tail(wheel), joined(" and ", wrong))


def ended(wheels: list[Wheel]) -> Sentence:
    fit = sum(wheel.state == "fits" for wheel in wheels)
    if not fit:
        return say("No wheel fits, so pip looks for the source and a compiler.")
    if fit == 1:
        return say("{} is the only wheel that fits.", _tail(wheels[0]))
    return say("{} of {} wheels fit, and {} has the earliest triple.", fit, len(wheels), _tail(wheels[0]))


def _tail(wheel: Wheel) -> str:
    return f"{wheel.python}-{wheel.abi}-{wheel.platform.partition('.')[0]}"


def _waiting(file: str) -> Wheel:
    *_, python, abi, platform = file.removesuffix(".whl").split("-")
    return Wheel(file, python, abi, platform, False, False, False, -1, "waiting")

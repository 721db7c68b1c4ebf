"""What the pictures say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labs.contract import Sentence, say

from native.pytorch.abi_break import module

if TYPE_CHECKING:
    from native.pytorch.abi_break import Params
    from native.pytorch.abi_break.pictures import Break


def headers(same: bool, library: str, params: Params) -> Sentence:
    match params.change, params.interface:
        case "string", "stable" if params.rebuilt:
            return say(
                "The operator is written with PyTorch's stable headers, and built with PyTorch's own strings."
            )
        case "string", "stable":
            return say("The operator is written with PyTorch's stable headers, and built with old strings.")
        case "Python", "stable":
            return say(
                "The module stays within Python's limited API: it calls functions, and reads no field of an int."
            )
        case "Python", _ if not params.rebuilt:
            here, there = (f"{major}.{minor}" for major, minor in (module.HERE, module.built_for(params)))
            return say(
                "The module is built for Python {}, whose int has a field that Python {} lacks.", there, here
            )
    if params.change == "struct" and params.interface == "stable" and not params.rebuilt:
        return say("Both sides have the same header, which does not show the struct behind the handle.")
    if same:
        return say("The extension is built with exactly what {} was built with.", library)
    if params.interface == "stable":
        return say("The two releases differ, but in no function that the extension calls.")
    return say("The extension and {} are built with a single difference.", library)


def plugs(event: Break) -> Sentence:
    if event.others:
        return say(
            "The extension leaves {} names open for {}, and {} for the C and C++ libraries.",
            len(event.plugs),
            event.library,
            event.others,
        )
    if len(event.plugs) == 1:
        return say("The extension leaves one name open for the loader.")
    return say("The extension leaves {} names open for the loader.", len(event.plugs))


def together(event: Break) -> Sentence:
    promised = sum(plug.promised for plug in event.plugs)
    if promised == len(event.plugs):
        return say("All {} are C names, {} defines each, and each is promised to stay.", promised, event.library)
    return say(
        "All {} are C names, and {} defines each, but only {} are promised to stay.",
        len(event.plugs),
        event.library,
        promised,
    )


def name(event: Break) -> Sentence:
    if event.at < 0:
        return together(event)
    plug = event.plugs[event.at]
    if plug.fit == "fits":
        if len(event.asked) == 1:
            return say(
                "{} is a C name, which says nothing about types, and {} defines it.", plug.symbol, event.library
            )
        return say("All {} pieces of the name are the same, and {} defines it.", len(event.asked), event.library)
    if not event.offered:
        return say("Nothing in {} has this name.", event.library)
    odd = [piece.text for piece in event.asked if not piece.same]
    if len(odd) == 1:
        return say(
            "One of the name’s {} pieces has no counterpart in {}: “{}”.", len(event.asked), event.library, odd[0]
        )
    return say(
        "{} of the name’s {} pieces have no counterpart in {}: “{}”.",
        len(odd),
        len(event.asked),
        event.library,
        " ".join(odd),
    )


def fields(event: Break, params: Params) -> Sentence:
    wrong = [field for field in event.our_fields if not field.same]
    if wrong and params.change == "Python":
        ours, theirs = wrong[0], event.their_fields[0]
        return say(
            "At byte {} the module reads {} {}, where Python has written {} {}.",
            ours.at,
            ours.name,
            ours.value,
            theirs.name,
            theirs.value,
        )
    if wrong:
        return say(
            "The name fits, but {} of {} fields are not at the offsets that the extension uses.",
            len(wrong),
            len(event.our_fields),
        )
    return say("Both sides see each field at the same offset.")


def found(event: Break, taken: bool) -> Sentence:
    finds, installs = (sum(each) for each in zip(*((one.finds, one.installs) for one in event.takers), strict=True))
    here = f"{module.HERE[0]}.{module.HERE[1]}"
    told = (len(event.takers), finds, event.file, installs, here)
    if taken:
        return say(
            "Of {} Python versions, {} can find {} and {} can install its wheel; Python {} can do both.", *told
        )
    return say(
        "Of {} Python versions, {} can find {} and {} can install its wheel; Python {} can do neither.", *told
    )


def loaded(event: Break, taken: bool) -> Sentence:
    if not taken:
        return say("Renamed to {}, the file loads, and nothing compares the fields.", event.file)
    if event.refused:
        return say("The loader refuses the file: “{}”.", Sentence.plain(event.refused))
    return say("The loader has found every name and has no complaint.")


def called(event: Break) -> Sentence:
    if event.got == event.right:
        return say("{} gives {}, as it should.", event.call, event.got)
    return say("{} gives {} instead of {}, and nothing says so.", event.call, event.got, event.right)

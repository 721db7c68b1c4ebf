"""What the pictures say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labs.contract import Sentence, say

if TYPE_CHECKING:
    from native.pytorch.abi_break import Params
    from native.pytorch.abi_break.pictures import Break


def headers(same: bool, library: str, params: Params) -> Sentence:
    if params.change == "struct" and params.interface == "stable" and not params.rebuilt:
        return say("Both sides have the same header, which does not show the struct behind the handle.")
    if same:
        return say("The extension is built with exactly what {} was built with.", library)
    if params.interface == "stable":
        return say("The builds differ, but no function that the extension calls does.")
    return say("The extension and {} are built with a single difference.", library)


def plugs(event: Break) -> Sentence:
    if len(event.plugs) == 1:
        return say("The extension leaves one name open for the loader.")
    return say("The extension leaves {} names open for the loader.", len(event.plugs))


def name(event: Break) -> Sentence:
    plug = event.plugs[event.at]
    if plug.fit == "fits":
        if len(event.asked) == 1:
            return say(
                "{} is a name of C, which says nothing of types, and {} defines it.", plug.symbol, event.library
            )
        return say("All {} pieces of the name are the same, and {} defines it.", len(event.asked), event.library)
    if not event.offered:
        return say("Nothing in {} has this name.", event.library)
    odd = [piece.text for piece in event.asked if not piece.same]
    if len(odd) == 1:
        return say("One of {} pieces has no counterpart in {}: “{}”.", len(event.asked), event.library, odd[0])
    return say(
        "{} of {} pieces have no counterpart in {}: “{}”.", len(odd), len(event.asked), event.library, " ".join(odd)
    )


def layout(event: Break) -> Sentence:
    wrong = sum(not field.same for field in event.our_fields)
    if wrong:
        return say(
            "The name fits, and {} of {} fields lie elsewhere than the extension believes.",
            wrong,
            len(event.our_fields),
        )
    return say("Both sides see each field at the same offset.")


def loaded(event: Break) -> Sentence:
    if event.refused:
        return say("The loader refuses, and says “{}”.", Sentence.plain(event.refused))
    return say("The loader has found every name and has no complaint.")


def called(event: Break) -> Sentence:
    if event.got == event.right:
        return say("{} gives {}, as it should.", event.call, event.got)
    return say("{} gives {} instead of {}, and nobody is told.", event.call, event.got, event.right)

"""What the steps say, a sentence each."""

from __future__ import annotations

from typing import Any

from labs.contract import Sentence, joined, say

from native.tools.smtp_roundtrip.dialogue import Exchange
from native.tools.smtp_roundtrip.processes import Place


def message(size: int, picture: int) -> Sentence:
    return say("The message has {:,} bytes, with a picture of {:,} bytes in it.", size, picture)


def places(found: list[Place]) -> Sentence:
    holding = [each for each in found if each.holds]
    if any(each.name == "arguments" for each in holding):
        return say(
            "The mailer runs, and its password is in its arguments, which every user of the machine can read."
        )
    if holding:
        return say(
            "The mailer runs, and its password is in {}, which only the same user and root can read.",
            "a file" if holding[0].name == "file" else "its environment",
        )
    return say("The mailer runs, and its password is neither in its arguments nor in its environment.")


def exchange(one: Exchange) -> Sentence:
    code, what = one.server[:3], first(one.client)
    if one.client.count("\n") > 1:
        what = Sentence.plain("the message, and a line with only a dot")
    if not one.client:
        return say("The server greets with code {}.", code)
    return say("The mailer sends {}, and the server answers with code {}.", what, code)


def first(client: str) -> str:
    """The word of a command."""
    return client.split("\n")[0].split(":")[0].split(" ")[0].upper() if client.isascii() else client[:10]


def shaken(heard: dict[str, Any]) -> Sentence:
    return say(
        "Both have agreed on keys for {}, and from here on the wire carries encrypted records only.", heard["tls"]
    )


def mailbox(size: int) -> Sentence:
    return say("The server has accepted {:,} bytes, and Python’s module email parses them.", size)


def end(same: bool, heard: list[str], failure: str) -> Sentence:
    wire = (
        say("somebody on the wire has read {}", listed(heard))
        if heard
        else say("nothing of it could be read on the wire")
    )
    if not same:
        return say("No mail has arrived, because the mailer gave up with {}.", named(failure))
    return say("The picture is the same, byte for byte, and {}.", wire)


def listed(heard: list[str]) -> Sentence:
    *most, last = (say("the {}", each) for each in heard)
    return say("{} and {}", joined(", ", most), last) if most else last


def named(failure: str) -> str:
    """The class of an error."""
    return failure.split(":")[0] or "no error"

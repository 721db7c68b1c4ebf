"""The lives of storages, stage by stage, in pictures and words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from labs.contract import Sentence, joined, say

from native.pytorch.custom_function.lifetimes import Lived
from native.pytorch.custom_function.pictures import Life

STAGES = ("held", "deleted", "collected")


def lived(
    seen: Sequence[Lived], changed: Mapping[str, str], inputs: Sequence[str], results: Sequence[str]
) -> Iterator[tuple[str, list[Life], Sentence]]:
    """``changed`` says of names what comes of a change in place."""
    stays = [each.name for each in seen if each.alive[1] and each.name not in inputs]
    for n, stage in enumerate(STAGES):
        shown = [life(each, n, inputs, "") for each in seen]
        left = sum(each.bytes for each in shown if each.alive)
        yield stage, shown, told(stage, left, stays, results)
    shown = [life(each, 0, inputs, known(each, changed)) for each in seen]
    wrong = [each.name for each in shown if each.changed == "wrong"]
    noticed = [each.name for each in shown if each.changed == "noticed"]
    if wrong:
        words = "An in-place change of {} before backward goes unnoticed, and the gradient is wrong."
        text = say(words, joined(", ", wrong))
    elif noticed:
        text = say("An in-place change of {} before backward is noticed: torch refuses.", joined(", ", noticed))
    else:
        text = say("An in-place change before backward changes no gradient here.")
    yield "changed", shown, text


def held(seen: Sequence[Lived]) -> list[Life]:
    return [life(each, 0, [], "") for each in seen]


def told(stage: str, left: int, stays: Sequence[str], results: Sequence[str]) -> Sentence:
    result = joined(", ", results)
    match stage:
        case "held":
            return say("After forward, {} bytes are alive, including the inputs.", left)
        case "deleted" if stays:
            return say("del {}: {} is still alive, in a cycle with its own node.", result, joined(", ", stays))
        case "deleted":
            return say("del {}: what forward made is freed at once, and {} bytes of inputs remain.", result, left)
        case _ if stays:
            return say("gc.collect() finds the cycle, and {} bytes remain.", left)
    return say("gc.collect() finds nothing more.")


def life(each: Lived, stage: int, inputs: Sequence[str], changed: Any) -> Life:
    alive = each.alive[stage]
    if stage == 0:
        holders = each.holders
    elif each.name in inputs:
        holders = [each.name]
    else:
        holders = ["a cycle"] if alive else []
    return Life(each.name, each.bytes, holders, alive, changed)


def known(each: Lived, changed: Mapping[str, str]) -> str:
    """What came of a change of it, under any of its names."""
    return next((changed[name] for name in [each.name, *each.holders] if name in changed), "")

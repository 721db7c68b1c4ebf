"""What the pictures say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labs.contract import Sentence, joined, say

from native.pytorch.fx_rewrite.pictures import Box

if TYPE_CHECKING:
    from native.pytorch.fx_rewrite import Drawn
    from native.pytorch.fx_rewrite.matches import Match

NOTHING = {
    "fold": "There is no convolution here whose result a batch norm reads.",
    "silu": "There is no product of a value with a sigmoid here.",
    "dropout": "There is no dropout here.",
    "merge": "No operation here is written twice with the same inputs.",
}


def node(box: Box, starts: bool) -> Sentence:
    if starts:
        return say("Another graph starts after the branch, with {} as an input.", box.says)
    if box.sort == "input":
        return say("The input {} becomes a node without a value.", box.says)
    if box.sort == "weights":
        return say("Dynamo hands the weights and statistics in from outside: they are inputs of the graph.")
    if box.sort == "output":
        return say("What is returned ends the graph.")
    return say("Line {} becomes the node {}.", box.line, box.says)


def refused(message: str) -> Sentence:
    return say("The tracer stops: {}.", message)


def matched(match: Match, rewrite: str, by: str) -> Sentence:
    missing = [each for each in match.guards if not each.holds]
    names = joined(" and ", match.names)
    if missing and by == "PyTorch":
        return say("{} match, and our own pass would stop here: “{}” ({}).", names, missing[0].asks, missing[0].why)
    if missing:
        return say("{} match, but a guard fails: “{}” ({}).", names, missing[0].asks, missing[0].why)
    first, second = match.names
    if rewrite == "fold":
        return say("{} can be folded into {}: all guards hold.", second, first)
    if rewrite == "silu":
        return say("{} and {} can become one silu: all guards hold.", first, second)
    if rewrite == "merge":
        return say("{} repeats {}, and can go: all guards hold.", second, first)
    return say("{} passes on the result of {}, and can go: its guard holds.", first, second)


def rewritten(match: Match, rewrite: str, nodes: tuple[int, int]) -> Sentence:
    first, second = match.names
    count = say("{} nodes are now {}", *nodes)
    if rewrite == "fold":
        return say("{} is gone, its factors are in new weights of {}, and {}.", second, first, count)
    if rewrite == "silu":
        return say("silu replaces {}, and {}.", second, count)
    if rewrite == "merge":
        return say("The readers of {} now read {}, and {}.", second, first, count)
    return say("{} is gone, its readers read {}, and {}.", first, second, count)


def by_torch(name: str, nodes: tuple[int, int]) -> Sentence:
    if nodes[0] == nodes[1]:
        return say("{} returns a graph of {} nodes, as before, without an error.", name, nodes[1])
    return say("{} turns {} nodes into {}, without an error.", name, *nodes)


def failed(name: str, message: str) -> Sentence:
    return say("{} stops: {}.", name, message)


def checked(event: Drawn) -> Sentence:
    count, most = len(event.differences), float(event.differences.max())
    if event.verdict == "equal":
        return say("On {} inputs both programs give the same bits.", count)
    if event.verdict == "within":
        words = "On {} inputs the results differ by at most {:.2g} of what rounding allows."
        return say(words, count, event.worst)
    words = "The results differ by up to {:.3g}, {:,.9g} times what rounding allows."
    return say(words, most, float(f"{event.worst:.2g}"))

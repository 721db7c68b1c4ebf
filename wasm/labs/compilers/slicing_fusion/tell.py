"""What happens, in words."""

from __future__ import annotations

from labs.compilers.slicing_fusion import regions
from labs.compilers.slicing_fusion.execute import Fault
from labs.compilers.slicing_fusion.judge import Decision, Verdict
from labs.compilers.slicing_fusion.slices import Way
from labs.compilers.slicing_fusion.spaces import World
from labs.contract import Sentence, joined, say

WRITER = 10_000  # see execute: nest · this + instance
KNOWN = "is known before anything runs"


def program(world: World) -> Sentence:
    last = world.spaces[-1].nest.array
    makers = [space.nest.array for space in world.spaces[:-1]]
    what = "a nest of its own" if len(makers) == 1 else "nests of their own"
    return say(
        "{} is made by the last nest, and before it {} by {}, which might run in the tiles of {}.",
        last,
        listed(makers),
        what,
        last,
    )


def accesses(undecidable: str, total: int, symbols: list[str]) -> Sentence:
    if undecidable:
        return say("Not all of {} accesses can be decided: {}.", total, undecidable)
    known = say("can be said before anything runs, with {} in it", listed(symbols)) if symbols else KNOWN
    return say("All {} accesses can be decided: which tile needs which element {}.", total, known)


def verdict(world: World, way: Way, each: Verdict, fused: set[int], forced: bool) -> Sentence:
    space, last = world.spaces[each.nest], world.spaces[-1].nest.array
    name = space.nest.array
    formula = regions.regions(world, way, fused | {each.nest}).get(name) if each.decided else None
    region = say(", which asks for {}", regions.said(name, formula)) if formula and not way.merge else ""
    head = say("{} into the tiles of {}{}", name, last, region)
    if each.fused:
        return say("{}: legal, and all four criteria hold, so it is pulled in.", head)
    failed = [criterion.name for criterion in each.criteria if not criterion.holds]
    if not each.decided:
        why = say("refused, since {}", each.why)
    elif each.faults:
        why = say("refused, since {}", fault(world, each.faults[0]))
    else:
        why = say("legal, but refused, since {} {}", listed([f"“{each}”" for each in failed]), holds(len(failed)))
    return say("{}: {}{}.", head, why, "; it is done anyway" if forced else "")


def holds(count: int) -> str:
    return "does not hold" if count == 1 else "do not hold"


def instance(world: World, nest: int, number: int) -> Sentence:
    space = world.spaces[nest]
    at = joined(
        ", ",
        (say("{} = {}", name, value) for name, value in zip(space.nest.variables, space.at[number], strict=True)),
    )
    return say("{} at {}", space.nest.array, at)


def element(world: World, array: str, number: int) -> Sentence:
    found, rest = [], number
    for length in reversed(world.arrays[array].shape):
        found.append(rest % length)
        rest //= length
    return say("{}[{}]", array, joined(", ", map(str, reversed(found))))


def writer(world: World, number: int) -> Sentence:
    if number < 0:
        return say("as it was at the beginning")
    return say("as {} writes it", instance(world, number // WRITER, number % WRITER))


def fault(world: World, each: Fault) -> Sentence:
    who, what = instance(world, each.nest, each.instance), element(world, each.array, each.element)
    return say(
        "{} must read {} {}, and would read it {}",
        who,
        what,
        writer(world, each.expected),
        writer(world, each.found),
    )


def tile(
    number: int, tiles: int, begins: str, fresh: dict[str, int], again: dict[str, int], left: dict[str, int]
) -> Sentence:
    """``fresh``, ``again``, ``left``: by array, elements computed for the first time, once more, and kept."""
    parts = []
    for name in fresh:
        part = f"{fresh[name]:,} of {name}"
        if again[name]:
            part += f" ({again[name]:,} of them again)"
        if left[name]:
            part += f" with {left[name]:,} more left from before"
        parts.append(part)
    return say("Tile {} of {}, {}: it computes {}.", number + 1, tiles, begins, ", then ".join(parts))


def result(world: World, decision: Decision, wrong: int, compared: int, fault_said: str, extra: str) -> Sentence:
    if not decision.fused:
        return say("Nothing was pulled in: the nests run one after the other, as they are written.")
    made = listed([world.spaces[n].nest.array for n in sorted(decision.fused)])
    if wrong:
        why = say(", since {}", fault_said) if fault_said else ""
        return say("With {} fused, {:,} of {:,} numbers are wrong{}.", made, wrong, compared, why)
    lucky = "; another input would show the fault" if fault_said else ""
    stored = [world.spaces[n].nest.array for n in sorted(decision.stored)]
    memory = sum(world.arrays[name].size for name in stored)
    still = say("; all {:,} numbers of {} still go to memory", memory, listed(stored)) if stored else ""
    told = "With {} fused all {:,} numbers are the same to the last bit, at {} work{}{}."
    return say(told, made, compared, extra, lucky, still)


def listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]

"""What happens, in words."""

from __future__ import annotations

from labs.compilers.slicing_fusion import regions
from labs.compilers.slicing_fusion.execute import Fault
from labs.compilers.slicing_fusion.judge import Decision, Verdict
from labs.compilers.slicing_fusion.slices import Way
from labs.compilers.slicing_fusion.spaces import World

WRITER = 10_000  # see execute: nest · this + instance
KNOWN = "is known before anything runs"


def program(world: World) -> str:
    last = world.spaces[-1].nest.array
    makers = [space.nest.array for space in world.spaces[:-1]]
    what = "a nest of its own; may that" if len(makers) == 1 else "nests of their own; may those"
    return f"{last} is made by the last nest, and before it {listed(makers)} by {what} run in the tiles of {last}?"


def accesses(undecidable: str, total: int, symbols: list[str]) -> str:
    if undecidable:
        return f"Of {total} accesses not all can be decided: {undecidable}."
    known = f"can be said before anything runs, with {listed(symbols)} in it" if symbols else KNOWN
    return f"All {total} accesses can be decided: which tile needs which element {known}."


def verdict(world: World, way: Way, each: Verdict, fused: set[int], forced: bool) -> str:
    space, last = world.spaces[each.nest], world.spaces[-1].nest.array
    name = space.nest.array
    formula = regions.regions(world, way, fused | {each.nest}).get(name) if each.decided else None
    region = f", which asks for {regions.said(name, formula)}" if formula and not way.merge else ""
    head = f"{name} into the tiles of {last}{region}"
    if each.fused:
        return f"{head}: legal, and all four criteria hold, so it is pulled in."
    failed = [criterion.name for criterion in each.criteria if not criterion.holds]
    if not each.decided:
        why = f"refused, since {each.why}"
    elif each.faults:
        why = f"refused, since {fault(world, each.faults[0])}"
    else:
        why = f"legal, but refused, since {listed([f'“{each}”' for each in failed])} {holds(len(failed))}"
    return f"{head}: {why}{'; it is done all the same' if forced else ''}."


def holds(count: int) -> str:
    return "does not hold" if count == 1 else "do not hold"


def instance(world: World, nest: int, number: int) -> str:
    space = world.spaces[nest]
    at = ", ".join(f"{name} = {value}" for name, value in zip(space.nest.variables, space.at[number], strict=True))
    return f"{space.nest.array} at {at}"


def element(world: World, array: str, number: int) -> str:
    found, rest = [], number
    for length in reversed(world.arrays[array].shape):
        found.append(rest % length)
        rest //= length
    return f"{array}[{', '.join(map(str, reversed(found)))}]"


def writer(world: World, number: int) -> str:
    if number < 0:
        return "as it was at the beginning"
    return f"as {instance(world, number // WRITER, number % WRITER)} writes it"


def fault(world: World, each: Fault) -> str:
    who, what = instance(world, each.nest, each.instance), element(world, each.array, each.element)
    return f"{who} must read {what} {writer(world, each.expected)}, and would read it {writer(world, each.found)}"


def tile(
    number: int, tiles: int, begins: str, fresh: dict[str, int], again: dict[str, int], left: dict[str, int]
) -> str:
    """``fresh``, ``again``, ``left``: by array, elements computed for the first time, once more, and kept."""
    parts = []
    for name in fresh:
        part = f"{fresh[name]:,} of {name}"
        if again[name]:
            part += f" ({again[name]:,} of them again)"
        if left[name]:
            part += f" with {left[name]:,} more left from before"
        parts.append(part)
    return f"Tile {number + 1} of {tiles}, {begins}: it computes {', then '.join(parts)}."


def result(world: World, decision: Decision, wrong: int, compared: int, fault_said: str, extra: str) -> str:
    if not decision.fused:
        return "Nothing was pulled in: the nests run one after the other, as they are written."
    made = listed([world.spaces[n].nest.array for n in sorted(decision.fused)])
    if wrong:
        why = f", since {fault_said}" if fault_said else ""
        return f"With {made} fused, {wrong:,} of {compared:,} numbers are wrong{why}."
    lucky = "; another input would show the fault" if fault_said else ""
    return f"With {made} fused all {compared:,} numbers are the same to the last bit, at {extra} work{lucky}."


def listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]

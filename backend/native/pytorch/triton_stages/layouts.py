"""Layouts: which thread holds which element, computed from what TTGIR writes in ``#blocked`` and its like.

Every layout is a table of steps. A bit of the register's number, of the lane's or the warp's moves an element so
far along each axis, and the moves of all bits that are set are combined by exclusive or. A bit that moves nothing
makes a copy.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import prod
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from native.pytorch.triton_stages.trace import Line

Step = tuple[int, ...]
Role = Literal["loads", "sums", "stores"]
ROLES: dict[Role, re.Pattern[str]] = {
    "loads": re.compile(r"(?:tt\.load|ttg\.async_copy_global_to_local) .*?tensor<([\dx]+)x!tt\.ptr<\w+>, (#\w+)>"),
    "sums": re.compile(r"(?:tt\.dot|ttng\.warp_group_dot|ttng\.tmem_load) .*-> tensor<([\dx]+)xf32, (#\w+)>"),
    "stores": re.compile(r"tt\.store .*?tensor<([\dx]+)x!tt\.ptr<\w+>, (#\w+)>"),
}
ALIAS = re.compile(r"^(#\w+) = (#ttg\.(?:blocked|nvidia_mma|linear)<\{.*\}>)$")


@dataclass(frozen=True)
class Held:
    """A block of the kernel, as it lies in registers."""

    role: Role
    name: str
    attribute: str
    shape: Step
    line: int


def held(lines: list[Line]) -> list[Held]:
    """The blocks that are loaded, summed and stored; of those that lie alike, the first."""
    known = {match[1]: match[2] for each in lines if (match := ALIAS.match(each.text))}
    found: dict[tuple[str, Step], Held] = {}
    for role, pattern in ROLES.items():
        for each in lines:
            match = pattern.search(each.text)
            if match and match[2] in known:
                shape = tuple(map(int, match[1].split("x")))
                found.setdefault((known[match[2]], shape), Held(role, match[2], known[match[2]], shape, each.line))
    return list(found.values())


@dataclass(frozen=True)
class Steps:
    """How far each bit moves, the lowest bit first."""

    register: list[Step]
    lane: list[Step]
    warp: list[Step]

    def places(self) -> NDArray[np.int64]:
        """[warps, lanes, registers, axes] the element."""
        parts = [self.combined(each) for each in (self.warp, self.lane, self.register)]
        return parts[0][:, None, None] ^ parts[1][None, :, None] ^ parts[2][None, None, :]

    def combined(self, moves: list[Step]) -> NDArray[np.int64]:
        axes = len((self.register + self.lane + self.warp)[0])
        found = np.zeros((1, axes), np.int64)
        for move in moves:
            found = np.concatenate([found, found ^ np.array(move)])
        return found


def steps(attribute: str, shape: Step) -> Steps:
    if "#ttg.linear" in attribute:
        return Steps(*(pairs(attribute, name) for name in ("register", "lane", "warp")))
    growing, order = Growing(shape), [1, 0]
    if "#ttg.blocked" in attribute:
        order = numbers(attribute, "order")
        parts = ("sizePerThread", "threadsPerWarp", "warpsPerCTA")
        register, lane, warp = (growing.over(numbers(attribute, name), order) for name in parts)
    else:
        _, columns, *_ = numbers(attribute, "instrShape")
        hopper = "versionMajor = 3" in attribute
        register = growing.over([1, 2], order)
        lane = growing.over([8, 4], order)
        register += growing.over([2, 1], order) + growing.over([1, columns // 8], order)
        warp = growing.over(numbers(attribute, "warpsPerCTA"), [0, 1] if hopper else order)
    return Steps(register + growing.rest(order), lane, warp)


class Growing:
    """A part of the block that is covered so far, in powers of two."""

    def __init__(self, shape: Step) -> None:
        self.shape, self.covered = shape, [1] * len(shape)

    def over(self, sizes: list[int], order: list[int]) -> list[Step]:
        """Cover so many times as much along each axis; beyond the block, the bits move nothing."""
        return [self.step(axis) for axis in order for _ in range(sizes[axis].bit_length() - 1)]

    def step(self, axis: int) -> Step:
        far, inside = self.covered[axis], self.covered[axis] < self.shape[axis]
        self.covered[axis] *= 2
        return tuple(far if inside and at == axis else 0 for at in range(len(self.shape)))

    def rest(self, order: list[int]) -> list[Step]:
        """What is left of the block: more values for every thread."""
        found = []
        for axis in order:
            while self.covered[axis] < self.shape[axis]:
                found.append(self.step(axis))
        return found


def numbers(attribute: str, name: str) -> list[int]:
    found = re.search(rf"{name} = \[([\d, ]*)\]", attribute)
    assert found
    return [int(each) for each in found[1].split(",")]


def pairs(attribute: str, name: str) -> list[Step]:
    found = re.search(rf"{name} = \[((?:\[[\d, ]*\](?:, )?)*)\]", attribute)
    assert found
    return [tuple(map(int, each.split(","))) for each in re.findall(r"\[([\d, ]+)\]", found[1])]


@dataclass(frozen=True)
class Owners:
    """For each element the first thread that holds it."""

    warp: NDArray[np.int64]
    lane: NDArray[np.int64]
    register: NDArray[np.int64]
    each: int
    copies: int
    run: int


def owners(attribute: str, shape: Step) -> Owners:
    places = steps(attribute, shape).places()
    flat = np.ravel_multi_index(tuple(np.moveaxis(places, -1, 0)), shape).ravel()
    elements = prod(shape)
    first = np.full(elements, -1)
    first[flat[::-1]] = np.arange(len(flat))[::-1]
    warp, lane, register = np.unravel_index(first, places.shape[:3])
    distinct = len(set(flat.reshape(places.shape[:3])[0, 0].tolist()))
    threads = places.shape[0] * places.shape[1]
    return Owners(warp, lane, register, distinct, threads * distinct // elements, together(warp, lane, shape[-1]))


def together(warp: NDArray[np.int64], lane: NDArray[np.int64], columns: int) -> int:
    """Neighbours that one thread holds, from the first element on."""
    other = np.flatnonzero((warp[:columns] != warp[0]) | (lane[:columns] != lane[0]))
    return int(other[0]) if len(other) else columns

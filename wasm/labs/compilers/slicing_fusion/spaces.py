"""What each nest does, instance by instance: the values of its loop variables, the element written, those read.

The loops of a figure are short, so every set is a list. A compiler has the same sets as inequalities.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from labs.compilers.slicing_fusion.program import Expr, Nest, Program, ProgramError

Ints = NDArray[np.intp]  # 32 bits in a browser, where NumPy counts and indexes with nothing wider
Numbers = NDArray[np.float64]
Bools = NDArray[np.bool_]
INSTANCES, ELEMENTS = 4096, 1024  # of one nest, of one array
CALLS: dict[str, Callable[..., Numbers]] = {
    "exp": np.exp,
    "tanh": np.tanh,
    "relu": lambda x: np.maximum(x, 0),
    "sqrt": lambda x: np.sqrt(np.maximum(x, 0)),
    "abs": np.abs,
    "min": np.minimum,
    "max": np.maximum,
    "neg": np.negative,
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "//": np.floor_divide,
    "%": np.mod,
}


@dataclass
class Array:
    name: str
    shape: tuple[int, ...]
    start: Numbers
    """What it holds before anything runs, element after element."""
    given: bool
    """It is read before any line has written it: an input."""

    @property
    def size(self) -> int:
        return math.prod(self.shape)


@dataclass
class Space:
    """One nest."""

    nest: Nest
    at: Ints
    """[instances, loops] in the order in which they run"""
    writes: Ints
    """[instances] the element of its array"""
    reads: list[tuple[str, Ints]]
    """Of each read as it is written down: the array, and [instances] the element."""
    operations: int
    """Arithmetic in one instance, at least 1."""


@dataclass
class World:
    program: Program
    arrays: dict[str, Array] = field(default_factory=dict)
    spaces: list[Space] = field(default_factory=list)


def evaluate(expr: Expr, names: dict[str, Ints], count: int, load: Callable[[Expr], Numbers]) -> Numbers:
    """An expression for many instances at once."""
    if expr.sign == "number":
        return np.full(count, expr.number)
    if expr.sign == "name":
        return names[expr.name].astype(np.float64)
    if expr.sign == "read":
        return load(expr)
    parts = [evaluate(part, names, count, load) for part in expr.parts]
    return CALLS[expr.sign](*parts)


def build(program: Program) -> World:
    """Raises ``ProgramError`` where something lies outside of an array, or is too large to be drawn."""
    world = World(program)
    iterations = [_iterations(program, nest) for nest in program.nests]
    inside = {
        part.name
        for nest in program.nests
        for each in (nest.target, *nest.reads)
        for index in each.parts
        for part in index.walk()
        if part.sign == "read"
    }
    if found := inside & {nest.array for nest in program.nests}:
        raise ProgramError(f"{min(found)} is used as an index, so no line may write it")
    shapes: dict[str, list[int]] = {}
    # what lies inside of an index first: its values are known once its length is
    for indirect in (True, False):
        for nest, at in zip(program.nests, iterations, strict=True):
            for each in (nest.target, *nest.reads):
                if (each.name in inside) == indirect:
                    _grow(world, shapes, nest, at, each)
        for name in inside if indirect else ():
            world.arrays[name] = Array(name, tuple(shapes[name]), _scrambled(shapes[name]), True)
    written: set[str] = set()
    given: set[str] = set()
    for nest in program.nests:
        own = {nest.array} if nest.how != "=" or any(each.name == nest.array for each in nest.reads) else set()
        given |= {each.name for each in nest.reads} - written - own
        written.add(nest.array)
    for place, (name, shape) in enumerate(shapes.items()):
        if name not in inside:
            how = next((nest.how for nest in program.nests if nest.array == name), "=")
            world.arrays[name] = Array(name, tuple(shape), _start(name in given, how, shape, place), name in given)
    for nest, at in zip(program.nests, iterations, strict=True):
        world.spaces.append(_space(world, nest, at))
    return world


def _iterations(program: Program, nest: Nest) -> Ints:
    names: dict[str, Ints] = {}
    at = np.zeros((1, 0), np.intp)
    for depth, loop in enumerate(nest.loops):
        known = nest.variables[:depth]
        for bound in (loop.low, loop.high):
            _check_bound(nest, bound, [*known, *program.numbers])
        names = {name: at[:, i] for i, name in enumerate(known)} | _constants(program, len(at))
        low, high = (_whole(evaluate(each, names, len(at), _no_load)) for each in (loop.low, loop.high))
        lengths = np.maximum(high - low, 0)
        if lengths.sum() > INSTANCES:
            raise ProgramError(f"Line {nest.line}: this runs more than {INSTANCES:,} times; make the loops shorter")
        rows = np.repeat(np.arange(len(at)), lengths)
        begins = np.repeat(np.cumsum(lengths) - lengths, lengths)
        at = np.column_stack([at[rows], low[rows] + np.arange(len(rows)) - begins])
    if not len(at):
        raise ProgramError(f"Line {nest.line}: this never runs; let a loop end after its beginning")
    return at


def _check_bound(nest: Nest, bound: Expr, known: list[str]) -> None:
    for part in bound.walk():
        if part.sign == "read" or (part.sign == "name" and part.name not in known):
            raise ProgramError(f"Line {nest.line}: the bound {bound.text} may use numbers and outer loops alone")
        if part.sign in ("//", "%", "/"):
            raise ProgramError(f"Line {nest.line}: the bound {bound.text} may not divide; write the number")


def _constants(program: Program, count: int) -> dict[str, Ints]:
    return {name: np.full(count, number, np.intp) for name, number in program.numbers.items()}


def _no_load(expr: Expr) -> Numbers:
    raise ProgramError(f"Line {expr.place[0]}, column {expr.place[1]}: {expr.text} cannot be read here")


def _whole(numbers: Numbers) -> Ints:
    clear = np.nan_to_num(numbers, nan=-1.0, posinf=1e9, neginf=-1e9)
    return np.floor(np.clip(clear, -1e9, 1e9)).astype(np.intp)


def _elements(world: World, nest: Nest, at: Ints, each: Expr) -> list[Ints]:
    """The index of an access in each dimension, for all instances."""
    names = {name: at[:, i] for i, name in enumerate(nest.variables)} | _constants(world.program, len(at))

    def load(inner: Expr) -> Numbers:
        array = world.arrays.get(inner.name)
        if array is None:
            raise ProgramError(f"Line {nest.line}: {inner.text} inside of an index inside of an index is too much")
        return array.start[_flat(_elements(world, nest, at, inner), array.shape)]

    with np.errstate(all="ignore"):
        return [_whole(evaluate(index, names, len(at), load)) for index in each.parts]


def _flat(index: list[Ints], shape: tuple[int, ...]) -> Ints:
    found = np.zeros_like(index[0])
    for part, length in zip(index, shape, strict=True):
        found = found * length + part
    return found


def _grow(world: World, shapes: dict[str, list[int]], nest: Nest, at: Ints, each: Expr) -> None:
    """Let an array be as long as an access needs it."""
    if any(part.sign == "read" and part.name == each.name for index in each.parts for part in index.walk()):
        raise ProgramError(f"Line {nest.line}: {each.name} cannot be its own index")
    index = _elements(world, nest, at, each)
    shape = shapes.setdefault(each.name, [1] * len(index))
    if len(shape) != len(index):
        raise ProgramError(
            f"Line {each.place[0]}, column {each.place[1]}: {each.name} has {len(shape)} "
            f"{'index' if len(shape) == 1 else 'indices'} elsewhere"
        )
    for dim, part in enumerate(index):
        if part.min() < 0:
            when = ", ".join(f"{name} = {at[part.argmin(), i]}" for i, name in enumerate(nest.variables))
            raise ProgramError(
                f"Line {each.place[0]}, column {each.place[1]}: {each.text} lies before the array when {when}; "
                "begin the loop later"
            )
        shape[dim] = max(shape[dim], int(part.max()) + 1)
    if math.prod(shape) > ELEMENTS:
        raise ProgramError(
            f"{each.name} has {math.prod(shape):,} elements; make the loops shorter, {ELEMENTS:,} are the most"
        )


def _space(world: World, nest: Nest, at: Ints) -> Space:
    def flat(each: Expr) -> Ints:
        return _flat(_elements(world, nest, at, each), world.arrays[each.name].shape)

    leaves = ("number", "name", "read")
    inside = {id(part) for each in nest.reads for index in each.parts for part in index.walk()}
    work = sum(part.sign not in leaves and id(part) not in inside for part in nest.value.walk())
    return Space(
        nest,
        at,
        flat(nest.target),
        [(each.name, flat(each)) for each in nest.reads],
        max(1, work + (nest.how != "=")),
    )


def _scrambled(shape: list[int]) -> Numbers:
    """Places in an array of unknown length: each of 0 to 15, out of order."""
    return ((np.arange(math.prod(shape)) * 7 + 3) % 16).astype(np.float64)


def _start(given: bool, how: str, shape: list[int], place: int) -> Numbers:
    count = math.prod(shape)
    if not given:
        return np.full(count, -np.inf if how == "max=" else 0.0)
    return ((np.arange(count) * 37 + 11 * place) % 61 - 30).astype(np.float64) / 8

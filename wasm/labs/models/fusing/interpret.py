"""Runs loops as they are written, by NumPy: the turns of a loop at once where none needs another's result.

This is how every pass is tested, and how a browser computes: not fast, but the same loops.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labs.models.fusing.accesses import accesses
from labs.models.fusing.evaluate import ELEMENTWISE, NUMPY, held, rounded
from labs.models.fusing.loops import (
    Apply,
    Area,
    Buffer,
    Const,
    Expr,
    Index,
    Kernel,
    Let,
    Load,
    Loop,
    Product,
    Program,
    Ref,
    Start,
    Statement,
    Store,
    Update,
    statements,
)
from labs.models.fusing.neutral import NEUTRAL, neutral

Array = NDArray[Any]


def interpret(program: Program, inputs: Mapping[str, Array]) -> list[Array]:
    memory: dict[str, Array] = {each.name: np.zeros(each.size, NUMPY[each.dtype]) for each in program.buffers}
    for each in program.buffers:
        if each.role == "input":
            memory[each.name][:] = np.ravel(inputs[each.name])
    with np.errstate(all="ignore"):
        for kernel in program.kernels:
            run(kernel, memory)
    return [
        memory[each.name].reshape(program.shapes[each.name]) for each in program.buffers if each.role == "output"
    ]


def run(kernel: Kernel, memory: dict[str, Array]) -> None:
    own: dict[str, Array] = {
        each.name: np.zeros(each.size, NUMPY[each.dtype]) for each in kernel.buffers if each.role == "local"
    }
    machine = Machine(memory | own, {each.name: each for each in kernel.buffers})
    machine.block(kernel.body)


@dataclass
class Machine:
    memory: dict[str, Array]
    buffers: dict[str, Buffer]
    at: dict[str, int | Array] = field(default_factory=dict)
    """Where each loop is: at one turn, or at all of them along an axis of its own."""
    shape: tuple[int, ...] = ()
    """How many turns are made at once, for each loop around."""
    active: Array = field(default_factory=lambda: np.asarray(True))
    """[*shape] which of the turns are before the limit."""
    values: dict[str, Array] = field(default_factory=dict)
    limits: list[Loop] = field(default_factory=list)

    def block(self, body: tuple[Statement, ...]) -> None:
        for each in body:
            match each:
                case Loop():
                    self.loop(each)
                case Let():
                    self.values[each.name] = self.value(each.value)
                case Start():
                    for name, first in zip(each.names, NEUTRAL[each.monoid], strict=True):
                        self.values[name] = np.full(self.shape, neutral(first, each.dtype))
                case Update():
                    self.update(each)
                case Store():
                    self.store(each)
                case Product():
                    self.product(each)

    def loop(self, loop: Loop) -> None:
        bounded = loop.limit and not loop.outer
        if bounded:
            self.limits.append(loop)
        if at_once(loop):
            depth, old = len(self.shape), self.active
            self.at = {name: along(each, depth + 1) for name, each in self.at.items()}
            self.shape = (*self.shape, loop.extent)
            turns = np.arange(loop.extent).reshape((1,) * depth + (-1,))
            self.at[loop.variable] = turns
            self.active = along(old, depth + 1)
            if loop.limit:
                self.active = self.active & (self.first(loop) + turns < loop.limit)
            self.block(loop.body)
            self.shape, self.active = self.shape[:-1], old
            del self.at[loop.variable]
            self.at = {name: each if isinstance(each, int) else each[..., 0] for name, each in self.at.items()}
        else:
            for turn in range(loop.extent):
                self.at[loop.variable] = turn
                if loop.limit:
                    old = self.active
                    self.active = old & (self.first(loop) + turn < loop.limit)
                    if np.any(self.active):
                        self.block(loop.body)
                    self.active = old
                else:
                    self.block(loop.body)
            del self.at[loop.variable]
        if bounded:
            self.limits.pop()

    def first(self, loop: Loop) -> int | Array:
        return self.at[loop.outer] * loop.extent if loop.outer else 0

    def place(self, index: Index) -> Array:
        total: int | Array = index.offset
        for name, stride in index.strides:
            total = total + self.at[name] * stride
        return np.asarray(total)

    def value(self, value: Expr) -> Array:
        match value:
            case Const():
                return np.full((1,) * len(self.shape), value.value).astype(NUMPY[value.dtype])
            case Load():
                memory = self.memory[value.buffer]
                place = np.where(self.active, self.place(value.index), 0)
                found: Array = np.asarray(memory[place])
                return np.asarray(found.astype(np.int32)) if value.dtype == "i8" else found
            case Ref():
                return np.asarray(along(self.values[value.name], len(self.shape)))
            case Apply():
                args = [self.value(each) for each in value.args]
                if value.op == "cast":
                    return cast(args[0], value.dtype)
                return np.asarray(ELEMENTWISE[value.op](*args)).astype(NUMPY[value.dtype])

    def update(self, update: Update) -> None:
        """Turns that were made at once are taken in together: the axes that are not the accumulators'."""
        given = [self.value(each) for each in update.values]
        old = [self.values[name] for name in update.names]
        depth = old[0].ndim
        shape = (*self.shape[:depth], int(np.prod(self.shape[depth:])))
        mask = np.broadcast_to(self.active, self.shape).reshape(shape)
        parts = [np.broadcast_to(each, self.shape).reshape(shape) for each in given]
        new = taken_in(update.monoid, old, parts, mask)
        for name, value, was in zip(update.names, new, old, strict=True):
            self.values[name] = value.astype(was.dtype)

    def store(self, store: Store) -> None:
        buffer = self.buffers[store.buffer]
        value = self.value(store.value)
        value = rounded(value.astype(np.float32)) if buffer.dtype == "bf16" else held(value, buffer.dtype, False)
        place = np.broadcast_to(self.place(store.index), self.shape)
        active = np.broadcast_to(self.active, self.shape)
        self.memory[store.buffer][place[active]] = np.broadcast_to(value, self.shape)[active]

    def product(self, product: Product) -> None:
        rows = product.rows
        if self.limits:
            turn = self.at[self.limits[-1].variable]
            assert isinstance(turn, int)
            rows = min(rows, self.limits[-1].limit - turn * rows)
        left = self.matrix(product.left, rows, product.depth)
        right = self.matrix(product.right, product.depth, product.columns)
        wide = np.int64 if left.dtype.kind == "i" else np.float64
        result = left.astype(wide) @ right.astype(wide)
        place = self.area(product.out, rows, product.columns)
        dtype = self.buffers[product.out.buffer].dtype
        self.memory[product.out.buffer][place] = rounded(result.astype(np.float32)) if dtype == "bf16" else result

    def area(self, area: Area, rows: int, columns: int) -> Array:
        place = int(self.place(area.start)) + np.arange(rows)[:, None] * area.down
        return np.asarray(place + np.arange(columns) * area.along)

    def matrix(self, area: Area, rows: int, columns: int) -> Array:
        return np.asarray(self.memory[area.buffer][self.area(area, rows, columns)])


def along(value: int | Array, axes: int) -> Any:
    """With axes of length 1 for the loops further in."""
    return value if isinstance(value, int) else value.reshape(value.shape + (1,) * (axes - value.ndim))


def at_once(loop: Loop) -> bool:
    """Whether no turn reads what another writes; a product is made a turn at a time."""
    if any(isinstance(each, Product) for each in statements(loop.body)):
        return False
    places: dict[str, set[Index]] = {}
    both: dict[str, set[bool]] = {}
    for name, index, written in accesses(loop.body):
        places.setdefault(name, set()).add(index)
        both.setdefault(name, set()).add(written)
    return all(
        len(places[name]) == 1 and next(iter(places[name])).along(loop.variable)
        for name, done in both.items()
        if len(done) == 2
    )


def cast(value: Array, dtype: str) -> Array:
    """bf16 and i8 are held in f32 and i32."""
    if dtype == "bool":
        return np.asarray(value != 0)
    if dtype == "bf16":
        return rounded(value.astype(np.float32))
    return held(value, dtype, False).astype(NUMPY["i32"] if dtype == "i8" else NUMPY[dtype])


def taken_in(monoid: str, old: list[Array], parts: list[Array], mask: Array) -> list[Array]:
    """The accumulators with all elements of the last axis."""
    if monoid == "softmax":
        x = np.where(mask, parts[0], -np.inf)
        top = np.maximum(old[0], x.max(-1))
        safe = np.where(np.isinf(top), 0, top)
        share = np.where(mask, parts[1] * np.exp(x - safe[..., None]), 0).sum(-1)
        return [top, old[1] * np.exp(old[0] - safe) + share]
    if monoid == "moments":
        n = np.where(mask, parts[0], 0).sum(-1)
        mean = np.where(mask, parts[0] * parts[1], 0).sum(-1) / np.maximum(n, 1)
        spread = np.where(mask, parts[2] + parts[0] * (parts[1] - mean[..., None]) ** 2, 0).sum(-1)
        total, gap = old[0] + n, mean - old[1]
        share = n / np.maximum(total, 1)
        return [total, old[1] + gap * share, old[2] + spread + gap * gap * old[0] * share]
    (x,) = (np.where(mask, parts[0], neutral(NEUTRAL[monoid][0], str(KIND[old[0].dtype.name]))),)
    match monoid:
        case "sum":
            return [old[0] + x.sum(-1, dtype=x.dtype)]
        case "prod":
            return [old[0] * x.prod(-1, dtype=x.dtype)]
        case "amax":
            return [np.maximum(old[0], x.max(-1))]
    return [np.minimum(old[0], x.min(-1))]


KIND = {"float32": "f32", "float64": "f64", "int32": "i32", "int64": "i64", "bool": "bool"}

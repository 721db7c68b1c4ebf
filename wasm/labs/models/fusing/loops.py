"""Loop IR: how a kernel computes, as loops over elements; of tensors nothing is left but strides.

A kernel is a tree of loops with statements in them. An index is an affine expression of loop variables, so that a
pass can see what moves with which loop: the strides say whether a vector is loaded, repeated or gathered, and how
many bytes a loop touches.

Arithmetic is done in f32, f64, i32, i64 or bool. `Load` of bf16 or i8 widens (to f32, i32), `Store` to them rounds
to nearest even, or keeps the lower bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Role = Literal["input", "output", "temporary", "local"]


@dataclass(frozen=True)
class Buffer:
    name: str
    dtype: str
    size: int
    """In elements."""
    role: Role
    """A temporary carries a tensor from kernel to kernel; a local belongs to one turn of the parallel loop."""


class Index(NamedTuple):
    """offset + Σ stride · variable. A tuple, as nothing else is made and compared so often."""

    strides: tuple[tuple[str, int], ...] = ()
    offset: int = 0

    def along(self, variable: str) -> int:
        return next((stride for name, stride in self.strides if name == variable), 0)


@dataclass(frozen=True)
class Const:
    value: float
    dtype: str


@dataclass(frozen=True)
class Load:
    buffer: str
    index: Index
    dtype: str
    """The buffer's own."""


@dataclass(frozen=True)
class Ref:
    """A value that a `Let` or a `Start` named."""

    name: str
    dtype: str


@dataclass(frozen=True)
class Apply:
    """One of graph.ELEMENTWISE on scalars; `dtype` is the result's."""

    op: str
    args: tuple[Expr, ...]
    dtype: str


Expr = Const | Load | Ref | Apply


@dataclass(frozen=True)
class Let:
    name: str
    value: Expr
    node: int = -1
    """Number of the graph's node that it computes, for the colours; so in all statements."""


@dataclass(frozen=True)
class Start:
    """Accumulators begin: `names` are the parts of one monoid (see MONOIDS), at its neutral element."""

    names: tuple[str, ...]
    monoid: str
    dtype: str
    node: int = -1


@dataclass(frozen=True)
class Update:
    """Accumulators take in one more element. A loop around it may be cut, reordered and vectorised: the monoid says
    how two halves are combined."""

    names: tuple[str, ...]
    monoid: str
    values: tuple[Expr, ...]
    node: int = -1


@dataclass(frozen=True)
class Store:
    buffer: str
    index: Index
    value: Expr
    node: int = -1


@dataclass(frozen=True)
class Area:
    """A matrix in a buffer: where it begins, how far the next row and the next column are, in elements."""

    buffer: str
    start: Index
    down: int
    along: int


@dataclass(frozen=True)
class Product:
    """out = left @ right, [rows, depth] @ [depth, columns], by the packed kernel where it takes these.

    Inside of a loop cut into blocks, `rows` is a block's height, and the last block may have fewer rows: min(rows,
    limit − variable · rows) of the nearest loop around it that has a limit and no outer. Statements that follow in
    the same loop are its epilogue, on a block that is still in the cache.
    """

    out: Area
    left: Area
    right: Area
    rows: int
    columns: int
    depth: int
    node: int = -1


@dataclass(frozen=True)
class Loop:
    """`variable` runs from 0 to `extent`, and with a limit no further than outer · extent + variable < limit.

    So tiling i of n in steps of t is Loop(i.o, ⌈n/t⌉) around Loop(i.i, t, outer="i.o", limit=n), and a stride s
    of i becomes s·t of i.o and s of i.i.
    """

    variable: str
    extent: int
    body: tuple[Statement, ...]
    kind: Literal["serial", "parallel", "vector", "unrolled"] = "serial"
    outer: str = ""
    limit: int = 0


Statement = Let | Start | Update | Store | Product | Loop

MONOIDS = {
    "sum": 1,
    "prod": 1,
    "amax": 1,
    "amin": 1,
    "softmax": 2,  # (m, s): the greatest x so far, and Σ exp(x − m); an element is (x, 1)
    "moments": 3,  # (n, mean, M2), M2 = Σ (x − mean)²; an element is (1, x, 0)
}
"""Name: how many accumulators. Each is associative and commutative with a neutral element (softmax: (−inf, 0))."""


@dataclass(frozen=True)
class Kernel:
    """One pass over memory. Its parameters are `buffers` other than locals, in this order."""

    name: str
    buffers: tuple[Buffer, ...]
    body: tuple[Statement, ...]
    says: str = ""
    """In words, what it does: the nodes it joined."""


@dataclass(frozen=True)
class Program:
    buffers: tuple[Buffer, ...]
    """All but locals; an input that is a parameter keeps the graph's name."""
    kernels: tuple[Kernel, ...]
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Of inputs and outputs, row-major."""


def statements(body: tuple[Statement, ...]) -> Iterator[Statement]:
    """Every statement below, loops before what is in them."""
    for each in body:
        yield each
        if isinstance(each, Loop):
            yield from statements(each.body)


def loads(value: Expr) -> Iterator[Load]:
    match value:
        case Load():
            yield value
        case Apply(_, args):
            for each in args:
                yield from loads(each)

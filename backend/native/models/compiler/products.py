"""Matrix products: by the packed kernel of wasm/kernels/matmul.c for f32, bf16 and i8, as loops for the others.

The right side is copied once into the order in which it is read: by all threads before anything else if it stays
the same for the whole kernel, else as soon as it is known which matrix it is.
"""

from __future__ import annotations

from typing import Protocol

from labs.models.fusing.loops import (
    Apply,
    Area,
    Buffer,
    Expr,
    Index,
    Load,
    Loop,
    Product,
    Ref,
    Start,
    Statement,
    Store,
    Update,
    statements,
)

from native.models.compiler.bounds import UnprovenError
from native.models.compiler.product_kernel import KINDS, left_room, right_room, sums_room
from native.models.compiler.writer import Writer

FEW = 8
"""Rows for which copying the right side is not worth it."""
TYPES = {("f32", "f32"), ("bf16", "f32"), ("bf16", "bf16"), ("i8", "i32")}
"""Of both sides and the result, where the packed kernel does it."""
SIGNATURES = {
    "pack_right": "declare void @pack_right(i64, i64, i32, ptr, i64, i64, ptr, i64, i64)",
    "multiply_rows": "declare void @multiply_rows(i64, i64, i64, i32, ptr, i64, i64, ptr, i32, ptr, i64, ptr, ptr)",
}


class Around(Protocol):
    """Who writes the loops around a product."""

    w: Writer
    buffers: dict[str, Buffer]
    bounds: dict[str, str | int]
    packed: set[str]
    """Right sides that vary with a loop, and are packed for the turn that it is in."""

    def address(self, buffer: str, index: Index) -> str: ...
    def statement(self, it: Statement) -> None: ...


def rooms(it: Product, dtypes: tuple[str, str]) -> tuple[list[Buffer], Buffer, bool]:
    """For blocks of its left side and its result, for all of its right side, and whether that stays the same in all
    loops."""
    same = not it.right.start.strides
    right = Buffer(named(it), "f32", right_room(it.columns, it.depth), "temporary" if same else "local")
    sizes = zip(blocks(it, dtypes), (left_room(dtypes[0]), sums_room(it.columns)), strict=False)
    return [Buffer(name, "f32", size, "local") for name, size in sizes], right, same


def blocks(it: Product, dtypes: tuple[str, str]) -> list[str]:
    """What their rooms are called: a result of floats is its own."""
    return [f".left.{dtypes[0]}", *([f".sums{it.columns}"] if dtypes[1] != "f32" else [])]


def types(it: Product, buffers: dict[str, Buffer]) -> tuple[str, str]:
    """Of the sides, which have the same, and of the result."""
    return buffers[it.left.buffer].dtype, buffers[it.out.buffer].dtype


def named(it: Product) -> str:
    """The room for its right side. Two products of one node, such as whole blocks of keys and the last keys,
    multiply by matrices of different sizes in different places."""
    start = "".join(f"+{step}{name}" for name, step in it.right.start.strides) + f"+{it.right.start.offset}"
    return f".right{it.node}.{it.right.buffer}{start}.{it.depth}x{it.columns}"


def found(body: tuple[Statement, ...], buffers: dict[str, Buffer]) -> list[Product]:
    """Products that the packed kernel does."""
    products = [each for each in statements(body) if isinstance(each, Product)]
    return [each for each in products if packable(each, buffers)]


def packable(it: Product, buffers: dict[str, Buffer]) -> bool:
    alike = buffers[it.left.buffer].dtype == buffers[it.right.buffer].dtype
    return alike and types(it, buffers) in TYPES and it.out.along == 1 and it.rows > FEW


def pack(maker: Around, it: Product, low: str | int, high: str | int) -> None:
    """Strips of the right side."""
    w = maker.w
    w.node = it.node
    w.declared.add(SIGNATURES["pack_right"])
    right = maker.address(it.right.buffer, it.right.start)
    kind = KINDS[maker.buffers[it.right.buffer].dtype]
    sides = f"i64 {it.depth}, i64 {it.columns}, i32 {kind}"
    w.say(
        f"call void @pack_right({sides}, ptr {right}, i64 {it.right.down}, i64 {it.right.along}, "
        f'ptr %"{named(it)}", i64 {low}, i64 {high})'
    )


def product(maker: Around, it: Product, rows: str | int) -> None:
    if not packable(it, maker.buffers):
        maker.statement(loops(it, rows, maker))
        return
    if maker.buffers[named(it)].role == "local" and named(it) not in maker.packed:
        raise UnprovenError(f"{named(it)} is read before anything is packed there")
    w = maker.w
    w.declared.add(SIGNATURES["multiply_rows"])
    left, out = maker.address(it.left.buffer, it.left.start), maker.address(it.out.buffer, it.out.start)
    dtypes = types(it, maker.buffers)
    side, result = (KINDS[each] for each in dtypes)
    block, sums, *_ = [*(f'%"{name}"' for name in blocks(it, dtypes)), "null"]
    w.say(
        f"call void @multiply_rows(i64 {rows}, i64 {it.columns}, i64 {it.depth}, i32 {side}, ptr {left}, "
        f'i64 {it.left.down}, i64 {it.left.along}, ptr %"{named(it)}", i32 {result}, ptr {out}, i64 {it.out.down}, '
        f"ptr {block}, ptr {sums})"
    )


def loops(it: Product, rows: str | int, maker: Around) -> Loop:
    """Row by row, a vector of columns at a time."""
    kind = {"f64": "f64", "f32": "f32", "bf16": "f32", "i64": "i64"}.get(maker.buffers[it.left.buffer].dtype, "i32")

    def place(area: Area, down: str, along: str) -> Index:
        return Index((*area.start.strides, (down, area.down), (along, area.along)), area.start.offset)

    def element(area: Area, down: str, along: str) -> Expr:
        return Load(area.buffer, place(area, down, along), maker.buffers[area.buffer].dtype)

    i, j, k, total = (f".{name}{it.node}" for name in ("i", "j", "k", "sum"))
    times = Apply("mul", (element(it.left, i, k), element(it.right, k, j)), kind)
    body: tuple[Statement, ...] = (
        Start((total,), "sum", kind, it.node),
        Loop(k, it.depth, (Update((total,), "sum", (times,), it.node),)),
        Store(it.out.buffer, place(it.out, i, j), Ref(total, kind), it.node),
    )
    maker.bounds[i] = rows
    return Loop(i, it.rows, (Loop(j, it.columns, body, kind="vector"),))

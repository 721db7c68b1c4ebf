"""The places a group's loops go to: the axes that stay are outside, those that are reduced inside.

A product's rows are cut into blocks, and a block of it is computed before anything else is done with its rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from labs.models.fusing.affine import ZERO, Place, Shape, plus, times, variable
from labs.models.fusing.graph import REDUCE, Node
from labs.models.fusing.loops import Area, Buffer, Index, Load, Product, Role, Statement
from labs.models.fusing.plan import Group, Plan


class RefusedError(Exception):
    """These nodes cannot be one kernel, and why."""


@dataclass(frozen=True)
class Level:
    variable: str
    extent: int
    outer: str = ""
    limit: int = 0


def wide(dtype: str) -> str:
    """The type in which it is computed with."""
    return {"bf16": "f32", "i8": "i32"}.get(dtype, dtype)


@dataclass
class Space:
    plan: Plan
    group: Group
    block: int
    stored: list[Node]
    outer: list[Level] = field(default_factory=list)
    inner: list[Level] = field(default_factory=list)
    shape: Shape = ()
    rows: Shape = ()
    """The shape once the reductions are done."""
    place: Place = ()
    row: Place = ()
    """Place of an element and of what its row is reduced to."""
    product: Load | None = None
    """The product's element here."""
    first: dict[int, Statement] = field(default_factory=dict)
    """What comes before anything else, by the number of loops around it."""
    locals: tuple[Buffer, ...] = ()

    def __post_init__(self) -> None:
        reductions = [node for node in self.group if node.op in REDUCE]
        products = [node for node in self.group if node.op == "matmul"]
        pads = [node for node in self.group if node.op == "pad"]
        if len(products) > 1 or (pads and len(self.group) > 1):
            raise RefusedError("each of them goes through memory in its own order")
        over: set[int] = set()
        if reductions:
            over, self.shape = set(reductions[0].arg), reductions[0].inputs[0].shape
            if any((set(each.arg), each.inputs[0].shape) != (over, self.shape) for each in reductions):
                raise RefusedError("their reductions go along different axes")
            if products and (self.shape != products[0].shape or over != {len(self.shape) - 1}):
                raise RefusedError("the reduction does not go along the rows that the product makes")
        elif products or pads:
            self.shape = products[0].shape if products else pads[0].inputs[0].shape
        else:
            self.shape = max(self.stored, key=lambda node: math.prod(node.shape)).shape
        place: list[Index] = []
        for axis, length in enumerate(self.shape):
            name = self.plan.fresh(f"i{axis}")
            if products and axis == len(self.shape) - 2:
                place.append(self.blocks(products[0], name, tuple(place)))
            elif length == 1:
                place.append(ZERO)
            else:
                place.append(variable(name))
                (self.inner if axis in over else self.outer).append(Level(name, length))
        self.place = tuple(place)
        self.row = tuple(ZERO if axis in over else each for axis, each in enumerate(self.place))
        self.rows = tuple(1 if axis in over else length for axis, length in enumerate(self.shape))
        if products:
            self.lay(products[0])

    def blocks(self, node: Node, name: str, batch: Place) -> Index:
        height = node.shape[-2]
        self.high = block = min(self.block, height)
        self.corner: Place = (*batch, ZERO, ZERO)
        self.at, self.down = len(self.outer), ZERO
        if height == 1:
            return ZERO
        outer = self.plan.fresh(f"{name}o")
        corner, self.down = variable(outer, block), variable(name)
        self.corner, self.at = (*batch, corner, ZERO), self.at + 1
        self.outer.append(Level(outer, -(-height // block), limit=height))
        self.outer.append(Level(name, block, outer, height))
        return plus(corner, self.down)

    def lay(self, node: Node) -> None:
        """Where a block of the product lies: in an output that is as large as it, or in a buffer of its own."""
        columns = node.shape[-1]
        top = next((each for each in self.stored if self.fits(each, node)), None)
        if top:
            view = self.plan.lies(top)
            out, here = Area(view.buffer, view.at(self.corner), columns, 1), view.at(self.place)
        else:
            name = self.plan.fresh(f"l{self.plan.number[node]}")
            alone = all(level.extent == 1 for level in self.outer[: self.at])
            role: Role = "temporary" if alone else "local"
            buffer = Buffer(name, wide(node.dtype), self.high * columns, role)
            self.locals = (buffer,)
            out, here = Area(buffer.name, ZERO, columns, 1), plus(times(self.down, columns), self.place[-1])
        self.product = Load(out.buffer, here, top.dtype if top else wide(node.dtype))
        sides = []
        for each, corner in zip(node.inputs, (self.corner, (*self.corner[:-2], ZERO, ZERO)), strict=True):
            view_ = self.plan.views[each]
            if view_ is None or self.plan.base(each) in self.group:
                raise RefusedError("a product needs its factors in memory")
            sides.append(Area(view_.buffer, view_.at(corner), *view_.strides[-2:]))
        left, right = sides
        number, depth = self.plan.number[node], node.inputs[0].shape[-1]
        self.first = {self.at: Product(out, left, right, self.high, columns, depth, number)}

    def fits(self, out: Node, product: Node) -> bool:
        """Whether the product may be made where this output will lie: each place is read before it is written."""
        if product in self.stored:
            return out is product
        whole = out.shape == product.shape and out.dtype == wide(product.dtype)
        return whole and self.needs(out, product) and not any(node.op in REDUCE for node in self.group)

    def needs(self, node: Node, other: Node) -> bool:
        seen, ahead = {node}, [node]
        while ahead:
            below = {self.plan.base(each) for each in ahead.pop().inputs} & set(self.group) - seen
            seen |= below
            ahead += below
        return other in seen

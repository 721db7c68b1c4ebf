"""The bytes that a variable outside of functions begins with, computed before the program runs."""

from __future__ import annotations

import math
import struct

from labs.models.c import tree, types
from labs.models.c.braces import refuse, spread, text_for
from labs.models.c.code import Global, Unit
from labs.models.c.expressions import NotConstantError, evaluate

FORMS = {types.FLOAT: "<f", types.DOUBLE: "<d"}


class Image:
    def __init__(self, unit: Unit, kind: types.Type) -> None:
        self.unit, self.data, self.pointers = unit, bytearray(kind.size), dict[int, tuple[str, int]]()

    def fill(self, initial: tree.Initial, kind: types.Type, at: int) -> None:
        """Write an initialiser at a place, over what an earlier one wrote there. Raises ``CError``."""
        self.data[at : at + kind.size] = bytes(kind.size)
        for place in range(at, at + kind.size, types.Pointer.align):
            self.pointers.pop(place, None)
        if isinstance(initial, tree.Braces):
            self.fill_braces(initial, kind, at)
        elif isinstance(initial, tree.Text) and isinstance(kind, types.Array):
            self.data[at : at + len(initial.data)] = text_for(initial, kind)
        elif isinstance(kind, types.Integer):
            self.data[at : at + kind.size] = (self.whole(initial, kind) % (1 << 8 * kind.size)).to_bytes(
                kind.size, "little"
            )
        elif isinstance(kind, types.Floating):
            self.data[at : at + kind.size] = struct.pack(FORMS[kind], self.number(initial))
        elif isinstance(kind, types.Pointer):
            self.fill_pointer(initial, at)
        else:
            refuse(initial, f"{kind} needs its items in braces")

    def fill_braces(self, braces: tree.Braces, kind: types.Type, at: int) -> None:
        for item, inner, offset in spread(braces, kind):
            self.fill(item, inner, at + offset)

    def fill_pointer(self, initial: tree.Expression, at: int) -> None:
        name, added = self.address(initial)
        if name:
            self.pointers[at] = name, added
        else:
            self.data[at : at + 8] = (added % (1 << 64)).to_bytes(8, "little")

    def address(self, node: tree.Expression) -> tuple[str, int]:
        """Whose address, and how many bytes behind it; without a name a plain number."""
        match node:
            case tree.Text(data=data):
                return self.unit.string(data), 0
            case tree.Name(name=name) if name in self.unit.globals and isinstance(
                self.unit.globals[name].type, types.Array
            ):
                return name, 0
            case tree.Name(name=name) | tree.Unary(op="&", operand=tree.Name(name=name)) if self.is_function(name):
                return name, 0
            case tree.Unary(op="&", operand=operand):
                name, offset, _ = self.place(operand)
                return name, offset
            case tree.Cast(operand=operand):
                return self.address(operand)
            case tree.Binary(op="+" | "-" as op, left=left, right=right):
                name, offset = self.address(left)
                if name:
                    items = evaluate(right) * self.item(left)
                    return name, offset + (items if op == "+" else -items)
        return "", self.whole(node, types.LONG)

    def is_function(self, name: str) -> bool:
        return name not in self.unit.globals and name in self.unit.functions

    def item(self, node: tree.Expression) -> int:
        if isinstance(node, tree.Unary) and node.op == "&":
            return self.place(node.operand)[2].size
        if isinstance(node, tree.Name) and isinstance(array := self.unit.globals[node.name].type, types.Array):
            return array.of.size
        return 1

    def place(self, node: tree.Expression) -> tuple[str, int, types.Type]:
        match node:
            case tree.Name(name=name) if name in self.unit.globals:
                return name, 0, self.unit.globals[name].type
            case tree.Index(base=base, index=index):
                name, offset, kind = self.place(base)
                if isinstance(kind, types.Array):
                    return name, offset + evaluate(index) * kind.of.size, kind.of
            case tree.Access(base=base, member=member, arrow=False):
                name, offset, kind = self.place(base)
                if isinstance(kind, types.Struct) and (found := kind.member(member)):
                    return name, offset + found.offset, found.type
        return refuse(node, "the address of this is not known before the program runs")

    def whole(self, node: tree.Expression, kind: types.Integer) -> int:
        try:
            return kind.wrap(evaluate(node))
        except NotConstantError:
            value = self.number(node)
            if kind == types.BOOL:
                return int(value != 0)
            if not math.isfinite(value) or not kind.low <= math.trunc(value) <= kind.high:
                refuse(node, f"{value:g} does not fit into {kind}")
            return kind.wrap(math.trunc(value))

    def number(self, node: tree.Expression) -> float:
        match node:
            case tree.Constant(value=value):
                return value
            case tree.Unary(op="-" | "+" as op, operand=operand):
                return self.number(operand) * (-1 if op == "-" else 1)
            case tree.Binary(op="+" | "-" | "*" | "/" as op, left=left, right=right):
                try:
                    return evaluate(node)
                except NotConstantError:
                    one, other = self.number(left), self.number(right)
                    if op == "/" and other == 0:
                        refuse(node, "this divides by zero")
                    return {"+": one + other, "-": one - other, "*": one * other, "/": one / (other or 1)}[op]
        try:
            return evaluate(node)
        except NotConstantError:
            refuse(
                node, "outside of functions a variable begins with a value that is known before the program runs"
            )


def place_global(unit: Unit, variable: tree.Variable, name: str) -> Global:
    """Make a variable that lives as long as the program."""
    image = Image(unit, variable.type)
    # It exists before its initialiser is read, which may name it.
    unit.globals[name] = Global(name, variable.type, b"", (), False, variable.constant, variable.place)
    if variable.initial is not None:
        image.fill(variable.initial, variable.type, 0)
    made = Global(
        name, variable.type, bytes(image.data), tuple((at, *to) for at, to in image.pointers.items()),
        variable.initial is not None, variable.constant, variable.place,
    )  # fmt: skip
    unit.globals[name] = made
    return made

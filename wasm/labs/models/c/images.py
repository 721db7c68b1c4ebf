"""The bytes that a variable outside of functions begins with, computed before the program runs."""

from __future__ import annotations

import math
import struct
from typing import NoReturn

from labs.models.c import tree, types
from labs.models.c.code import Global, Unit
from labs.models.c.expressions import NotConstantError, evaluate
from labs.models.c.trouble import CError

Pointers = list[tuple[int, str, int]]
FORMS = {types.FLOAT: "<f", types.DOUBLE: "<d"}


class Image:
    def __init__(self, unit: Unit, kind: types.Type) -> None:
        self.unit, self.data, self.pointers = unit, bytearray(kind.size), Pointers()

    def fill(self, initial: tree.Initial, kind: types.Type, at: int) -> None:
        """Write an initialiser at a place. Raises ``CError``."""
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
            self.pointers.append((at, name, added))
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


def spread(braces: tree.Braces, kind: types.Type) -> list[tuple[tree.Initial, types.Type, int]]:
    """What of a braced list goes where: item, its type, bytes from the start. Raises ``CError`` on one too many."""
    items, found = list(braces.items), list[tuple[tree.Initial, types.Type, int]]()
    if isinstance(kind, types.Array) and len(items) == 1 and isinstance(items[0], tree.Text) and kind.of.size == 1:
        return [(items[0], kind, 0)]

    def give(kind: types.Type, at: int) -> None:
        """The next items to the places of a type; braces around those of an inner one may be left out."""
        for inner, offset in places(kind):
            if not items:
                return
            if stands_for(items[0], inner):
                found.append((items.pop(0), inner, at + offset))
            else:
                give(inner, at + offset)

    give(kind, 0)
    if items:
        refuse(items[0], f"there are {len(found)} places for {len(braces.items)} items")
    return found


def places(kind: types.Type) -> list[tuple[types.Type, int]]:
    """The types that a type consists of, and how many bytes from its start each lies."""
    if isinstance(kind, types.Array):
        return [(kind.of, n * kind.of.size) for n in range(kind.length)]
    if isinstance(kind, types.Struct):
        return [(each.type, each.offset) for each in kind.members]
    return [(kind, 0)]


def stands_for(item: tree.Initial, kind: types.Type) -> bool:
    """Whether an item gives the whole of a type its value, and not the first of its parts."""
    if isinstance(item, tree.Braces) or not isinstance(kind, types.Array | types.Struct):
        return True
    if isinstance(kind, types.Array):
        return isinstance(item, tree.Text) and kind.of.size == 1
    return not isinstance(item, tree.Constant | tree.Text)  # a struct of that type


def text_for(text: tree.Text, kind: types.Array) -> bytes:
    if kind.of.size != 1:
        refuse(text, f"a string is made of char, not of {kind.of}")
    if len(text.data) > kind.length:
        refuse(
            text, f"this string has {len(text.data)} characters and a final zero; there is room for {kind.length}"
        )
    return text.data


def place_global(unit: Unit, variable: tree.Variable, name: str) -> Global:
    """Make a variable that lives as long as the program."""
    image = Image(unit, variable.type)
    # It exists before its initialiser is read, which may name it.
    unit.globals[name] = Global(name, variable.type, b"", (), False, variable.constant, variable.place)
    if variable.initial is not None:
        image.fill(variable.initial, variable.type, 0)
    made = Global(
        name, variable.type, bytes(image.data), tuple(image.pointers), variable.initial is not None,
        variable.constant, variable.place,
    )  # fmt: skip
    unit.globals[name] = made
    return made


def refuse(node: tree.Node, message: str) -> NoReturn:
    raise CError(message, node.place)

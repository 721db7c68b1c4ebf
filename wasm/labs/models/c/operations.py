"""What C does with two values: the conversions that nobody asked for, arithmetic with numbers and with pointers."""

from __future__ import annotations

from labs.models.c import tree, types
from labs.models.c.code import Constant, Operand
from labs.models.c.emit import Emitter
from labs.models.c.types import a

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


class Operations(Emitter):
    """Lowers operators, once their operands are lowered."""

    def operate(self, node: tree.Node, op: str, left: Operand, right: Operand) -> Operand:
        pointers = [isinstance(each.type, types.Pointer) for each in (left, right)]
        if any(pointers) and op in ("+", "-", *COMPARISONS):
            return (
                self.compare_pointers(node, op, left, right)
                if op in COMPARISONS
                else self.move(node, op, left, right)
            )
        if not (types.is_number(left.type) and types.is_number(right.type)):
            wrong = right if types.is_number(left.type) else left
            self.fail(node, f"{op} needs numbers, and one side is {a(wrong.type)}")
        whole = op in ("%", "&", "|", "^", "<<", ">>")
        if whole and isinstance(types.common(left.type, right.type), types.Floating):
            self.fail(node, f"{op} needs whole numbers; convert with a cast first")
        if op in ("<<", ">>"):
            left = self.convert(node, left, types.promote(left.type))
            right = self.convert(node, right, types.promote(right.type))
            return self.put(node, op, left.type, left, right, kind=left.type)  # type: ignore[arg-type]
        both = types.common(left.type, right.type)
        left, right = self.convert(node, left, both), self.convert(node, right, both)
        result = types.INT if op in COMPARISONS else both
        return self.put(node, op, result, left, right, kind=both)  # type: ignore[arg-type]

    def move(self, node: tree.Node, op: str, left: Operand, right: Operand, length: int = 0) -> Operand:
        """Arithmetic with a pointer, which counts in items; of an array with so many, if that is known."""
        if isinstance(right.type, types.Pointer) and not isinstance(left.type, types.Pointer) and op == "+":
            left, right = right, left
        if not isinstance(left.type, types.Pointer):
            self.fail(node, f"{op} needs a pointer or numbers; one side is {a(left.type)}")
        to = left.type.to
        if isinstance(to, types.Void | types.Function):
            self.fail(node, f"a pointer to {to} does not say how large an item is; cast it first")
        self.need_complete(node, to)
        if isinstance(right.type, types.Pointer):
            if op == "+" or right.type != left.type:
                self.fail(node, f"{op} does not join {a(left.type)} and {a(right.type)}")
            return self.put(node, "distance", types.LONG, left, right, size=to.size)
        if not isinstance(right.type, types.Integer):
            self.fail(node, f"a pointer moves by a whole number of items, not by {a(right.type)}")
        right = self.convert(node, right, types.LONG if right.type.signed else types.UNSIGNED_LONG)
        if op == "-":
            zero = Constant(0, types.LONG)
            right = self.put(node, "-", types.LONG, zero, self.convert(node, right, types.LONG), kind=types.LONG)
        return self.put(node, "offset", left.type, left, right, size=to.size, length=length)

    def compare_pointers(self, node: tree.Node, op: str, left: Operand, right: Operand) -> Operand:
        for one, other in ((left, right), (right, left)):
            if isinstance(one.type, types.Pointer) and not isinstance(other.type, types.Pointer):
                if not is_null(other):
                    self.fail(node, f"{op} does not join {a(left.type)} and {a(right.type)}")
                null = Constant(0, one.type)
                return self.operate(node, op, *((left, null) if one is left else (null, right)))
        if left.type != right.type and types.Pointer(types.VOID) not in (left.type, right.type):
            self.fail(node, f"{op} compares pointers to the same type; these are {left.type} and {right.type}")
        return self.put(node, op, types.INT, left, right, kind=left.type)  # type: ignore[arg-type]

    def converted(self, node: tree.Node, found: Operand, to: types.Type) -> Operand:
        """As if by assignment: numbers freely, pointers only where they fit."""
        if found.type == to or (types.is_number(found.type) and types.is_number(to)):
            return self.convert(node, found, to)
        if isinstance(to, types.Pointer):
            from_any = types.Pointer(types.VOID) in (found.type, to) and isinstance(found.type, types.Pointer)
            if from_any or is_null(found):
                return self.convert(node, found, to)
        if to == types.BOOL and isinstance(found.type, types.Pointer):
            return self.convert(node, found, to)
        hint = "; cast it if you mean that" if types.is_scalar(found.type) and types.is_scalar(to) else ""
        return self.fail(node, f"{a(found.type)} does not become {a(to)} by itself{hint}")

    def convert(self, node: tree.Node, found: Operand, to: types.Type) -> Operand:
        if found.type == to:
            return found
        if isinstance(found.type, types.Void):
            self.fail(node, "this gives no value")
        if isinstance(found, Constant) and isinstance(found.value, int) and isinstance(to, types.Integer):
            return Constant(to.wrap(found.value), to)
        if isinstance(found.type, types.Pointer) and isinstance(to, types.Pointer):
            return self.typed(found, to)
        return self.put(node, "convert", to, found, kind=found.type)


def is_null(found: Operand) -> bool:
    return (
        isinstance(found, Constant) and found.value == 0 and isinstance(found.type, types.Integer | types.Pointer)
    )

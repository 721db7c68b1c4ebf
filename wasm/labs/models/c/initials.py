"""What gives a variable of a function its first value, as three-address code."""

from __future__ import annotations

from labs.models.c import tree, types
from labs.models.c.braces import covered, spread, text_for
from labs.models.c.code import Address, Constant, Instruction, Operand
from labs.models.c.values import Values


class Initials(Values):
    def fill(self, initial: tree.Initial, kind: types.Type, address: Operand) -> None:
        """Give a new variable its first value; items that are not written are zero."""
        if isinstance(initial, tree.Braces) and isinstance(kind, types.Array | types.Struct):
            items = spread(initial, kind)
            if covered(items) < kind.size or any(isinstance(item, tree.Text) for item, *_ in items):
                self.clear(initial, address, kind)
            for item, inner, offset in items:
                self.fill(item, inner, self.shifted(item, address, offset, inner))
        elif isinstance(initial, tree.Text) and isinstance(kind, types.Array):
            length = min(len(text_for(initial, kind)) + 1, kind.length)
            if length < kind.length:
                self.clear(initial, address, kind)
            source = Address(self.string(initial.data), local=False, type=types.Pointer(types.CHAR))
            self.emit(initial, "copy", kind, address, source, size=length)
        elif isinstance(initial, tree.Braces):
            if not initial.items:
                self.fail(initial, "there is no value between the braces")
            for item, inner, _ in spread(initial, kind):
                self.fill(item, inner, address)
        elif isinstance(kind, types.Array):
            self.fail(initial, f"{kind} needs its items in braces")
        elif isinstance(kind, types.Struct):
            value = self.value(initial)
            if value.type != kind:
                self.fail(initial, f"{kind} needs its members in braces, or another {kind}")
            self.emit(initial, "copy", kind, address, value, size=kind.size)
        else:
            self.emit(initial, "store", kind, address, self.converted(initial, self.value(initial), kind))

    def shifted(self, node: tree.Node, address: Operand, offset: int, kind: types.Type) -> Operand:
        if not offset:
            return self.typed(address, types.Pointer(kind))
        return self.put(node, "offset", types.Pointer(kind), address, Constant(offset, types.LONG), size=1)

    def clear(self, node: tree.Node, address: Operand, kind: types.Type) -> None:
        where = self.typed(address, types.Pointer(types.VOID))
        arguments = (where, Constant(0, types.INT), Constant(kind.size, types.UNSIGNED_LONG))
        returned = self.temporary(where.type)
        self.append(Instruction("call", node.place, node.span, where.type, returned, arguments, "memset"))

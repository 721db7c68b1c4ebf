"""Expressions to three-address code, with the conversions that C makes without being asked."""

from __future__ import annotations

from labs.models.c import tree, types
from labs.models.c.calls import Calls
from labs.models.c.code import Address, Constant, Op, Operand
from labs.models.c.emit import Found
from labs.models.c.trouble import CError
from labs.models.c.types import a


class Values(Calls):
    """Lowers the expressions of one function. A place is an address and the type of what lies there."""

    def value(self, node: tree.Expression) -> Operand:
        """Code that computes the value; an array's is the address of its first item."""
        match node:
            case tree.Constant():
                return Constant(node.value, node.type)
            case tree.Text():
                name = self.string(node.data)
                return Address(name, local=False, type=types.Pointer(types.CHAR))
            case tree.Name() | tree.Unary(op="&", operand=tree.Name()) if found := self.function_address(node):
                return found
            case tree.Name() | tree.Index() | tree.Access() | tree.Compound():
                return self.read(node, *self.lvalue(node))
            case tree.Unary(op="*", operand=operand):
                pointer = self.value(operand)
                if types.points_to_function(pointer.type):
                    return pointer
                return self.read(node, *self.pointed(node, pointer, "*"))
            case tree.Unary(op="&", operand=operand):
                address, kind = self.item(operand, 1) if isinstance(operand, tree.Index) else self.lvalue(operand)
                return self.typed(address, types.Pointer(kind))
            case tree.Unary(op="!") | tree.Binary(op="&&" | "||"):
                return self.truth(node)
            case tree.Unary():
                return self.unary(node)
            case tree.Step():
                return self.step(node)
            case tree.Binary(op=","):
                self.value(node.left)
                return self.value(node.right)
            case tree.Binary():
                return self.operate(node, node.op, self.value(node.left), self.value(node.right))
            case tree.Assign():
                return self.assign(node)
            case tree.Choice():
                return self.choose(node)
            case tree.Cast():
                return self.cast(node)
            case tree.SizeOf(of=of):
                return Constant(self.size_of(node, of), types.UNSIGNED_LONG)
            case tree.Call():
                return self.call(node)
        raise AssertionError(node)

    def lvalue(self, node: tree.Expression) -> Found:
        """Where something lies that can be read, or have its address taken."""
        match node:
            case tree.Name():
                return self.find(node)
            case tree.Unary(op="*", operand=operand):
                return self.pointed(node, self.value(operand), "*")
            case tree.Index():
                return self.item(node)
            case tree.Access():
                return self.member(node)
            case tree.Text():
                address = self.value(node)
                return address, types.Array(types.CHAR, len(node.data) + 1)
            case tree.Compound(type=kind):
                address = self.unnamed(node, kind)
                self.fill(node.initial, kind, address)
                return address, kind
            case tree.Call() | tree.Assign():  # a struct that a call returns, or that was just assigned
                value = self.value(node)
                if isinstance(value.type, types.Struct):
                    return self.typed(value, types.Pointer(value.type)), value.type
        raise NoPlaceError(
            "this has no place in memory: it has no address, and nothing can be assigned to it", node.place
        )

    def item(self, node: tree.Index, beyond: int = 0) -> Found:
        """The place of an item; of what is behind the last one, the address may be taken."""
        (base, length), (index, other) = self.sized(node.base), self.sized(node.index)
        if isinstance(index.type, types.Pointer):  # 3[a] is a[3]
            base, index, length = index, base, other
        return self.pointed(node, self.move(node, "+", base, index, length + beyond if length else 0), "[ ]")

    def sized(self, node: tree.Expression) -> tuple[Operand, int]:
        """A value; for an array, how many items it has, if that is known."""
        if not isinstance(node, tree.Name | tree.Index | tree.Access):
            return self.value(node), 0
        address, kind = self.lvalue(node)
        return self.read(node, address, kind), max(kind.length, 0) if isinstance(kind, types.Array) else 0

    def pointed(self, node: tree.Node, pointer: Operand, how: str) -> Found:
        if not isinstance(pointer.type, types.Pointer):
            self.fail(node, f"{how} needs a pointer, and this is {a(pointer.type)}")
        to = pointer.type.to
        if isinstance(to, types.Void):
            self.fail(node, "a void * does not say what it points to; cast it first")
        if isinstance(to, types.Function):
            self.fail(node, f"{how} needs a pointer to a variable, and this points to a function; call it with ( )")
        self.need_complete(node, to)
        return pointer, to

    def member(self, node: tree.Access) -> Found:
        if node.arrow:
            base, kind = self.pointed(node, self.value(node.base), "->")
        else:
            base, kind = self.lvalue(node.base)
            if isinstance(kind, types.Pointer):
                self.fail(node, f"this is a pointer; write ->{node.member}")
        if not isinstance(kind, types.Struct):
            self.fail(node, f"{a(kind)} has no members")
        found = kind.member(node.member)
        if not found:
            names = ", ".join(each.name for each in kind.members)
            self.fail(node, f"{kind} has no member {node.member}; it has {names}")
        if found.offset == 0:
            return self.typed(base, types.Pointer(found.type)), found.type
        offset = Constant(found.offset, types.LONG)
        result = self.put(node, "offset", types.Pointer(found.type), base, offset, size=1)
        return result, found.type

    def read(self, node: tree.Node, address: Operand, kind: types.Type) -> Operand:
        """What lies at a place. An array is not read, nor is a struct: their address stands for them."""
        if isinstance(kind, types.Array):
            return self.typed(address, types.Pointer(kind.of))
        if isinstance(kind, types.Struct):
            return self.typed(address, kind)
        return self.put(node, "load", kind, address, kind=kind)

    def unary(self, node: tree.Unary) -> Operand:
        operand = self.value(node.operand)
        if not types.is_number(operand.type) or (node.op == "~" and isinstance(operand.type, types.Floating)):
            self.fail(node, f"{node.op} needs a {'whole ' * (node.op == '~')}number, and this is {a(operand.type)}")
        operand = self.convert(node, operand, types.promote(operand.type))
        if node.op == "+":
            return operand
        op: Op = "negate" if node.op == "-" else "invert"
        return self.put(node, op, operand.type, operand, kind=operand.type)

    def truth(self, node: tree.Expression) -> Operand:
        """0 or 1 for what decides something. A place in the frame holds it where the two ways meet."""
        if isinstance(node, tree.Unary):
            operand = self.condition_value(node.operand)
            zero = Constant(0, operand.type)
            return self.put(node, "==", types.INT, operand, zero, kind=operand.type)
        return self.meet(node, types.INT, Constant(1, types.INT), Constant(0, types.INT), node)

    def meet(
        self, node: tree.Node, kind: types.Type, yes: Operand | tree.Expression, no: Operand | tree.Expression,
        condition: tree.Expression,
    ) -> Operand:  # fmt: skip
        """The value of the way that was taken, through a variable that the program does not name."""
        slot = self.slot("", kind, node.place)
        address = Address(slot.key, local=True, type=types.Pointer(kind))
        labels = self.new_label(), self.new_label(), self.new_label()
        self.emit(node, "live", name=slot.key)
        self.condition(condition, *labels[:2])
        for label, way in zip(labels, (yes, no), strict=False):
            self.mark(node, label)
            found = self.value(way) if isinstance(way, tree.Node) else way
            if not isinstance(kind, types.Void):
                self.emit(node, "store", kind, address, self.convert(node, found, kind))
            self.emit(node, "jump", label=labels[2])
        self.mark(node, labels[2])
        if isinstance(kind, types.Void):
            return Constant(0, types.VOID)
        result = self.put(node, "load", kind, address, kind=kind)
        self.emit(node, "dead", name=slot.key)
        return result

    def condition(self, node: tree.Expression, yes: int, no: int) -> None:
        """Go to one of two labels; what does not matter any more is not computed."""
        match node:
            case tree.Unary(op="!", operand=operand):
                self.condition(operand, no, yes)
            case tree.Binary(op="&&" | "||" as op, left=left, right=right):
                second = self.new_label()
                self.condition(left, *((second, no) if op == "&&" else (yes, second)))
                self.mark(right, second)
                self.condition(right, yes, no)
            case _:
                self.emit(node, "branch", types.INT, self.condition_value(node), label=yes, other=no)

    def condition_value(self, node: tree.Expression) -> Operand:
        found = self.value(node)
        if not types.is_scalar(found.type):
            self.fail(node, f"a condition is a number or a pointer, not {a(found.type)}")
        return found

    def choose(self, node: tree.Choice) -> Operand:
        yes, no = self.type_of(node.yes), self.type_of(node.no)
        if types.is_number(yes) and types.is_number(no):
            kind = types.common(yes, no)
        elif (yes == no and not isinstance(yes, types.Struct)) or (
            isinstance(yes, types.Pointer) and (is_zero(node.no) or no == types.Pointer(types.VOID))
        ):
            kind = yes
        elif isinstance(no, types.Pointer) and (is_zero(node.yes) or yes == types.Pointer(types.VOID)):
            kind = no
        else:
            self.fail(node, f"the two values of ?: are {a(yes)} and {a(no)}")
        return self.meet(node, kind, node.yes, node.no, node.condition)

    def step(self, node: tree.Step) -> Operand:
        address, kind = self.target(node, node.operand)
        if not types.is_scalar(kind):
            self.fail(node, f"{node.op} needs a number or a pointer, and this is {a(kind)}")
        before = self.read(node, address, kind)
        after = self.convert(node, self.operate(node, node.op[0], before, Constant(1, types.INT)), kind)
        self.emit(node, "store", kind, address, after)
        return after if node.before else before

    def assign(self, node: tree.Assign) -> Operand:
        address, kind = self.target(node, node.target)
        if isinstance(kind, types.Struct):
            if node.op != "=":
                self.fail(node, f"{node.op}= needs numbers, and this is {a(kind)}")
            value = self.value(node.value)
            if value.type != kind:
                self.fail(node, f"{a(value.type)} cannot become {a(kind)}")
            self.emit(node, "copy", kind, address, value, size=kind.size)
            return self.typed(address, kind)
        if node.op == "=":
            value = self.converted(node, self.value(node.value), kind)
        else:
            before = self.read(node, address, kind)
            value = self.operate(node, node.op, before, self.value(node.value))
            value = self.convert(node, value, kind)
        self.emit(node, "store", kind, address, value)
        return value

    def target(self, node: tree.Node, to: tree.Expression) -> Found:
        """A place that may be written to."""
        base = to
        while isinstance(base, tree.Access) and not base.arrow:
            base = base.base
        if isinstance(base, tree.Call | tree.Assign):
            self.fail(node, "this is a value without a place of its own; keep it in a variable first")
        address, kind = self.lvalue(to)
        if isinstance(kind, types.Array):
            self.fail(node, "an array cannot be assigned to; assign to its items, or copy with memcpy")
        if isinstance(to, tree.Name) and self.is_constant(to.name):
            self.fail(node, f"{to.name} is const and cannot be changed")
        return address, kind

    def cast(self, node: tree.Cast) -> Operand:
        found = self.value(node.operand)
        if isinstance(node.type, types.Void):
            return Constant(0, types.VOID)
        both = (found.type, node.type)
        if not all(map(types.is_scalar, both)):
            self.fail(node, f"{a(found.type)} cannot be cast to {node.type}")
        if {type(each) for each in both} == {types.Pointer, types.Floating}:
            self.fail(node, f"{a(found.type)} cannot be cast to {node.type}; an address is a whole number")
        return self.convert(node, found, node.type)

    def size_of(self, node: tree.Node, of: tree.Expression | types.Type) -> int:
        kind = of if isinstance(of, types.KINDS) else self.place_type(of)
        self.need_complete(node, kind)
        if not kind.size:
            self.fail(node, f"{a(kind)} has no size")
        return kind.size

    def type_of(self, node: tree.Expression) -> types.Type:
        """The type of a value, found by lowering it and forgetting the code."""
        with self.rehearsal():
            return self.value(node).type

    def place_type(self, node: tree.Expression) -> types.Type:
        with self.rehearsal():
            try:
                return self.lvalue(node)[1]
            except NoPlaceError:
                return self.value(node).type


class NoPlaceError(CError):
    """An expression has a value, and no place in memory."""


def is_zero(node: tree.Expression) -> bool:
    return isinstance(node, tree.Constant) and node.value == 0 and not isinstance(node.type, types.Floating)

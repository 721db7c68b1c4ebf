"""One instruction of three-address code as instructions of LLVM."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from labs.models.c import types
from labs.models.c.code import Address, Constant, Instruction, Operand, Routine, Temporary
from labs.models.c.trouble import CError

from native.bits.code_to_bytes.names import Names, symbol

BUILTIN = {
    "memcpy": "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
    "memmove": "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)",
    "memset": "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
}
"""The functions of the library that a compiler knows by heart."""
ORDER = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
WHOLE = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor", "<<": "shl"}
REAL = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}


class RefusedError(CError):
    """What the front end takes and this back end does not."""


def plain(kind: types.Type) -> str:
    """A type as it lies in memory; a struct is its bytes, and so are pointers in a row, which take eight each."""
    match kind:
        case types.Integer():
            return f"i{8 * kind.size}"
        case types.Floating():
            return kind.name
        case types.Pointer():
            return "ptr"
        case types.Array(of=of):
            item = plain(of)
            return f"[{kind.size} x i8]" if item == "ptr" else f"[{kind.length} x {item}]"
        case types.Void():
            return "void"
    return f"[{kind.size} x i8]"


def number(value: float, kind: types.Type) -> str:
    """A constant. LLVM writes every floating number as the bits of a double."""
    if isinstance(kind, types.Floating):
        return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
    if isinstance(kind, types.Pointer):
        return f"inttoptr (i64 {value} to ptr)" if value else "null"
    return str(int(value))


class Writer:
    """``decided`` are the comparisons that only branches ask for, ``library`` the functions LLVM knows by heart."""

    def __init__(self, routine: Routine, names: Names, decided: set[int], library: set[str]) -> None:
        self.routine, self.names, self.decided, self.library = routine, names, decided, library
        self.same: dict[int, str] = {}  # temporaries that are another value, by number

    @staticmethod
    def kind(kind: types.Type) -> str:
        return "ptr" if isinstance(kind, types.Struct | types.Array) else plain(kind)

    @staticmethod
    def passed(kind: types.Type, returned: bool = False) -> str:
        """The type of a parameter: what is narrower than int is widened by the caller."""
        if isinstance(kind, types.Integer) and kind.size < types.INT.size:
            word = "signext" if kind.signed else "zeroext"
            return f"{word} {plain(kind)}" if returned else f"{plain(kind)} {word}"
        return Writer.kind(kind)

    def value(self, operand: Operand) -> str:
        match operand:
            case Temporary(number=n):
                return self.same.get(n, f"%t{n}")
            case Address(of=of, local=local):
                return self.names.slot(of) if local else symbol(of)
            case Constant(value=value, type=kind):
                return number(value, kind)
        raise AssertionError(operand)

    def write(self, it: Instruction) -> Iterator[str]:
        into = f"%t{it.result.number}" if it.result else ""
        given = [self.value(each) for each in it.operands]
        kind = self.kind(it.type)
        match it.op:
            case "jump":
                yield f"br label %L{it.label}"
            case "branch":
                yield from self.branch(it, given[0])
            case "return" if isinstance(self.routine.type.returns, types.Void):
                yield "ret void"
            case "return":  # off the end of a function that promises a value: any value will do
                returns = self.kind(self.routine.type.returns)
                yield f"ret {returns} {given[0] if given else 'poison'}"
            case "load":
                yield f"{into} = load {kind}, ptr {given[0]}, align {it.type.align}"
            case "store":
                yield f"store {kind} {given[1]}, ptr {given[0]}, align {it.type.align}"
            case "copy":
                yield f"call void @llvm.memcpy.p0.p0.i64(ptr {given[0]}, ptr {given[1]}, i64 {it.size}, i1 false)"
            case "call":
                yield from self.call(it, into, given)
            case "convert":
                yield from self.convert(it, into, given[0])
            case "negate" if isinstance(it.type, types.Floating):
                yield f"{into} = fneg {kind} {given[0]}"
            case "negate":
                yield f"{into} = sub{self.exact(it.type)} {kind} 0, {given[0]}"
            case "invert":
                yield f"{into} = xor {kind} {given[0]}, -1"
            case "offset":
                yield f"{into} = getelementptr inbounds {self.item(it)}, ptr {given[0]}, i64 {given[1]}"
            case "distance":
                yield f"{into}.a = ptrtoint ptr {given[0]} to i64"
                yield f"{into}.b = ptrtoint ptr {given[1]} to i64"
                yield f"{into}.d = sub i64 {into}.a, {into}.b"
                yield f"{into} = sdiv exact i64 {into}.d, {it.size}"
            case "==" | "!=" | "<" | "<=" | ">" | ">=":
                yield from self.compare(it, into, given)
            case _:
                yield from self.arithmetic(it, into, given)

    @staticmethod
    def exact(kind: types.Type) -> str:
        return " nsw" if isinstance(kind, types.Integer) and kind.signed else ""

    def item(self, it: Instruction) -> str:
        """Pointers take eight bytes in every array, also where the machine's have four."""
        if it.size == 1:
            return "i8"
        to = it.result.type.to if it.result and isinstance(it.result.type, types.Pointer) else types.VOID
        return plain(to) if types.is_number(to) and to.size == it.size else f"[{it.size} x i8]"

    def branch(self, it: Instruction, given: str) -> Iterator[str]:
        (condition,) = it.operands
        ways = f"label %L{it.label}, label %L{it.other}"
        if isinstance(condition, Temporary) and condition.number in self.decided:
            yield f"br i1 {given}, {ways}"
            return
        name = f"%t{self.count(it)}.if"
        yield f"{name} = {self.true(condition, given)}"
        yield f"br i1 {name}, {ways}"

    def count(self, it: Instruction) -> int:
        """A number for what has none: the place of the instruction in its function."""
        return next(n for n, each in enumerate(self.routine.body) if each is it)

    def true(self, operand: Operand, given: str) -> str:
        if isinstance(operand.type, types.Floating):
            return f"fcmp une {operand.type} {given}, {number(0.0, operand.type)}"
        zero = "null" if isinstance(operand.type, types.Pointer) else "0"
        return f"icmp ne {self.kind(operand.type)} {given}, {zero}"

    def call(self, it: Instruction, into: str, given: list[str]) -> Iterator[str]:
        if it.name not in self.library:
            called, given = (symbol(it.name), given) if it.name else (given[0], given[1:])
            kinds = [self.passed(each.type) for each in it.operands[-len(given) :] if given]
            inside = ", ".join(f"{kind} {each}" for kind, each in zip(kinds, given, strict=True))
            returns = self.passed(it.type, returned=True)
            yield f"{into + ' = ' if into else ''}call {returns} {called}({inside})"
            return
        assert it.result  # all three of them return their first argument
        self.same[it.result.number] = given[0]
        if it.name == "memset":
            if isinstance(it.operands[1], Constant):
                byte = str(int(it.operands[1].value) % 256)
            else:
                byte = f"{into}.byte"
                yield f"{byte} = trunc i32 {given[1]} to i8"
            yield f"call void @llvm.memset.p0.i64(ptr {given[0]}, i8 {byte}, i64 {given[2]}, i1 false)"
        else:
            rest = f"ptr {given[0]}, ptr {given[1]}, i64 {given[2]}, i1 false"
            yield f"call void @llvm.{it.name}.p0.p0.i64({rest})"

    def convert(self, it: Instruction, into: str, given: str) -> Iterator[str]:
        assert it.result
        old, new = it.type, it.result.type
        change = f"{self.kind(old)} {given} to {self.kind(new)}"
        match old, new:
            case _, types.BOOL:
                yield f"{into}.1 = {self.true(it.operands[0], given)}"
                yield f"{into} = zext i1 {into}.1 to i8"
            case types.Integer(), types.Integer():
                if old.size == new.size:
                    self.same[it.result.number] = given
                else:
                    word = "trunc" if new.size < old.size else "sext" if old.signed else "zext"
                    yield f"{into} = {word} {change}"
            case types.Integer(), types.Floating():
                yield f"{into} = {'s' if old.signed else 'u'}itofp {change}"
            case types.Floating(), types.Integer():
                yield f"{into} = fpto{'s' if new.signed else 'u'}i {change}"
            case types.Floating(), types.Floating():
                yield f"{into} = {'fpext' if new.size > old.size else 'fptrunc'} {change}"
            case types.Pointer(), types.Integer():
                yield f"{into} = ptrtoint {change}"
            case types.Integer(), types.Pointer():
                if old.size < new.size:
                    yield f"{into}.w = {'sext' if old.signed else 'zext'} {self.kind(old)} {given} to i64"
                    change = f"i64 {into}.w to ptr"
                yield f"{into} = inttoptr {change}"
            case _:
                raise AssertionError(it)

    def compare(self, it: Instruction, into: str, given: list[str]) -> Iterator[str]:
        assert it.result
        kind, pair = it.type, ", ".join(given)
        if isinstance(kind, types.Floating):
            word = {"==": "oeq", "!=": "une"}.get(it.op) or f"o{ORDER[it.op]}"
            test = f"fcmp {word} {kind} {pair}"
        else:
            sign = "s" if isinstance(kind, types.Integer) and kind.signed else "u"
            word = {"==": "eq", "!=": "ne"}.get(it.op) or f"{sign}{ORDER[it.op]}"
            test = f"icmp {word} {self.kind(kind)} {pair}"
        if it.result.number in self.decided:
            yield f"{into} = {test}"
        else:
            yield f"{into}.1 = {test}"
            yield f"{into} = zext i1 {into}.1 to i32"

    def arithmetic(self, it: Instruction, into: str, given: list[str]) -> Iterator[str]:
        kind, (left, right) = it.type, given
        if isinstance(kind, types.Floating):
            yield f"{into} = {REAL[it.op]} {kind} {left}, {right}"
            return
        assert isinstance(kind, types.Integer)
        count = it.operands[1]
        if it.op in ("<<", ">>") and isinstance(count, Temporary) and count.type.size != kind.size:
            word = "trunc" if count.type.size > kind.size else "zext"
            yield f"{into}.by = {word} {self.kind(count.type)} {right} to {self.kind(kind)}"
            right = f"{into}.by"
        sign = "s" if kind.signed else "u"
        special = {"/": f"{sign}div", "%": f"{sign}rem", ">>": "ashr" if kind.signed else "lshr"}
        word = special.get(it.op) or WHOLE[it.op] + self.exact(kind) * (it.op in ("+", "-", "*"))
        yield f"{into} = {word} {self.kind(kind)} {left}, {right}"

"""The types, with sizes, alignments and layouts of the x86-64 System V ABI."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Void:
    size, align = 0, 1

    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True)
class Integer:
    name: str
    size: int
    signed: bool

    @property
    def align(self) -> int:
        return self.size

    @property
    def bits(self) -> int:
        return 1 if self.name == "_Bool" else 8 * self.size

    @property
    def low(self) -> int:
        return -(1 << self.bits - 1) if self.signed else 0

    @property
    def high(self) -> int:
        return (1 << (self.bits - self.signed)) - 1

    def wrap(self, value: int) -> int:
        """``value`` modulo 2 to the width, in the range of the type; for _Bool whether it is not zero."""
        if self.name == "_Bool":
            return int(value != 0)
        return (value - self.low) % (1 << self.bits) + self.low

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Floating:
    name: str
    size: int

    @property
    def align(self) -> int:
        return self.size

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Pointer:
    to: Type
    size, align = 8, 8

    def __str__(self) -> str:
        if isinstance(self.to, Function):
            return f"{self.to.returns} (*)({self.to.inside()})"
        return f"{self.to} *" if not isinstance(self.to, Pointer) else f"{self.to}*"


@dataclass(frozen=True)
class Array:
    of: Type
    length: int

    @property
    def size(self) -> int:
        return self.of.size * max(self.length, 0)  # the last member of a struct may leave its length out

    @property
    def align(self) -> int:
        return self.of.align

    def __str__(self) -> str:
        item, brackets = str(self.of), f"[{self.length}]"
        if isinstance(self.of, Array):
            item, rest = item.split("[", 1)
            brackets += f"[{rest}"
        return item + brackets


@dataclass(frozen=True)
class Member:
    name: str
    type: Type
    offset: int


@dataclass(eq=False)
class Struct:
    """A struct is its declaration: two with the same members are two types. Without members it is incomplete.

    In a union all members begin at the same byte.
    """

    name: str
    members: tuple[Member, ...] = ()
    size: int = 0
    align: int = 1
    complete: bool = False
    union: bool = False

    @property
    def word(self) -> str:
        return "union" if self.union else "struct"

    def define(self, members: list[tuple[str, Type]], pack: int = 16) -> None:
        """Lay the members out in order, each at the next multiple of its alignment; the end is padded likewise.

        ``pack`` limits the alignment, as #pragma pack does; 1 leaves no room between members.
        """
        placed, at, end = list[Member](), 0, 0
        for name, kind in members:
            align = min(kind.align, pack)
            at = 0 if self.union else round_up(at, align)
            placed.append(Member(name, kind, at))
            at += kind.size
            self.align, end = max(self.align, align), max(end, at)
        self.members, self.size, self.complete = tuple(placed), round_up(end, self.align), True

    def member(self, name: str) -> Member | None:
        return next((each for each in self.members if each.name == name), None)

    def __str__(self) -> str:
        return f"{self.word} {self.name}" if self.name else self.word


@dataclass(frozen=True)
class Function:
    returns: Type
    parameters: tuple[Type, ...]
    variadic: bool = False
    size, align = 0, 1

    def inside(self) -> str:
        """What stands between its brackets."""
        return ", ".join([str(each) for each in self.parameters] + ["..."] * self.variadic) or "void"

    def __str__(self) -> str:
        return f"{self.returns} ({self.inside()})"


Type = Void | Integer | Floating | Pointer | Array | Struct | Function
KINDS = (Void, Integer, Floating, Pointer, Array, Struct, Function)

VOID = Void()
BOOL = Integer("_Bool", 1, signed=False)
CHAR = Integer("char", 1, signed=True)
SIGNED_CHAR = Integer("signed char", 1, signed=True)
UNSIGNED_CHAR = Integer("unsigned char", 1, signed=False)
SHORT = Integer("short", 2, signed=True)
UNSIGNED_SHORT = Integer("unsigned short", 2, signed=False)
INT = Integer("int", 4, signed=True)
UNSIGNED = Integer("unsigned int", 4, signed=False)
LONG = Integer("long", 8, signed=True)
UNSIGNED_LONG = Integer("unsigned long", 8, signed=False)
FLOAT = Floating("float", 4)
DOUBLE = Floating("double", 8)

FILE = Struct("FILE")
"""A stream; what it consists of is nobody's business."""

NAMED: dict[str, Type] = {
    "FILE": FILE,
    "bool": BOOL,
    "size_t": UNSIGNED_LONG,
    "ptrdiff_t": LONG,
    "int8_t": SIGNED_CHAR,
    "uint8_t": UNSIGNED_CHAR,
    "int16_t": SHORT,
    "uint16_t": UNSIGNED_SHORT,
    "int32_t": INT,
    "uint32_t": UNSIGNED,
    "int64_t": LONG,
    "uint64_t": UNSIGNED_LONG,
    "intptr_t": LONG,
    "uintptr_t": UNSIGNED_LONG,
}
"""What the headers name."""


def packed(kind: Type, pack: int) -> Type:
    """The type with each struct in it laid out as below ``#pragma pack``."""
    if isinstance(kind, Array):
        return Array(packed(kind.of, pack), kind.length)
    if isinstance(kind, Struct):
        made = Struct(kind.name, union=kind.union)
        made.define([(member.name, packed(member.type, pack)) for member in kind.members], pack)
        return made
    return kind


def round_up(at: int, align: int) -> int:
    return -(-at // align) * align


def a(kind: Type) -> str:
    """The type with its article, for a message."""
    words = str(kind)
    return words if words == "void" else f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def is_scalar(kind: Type) -> bool:
    return isinstance(kind, Integer | Floating | Pointer)


def is_number(kind: Type) -> bool:
    return isinstance(kind, Integer | Floating)


def promote(kind: Type) -> Type:
    """The integer promotions: what is narrower than int becomes int, which holds all its values."""
    return INT if isinstance(kind, Integer) and kind.size < INT.size else kind


def common(left: Type, right: Type) -> Type:
    """The usual arithmetic conversions: the type that both operands of ``+`` and its like are brought to."""
    for floating in (DOUBLE, FLOAT):
        if floating in (left, right):
            return floating
    left, right = promote(left), promote(right)
    assert isinstance(left, Integer)
    assert isinstance(right, Integer)
    if left.size != right.size:
        return left if left.size > right.size else right
    return right if left.signed else left


def decay(kind: Type) -> Type:
    """What an expression of this type is as a value: an array becomes a pointer to its first item, and a function a
    pointer to itself."""
    if isinstance(kind, Function):
        return Pointer(kind)
    return Pointer(kind.of) if isinstance(kind, Array) else kind


def points_to_function(kind: Type) -> bool:
    return isinstance(kind, Pointer) and isinstance(kind.to, Function)

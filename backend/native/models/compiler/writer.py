"""LLVM IR, a value at a time: names are given, places in the program are noted, vectors look like numbers."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

TYPES = {
    **{"f32": "float", "bf16": "float", "f64": "double"},
    **{"i64": "i64", "i32": "i32", "i8": "i32", "bool": "i1"},
}
"""In which LLVM's arithmetic is done for each of our types."""
MEMORY = {
    **{"f32": "float", "bf16": "i16", "f64": "double"},
    **{"i64": "i64", "i32": "i32", "i8": "i8", "bool": "i8"},
}
"""As which each of our types lies in memory."""


SIZES = {"float": 4, "double": 8, "i64": 8, "i32": 4, "i16": 2, "i8": 1}
"""Bytes in memory."""
SHORT = {"float": "f32", "double": "f64"}
"""As the names of intrinsics have them."""


@dataclass(frozen=True)
class Value:
    """A number, or with ``lanes`` so many of them."""

    name: str
    kind: str
    lanes: int = 0

    @property
    def type(self) -> str:
        return typed(self.kind, self.lanes)

    @property
    def floating(self) -> bool:
        return self.kind in ("float", "double")

    def __str__(self) -> str:
        return f"{self.type} {self.name}"


def typed(kind: str, lanes: int) -> str:
    return f"<{lanes} x {kind}>" if lanes else kind


def literal(value: float | int, kind: str) -> str:
    """A number as LLVM reads it: floats by their bits."""
    if kind == "i1":
        return "true" if value else "false"
    if kind not in ("float", "double"):
        return str(int(value))
    if kind == "float":
        (value,) = struct.unpack("<f", struct.pack("<f", value)) if abs(value) < 3.5e38 else (value,)
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


@dataclass
class Writer:
    """The body of one function. ``node`` is what the next instructions belong to, -1 for nothing."""

    lines: list[str | list[str]] = field(default_factory=list)
    entry: list[str] = field(default_factory=list)
    """Room on the stack, made before anything else."""
    declared: set[str] = field(default_factory=set)
    scales: bool = False
    """Whether the processor multiplies by powers of two in one instruction."""
    scope: int = 0
    """Number of the first place in the program; 0 to say none."""
    node: int = -1
    block: str = "entry"
    count: int = 0

    def fresh(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def say(self, text: str) -> None:
        place = f", !dbg !{self.scope + 2 + self.node}" if self.scope else ""
        self.lines.append(f"  {text}{place}")

    def put(self, text: str, kind: str, lanes: int = 0) -> Value:
        value = Value(self.fresh(), kind, lanes)
        self.say(f"{value.name} = {text}")
        return value

    def label(self, name: str) -> None:
        self.lines.append(f"{name}:")
        self.block = name

    def labels(self, *words: str) -> list[str]:
        self.count += 1
        return [f"{word}{self.count}" for word in words]

    def later(self) -> list[str]:
        """Lines that belong here and are not known yet."""
        lines: list[str] = []
        self.lines.append(lines)
        return lines

    def room(self, type_: str, align: int = 64) -> str:
        name = self.fresh()
        self.entry.append(f"  {name} = alloca {type_}, align {align}")
        return name

    # -- values

    def number(self, value: float, like: Value) -> Value:
        """A constant, in as many lanes as another value has."""
        text = literal(value, like.kind)
        return Value(f"splat ({like.kind} {text})" if like.lanes else text, like.kind, like.lanes)

    def spread(self, value: Value, lanes: int) -> Value:
        """The same number in every lane."""
        if value.lanes == lanes:
            return value
        first = self.put(f"insertelement {typed(value.kind, lanes)} poison, {value}, i64 0", value.kind, lanes)
        whole = f"shufflevector {first}, {typed(value.kind, lanes)} poison, <{lanes} x i32> zeroinitializer"
        return self.put(whole, value.kind, lanes)

    def alike(self, *values: Value) -> list[Value]:
        lanes = max(each.lanes for each in values)
        return [self.spread(each, lanes) for each in values]

    def op(self, name: str, *args: Value) -> Value:
        """An instruction on equals: ``fadd contract``, ``and``."""
        some = self.alike(*args)
        return self.put(
            f"{name} {some[0]}, {', '.join(each.name for each in some[1:])}", some[0].kind, some[0].lanes
        )

    def test(self, name: str, left: Value, right: Value) -> Value:
        a, b = self.alike(left, right)
        return self.put(f"{name} {a}, {b.name}", "i1", a.lanes)

    def call(self, name: str, *args: Value, returns: str = "", pair: bool = False) -> Value:
        """An intrinsic that is named by its type, ``llvm.fma``; all have as many lanes as the widest.

        If it ``returns`` another type that is part of its name, too, and so is the second argument's of a ``pair``.
        """
        some = self.alike(*args)
        kind, lanes = returns or some[0].kind, some[0].lanes
        named = [*([kind] if returns else []), some[0].kind, *([some[1].kind] if pair else [])]
        full = f"@{name}" + "".join(f".{f'v{lanes}' if lanes else ''}{SHORT.get(each, each)}" for each in named)
        self.declared.add(f"declare {typed(kind, lanes)} {full}({', '.join(each.type for each in some)})")
        return self.put(f"call {typed(kind, lanes)} {full}({', '.join(map(str, some))})", kind, lanes)

    def library(self, name: str, *args: Value) -> Value:
        """A function of the C library on f64, lane by lane."""
        args = tuple(self.alike(*args))
        self.declared.add(f"declare double @{name}({', '.join(['double'] * len(args))})")
        if not (lanes := args[0].lanes):
            return self.put(f"call double @{name}({', '.join(map(str, args))})", "double")
        whole = Value("poison", "double", lanes)
        for lane in range(lanes):
            ones = [self.put(f"extractelement {each}, i64 {lane}", "double") for each in args]
            one = self.put(f"call double @{name}({', '.join(map(str, ones))})", "double")
            whole = self.put(f"insertelement {whole}, {one}, i64 {lane}", "double", lanes)
        return whole

    def pieces(self, work: Callable[..., Value], lanes: int, *args: Value) -> Value:
        """A vector cut into pieces of so many lanes, for what takes no others; and put together again."""
        whole = args[0].lanes
        found = [work(*(self.part(each, at, lanes) for each in args)) for at in range(0, whole, lanes)]
        while len(found) > 1:
            found = [self.beside(a, b) for a, b in zip(found[::2], found[1::2], strict=True)]
        return found[0]

    def part(self, value: Value, begin: int, lanes: int) -> Value:
        if value.lanes == lanes:
            return value
        picked = ", ".join(f"i32 {lane}" for lane in range(begin, begin + lanes))
        return self.put(
            f"shufflevector {value}, {value.type} poison, <{lanes} x i32> <{picked}>", value.kind, lanes
        )

    def beside(self, a: Value, b: Value) -> Value:
        both = 2 * a.lanes
        picked = ", ".join(f"i32 {lane}" for lane in range(both))
        return self.put(f"shufflevector {a}, {b}, <{both} x i32> <{picked}>", a.kind, both)

    def choose(self, test: Value, yes: Value, no: Value) -> Value:
        test, yes, no = self.alike(test, yes, no)
        return self.put(f"select {test}, {yes}, {no}", yes.kind, yes.lanes)

    def turn(self, name: str, value: Value, kind: str) -> Value:
        """A conversion, ``sitofp`` or ``bitcast``, lane by lane."""
        return self.put(f"{name} {value} to {typed(kind, value.lanes)}", kind, value.lanes)

    def fma(self, a: Value, b: Value, c: Value) -> Value:
        return self.call("llvm.fma", a, b, c)

    def polynomial(self, x: Value, coefficients: Sequence[float]) -> Value:
        """By rising power, from within."""
        total = self.number(coefficients[-1], x)
        for each in reversed(coefficients[:-1]):
            total = self.fma(total, x, self.number(each, x))
        return total

    # -- whole numbers that say where

    def affine(self, parts: Sequence[tuple[str | int, int]], offset: int) -> str | int:
        """offset + Σ factor · value; what is known now is computed now."""
        known = offset + sum(value * factor for value, factor in parts if isinstance(value, int))
        total: str | int = known
        for value, factor in parts:
            if isinstance(value, int) or not factor:
                continue
            times = value if factor == 1 else self.put(f"mul nsw i64 {value}, {factor}", "i64").name
            total = times if total == 0 else self.put(f"add nsw i64 {total}, {times}", "i64").name
        return total

    def least(self, a: str | int, b: str | int) -> str | int:
        if isinstance(a, int) and isinstance(b, int):
            return min(a, b)
        self.declared.add("declare i64 @llvm.smin.i64(i64, i64)")
        return self.put(f"call i64 @llvm.smin.i64(i64 {a}, i64 {b})", "i64").name

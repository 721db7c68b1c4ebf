"""Accumulators: one number each, or as many as there are lanes, until somebody asks for the sum."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from labs.models.fusing.loops import Start

from native.models.compiler import maths
from native.models.compiler.writer import TYPES, Value, Writer, typed

LEAST = {"i32": -(2**31), "i64": -(2**63)}
PLUS = {"sum": ("fadd contract", "add"), "prod": ("fmul contract", "mul")}
EXTREME = {"amax": ("llvm.maximum", "llvm.smax"), "amin": ("llvm.minimum", "llvm.smin")}


@dataclass
class Parts:
    """Where the parts of one monoid lie, in so many lanes."""

    lanes: int
    places: list[str]


@dataclass
class Sum:
    """The accumulators of one ``Start``. Lanes add up apart from one another, and are joined behind the loop."""

    start: Start
    kind: str
    whole: Parts
    begin: list[str]
    """Lines where it started: what lanes begin with is said there, once it is known how many there are."""
    loop: object = None
    """The vector loop in which it started."""
    apart: dict[tuple[object, int], Parts] = field(default_factory=dict)


def neutral(monoid: str, kind: str) -> list[float]:
    floating = kind in ("float", "double")
    least = LEAST.get(kind, 0)
    low, high = (-math.inf, math.inf) if floating else (least, -least - 1)
    return {
        "sum": [0.0],
        "prod": [1.0],
        "amax": [0 if kind == "i1" else low],
        "amin": [1 if kind == "i1" else high],
        "softmax": [low, 0.0],
        "moments": [0.0, 0.0, 0.0],
    }[monoid]


def started(w: Writer, start: Start, lanes: int, loop: object) -> Sum:
    kind = TYPES[start.dtype]
    it = Sum(start, kind, Parts(lanes, [w.room(typed(kind, lanes)) for _ in start.names]), w.later(), loop)
    begin(w, it, it.whole)
    return it


def begin(w: Writer, it: Sum, parts: Parts) -> None:
    """At the start, and so in front of every loop."""
    for place, number in zip(parts.places, neutral(it.start.monoid, it.kind), strict=True):
        first = w.number(number, Value("", it.kind, parts.lanes))
        it.begin.append(f"  store {first}, ptr {place}, align 64")


def read(w: Writer, it: Sum, parts: Parts) -> list[Value]:
    type_ = typed(it.kind, parts.lanes)
    return [w.put(f"load {type_}, ptr {place}, align 64", it.kind, parts.lanes) for place in parts.places]


def write(w: Writer, parts: Parts, values: Sequence[Value]) -> None:
    for place, value in zip(parts.places, values, strict=True):
        w.say(f"store {w.spread(value, parts.lanes) if parts.lanes else value}, ptr {place}, align 64")


def update(w: Writer, it: Sum, parts: Parts, element: Sequence[Value], mask: Value | None) -> None:
    old = read(w, it, parts)
    element = [w.spread(each, parts.lanes) if parts.lanes else each for each in element]
    new = combined(w, it.start.monoid, old, element)
    write(w, parts, [w.choose(mask, n, o) if mask else n for n, o in zip(new, old, strict=True)])


def joined(w: Writer, it: Sum) -> None:
    """What lanes have added up goes to the whole, and they start again with it."""
    for parts in it.apart.values():
        values = read(w, it, parts)
        lanes = parts.lanes
        while lanes > 1:
            lanes //= 2
            halves = [[w.part(value, begin, lanes) for value in values] for begin in (0, lanes)]
            values = combined(w, it.start.monoid, *halves)
        values = [w.put(f"extractelement {value}, i64 0", value.kind) for value in values]
        update(w, it, it.whole, values, None)
    it.apart.clear()


def combined(w: Writer, monoid: str, a: Sequence[Value], b: Sequence[Value]) -> list[Value]:
    """Two parts of one monoid as one."""
    floating = a[0].floating
    if monoid in PLUS:
        return [w.op(PLUS[monoid][not floating], a[0], b[0])]
    if monoid in EXTREME:
        if a[0].kind == "i1":
            return [w.op("or" if monoid == "amax" else "and", a[0], b[0])]
        return [w.call(EXTREME[monoid][not floating], a[0], b[0])]
    return softmax(w, a, b) if monoid == "softmax" else moments(w, a, b)


def softmax(w: Writer, a: Sequence[Value], b: Sequence[Value]) -> list[Value]:
    """(m, s) of both: the sum with the smaller maximum shrinks, and needs the one exp that is not 1."""
    (m, s), (x, t) = a, b
    zero = w.number(0, m)
    far = w.op("fsub", m, x)
    same = w.test("fcmp oeq", m, x)  # −∞ minus −∞ is none
    shrink = maths.exp(w, w.choose(same, zero, w.put(f"fneg {w.call('llvm.fabs', far)}", m.kind, m.lanes)))
    above = w.test("fcmp ogt", m, x)
    large, small = w.choose(above, s, t), w.choose(above, t, s)
    return [w.call("llvm.maximum", m, x), w.fma(small, shrink, large)]


def moments(w: Writer, a: Sequence[Value], b: Sequence[Value]) -> list[Value]:
    """(n, mean, M2) of both, by Chan, Golub and LeVeque."""
    (n, mean, m2), (k, other, n2) = a, b
    total = w.op("fadd", n, k)
    empty = w.test("fcmp oeq", total, w.number(0, total))
    share = w.op("fdiv", k, w.choose(empty, w.number(1, total), total))
    far = w.op("fsub", other, mean)
    middle = w.fma(far, share, mean)
    spread = w.op("fmul", w.op("fmul", far, far), w.op("fmul", n, share))
    return [total, middle, w.op("fadd", w.op("fadd", m2, n2), spread)]

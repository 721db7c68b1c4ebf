"""Expressions of the loop IR, on one number or on as many as the loop around has lanes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from labs.models.fusing.graph import FLOATS
from labs.models.fusing.loops import Apply, Const, Expr, Index, Load, Ref

from native.models.compiler import maths
from native.models.compiler.writer import MEMORY, SHORT, SIZES, TYPES, Value, Writer, typed

ORDERED = {"lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge", "eq": "oeq", "ne": "une"}
WHOLE = {"lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge", "eq": "eq", "ne": "ne"}
FLOAT = {"add": "fadd contract", "sub": "fsub contract", "mul": "fmul contract", "div": "fdiv"}
INTEGER = {"add": "add", "sub": "sub", "mul": "mul", "div": "sdiv"}
ROUND = {"abs": "llvm.fabs", "sqrt": "llvm.sqrt", "floor": "llvm.floor", "round": "llvm.rint"}
LINE = 64
"""Bytes that come from memory at once."""
MOST = 8
"""A float's power up to this one is multiplications; beyond it their roundings would add up."""


class Place(Protocol):
    """What an expression needs to know of the loops around it."""

    w: Writer
    lanes: int
    ahead: int
    mask: Value | None
    values: dict[str, Value]
    held: dict[Load, Value]

    def address(self, buffer: str, index: Index) -> str: ...
    def stride(self, index: Index) -> int: ...
    def accumulated(self, name: str) -> Value | None: ...


def value(at: Place, it: Expr) -> Value:
    match it:
        case Const(number, dtype):
            lone = Value("", TYPES[dtype])
            return at.w.number(number, lone)
        case Ref(name):
            return at.accumulated(name) or at.values[name]
        case Load(buffer, index, dtype):
            return widened(at.w, at.held.get(it) or load(at, buffer, index, MEMORY[dtype]), dtype)
        case Apply("pow", (base, Const(power, _)), dtype) if by_squares(power, dtype):
            return held(at.w, multiplied(at.w, value(at, base), int(power)), dtype)
        case Apply(op, args, dtype):
            return apply(at.w, op, [value(at, each) for each in args], dtype)


def load(at: Place, buffer: str, index: Index, kind: str) -> Value:
    """One number; or with lanes a vector, a number for all of them, or numbers from here and there."""
    w, stride, lanes = at.w, at.stride(index), at.lanes
    where = at.address(buffer, index)
    size = SIZES[kind]
    if not stride or not lanes:
        return w.put(f"load {kind}, ptr {where}, align {size}", kind)
    if stride == 1 and at.mask is None:
        asked_for(at, where, lanes * size)
        return w.put(f"load {typed(kind, lanes)}, ptr {where}, align {size}", kind, lanes)
    short = SHORT.get(kind, kind)
    result, mask = typed(kind, lanes), at.mask or w.number(1, Value("", "i1", lanes))
    if stride == 1:
        name = f"@llvm.masked.load.v{lanes}{short}.p0"
        w.declared.add(f"declare {result} {name}(ptr, <{lanes} x i1>, {result})")
        return w.put(
            f"call {result} {name}(ptr align {size} {where}, {mask}, {result} zeroinitializer)", kind, lanes
        )
    places = apart(at, kind, where, stride)
    name = f"@llvm.masked.gather.v{lanes}{short}.v{lanes}p0"
    w.declared.add(f"declare {result} {name}({places.type}, <{lanes} x i1>, {result})")
    found = f"call {result} {name}({places.type} align {size} {places.name}, {mask}, {result} zeroinitializer)"
    return w.put(found, kind, lanes)


def asked_for(at: Place, where: str, size: int) -> None:
    """What is read so many bytes further on: a loop that computes much for each number looks not far enough ahead
    by itself to keep memory busy."""
    for line in range(at.ahead, at.ahead + size, LINE) if at.ahead else ():
        at.w.declared.add("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
        far = at.w.put(f"getelementptr i8, ptr {where}, i64 {line}", "ptr")
        at.w.say(f"call void @llvm.prefetch.p0({far}, i32 0, i32 3, i32 1)")


def store(at: Place, buffer: str, index: Index, given: Value, kind: str, around: bool) -> None:
    """``around`` the caches, if what is written is not read soon and begins where a vector does."""
    w, stride, lanes = at.w, at.stride(index), at.lanes
    where = at.address(buffer, index)
    size = SIZES[kind]
    if not lanes:
        w.say(f"store {given}, ptr {where}, align {size}")
        return
    assert stride, "all lanes would write to one place"
    given = w.spread(given, lanes)
    if stride == 1 and at.mask is None:
        how = f"align {min(64, lanes * size)}, !nontemporal !0" if around else f"align {size}"
        w.say(f"store {given}, ptr {where}, {how}")
        return
    short = SHORT.get(kind, kind)
    mask = at.mask or w.number(1, Value("", "i1", lanes))
    if stride == 1:
        name = f"@llvm.masked.store.v{lanes}{short}.p0"
        w.declared.add(f"declare void {name}({given.type}, ptr, <{lanes} x i1>)")
        w.say(f"call void {name}({given}, ptr align {size} {where}, {mask})")
        return
    places = apart(at, kind, where, stride)
    name = f"@llvm.masked.scatter.v{lanes}{short}.v{lanes}p0"
    w.declared.add(f"declare void {name}({given.type}, {places.type}, <{lanes} x i1>)")
    w.say(f"call void {name}({given}, {places.type} align {size} {places.name}, {mask})")


def apart(at: Place, kind: str, where: str, stride: int) -> Value:
    lanes = at.lanes
    steps = ", ".join(f"i64 {stride * lane}" for lane in range(lanes))
    return at.w.put(f"getelementptr {kind}, ptr {where}, <{lanes} x i64> <{steps}>", "ptr", lanes)


def widened(w: Writer, it: Value, dtype: str) -> Value:
    """From memory's type to arithmetic's."""
    match dtype:
        case "bf16":
            wide = w.turn("zext", it, "i32")
            return w.turn("bitcast", w.op("shl", wide, w.number(16, wide)), "float")
        case "i8":
            return w.turn("sext", it, "i32")
        case "bool":
            return w.test("icmp ne", it, w.number(0, it))
    return it


def narrowed(w: Writer, it: Value, dtype: str) -> Value:
    """From arithmetic's type to memory's."""
    match dtype:
        case "bf16":
            return w.turn("trunc", w.op("lshr", rounded(w, it), w.number(16, Value("", "i32"))), "i16")
        case "i8":
            return w.turn("trunc", it, "i8")
        case "bool":
            return w.turn("zext", it, "i8")
    return it


def rounded(w: Writer, it: Value) -> Value:
    """The bits of a float whose nearest bf16, ties to even, are the upper half."""
    bits = w.turn("bitcast", it, "i32")
    odd = w.op("and", w.op("lshr", bits, w.number(16, bits)), w.number(1, bits))
    near = w.op("add", bits, w.op("add", odd, w.number(0x7FFF, bits)))
    return w.choose(w.test("fcmp uno", it, it), w.number(0x7FC00000, bits), near)


def saturated(w: Writer, it: Value) -> Value:
    low = w.call("llvm.smax", it, w.number(-128, it))
    return w.call("llvm.smin", low, w.number(127, it))


def apply(w: Writer, op: str, args: list[Value], dtype: str) -> Value:
    if op == "cast":
        return cast(w, args[0], dtype)
    if op == "where":
        return w.choose(cast(w, args[0], "bool"), *w.alike(args[1], args[2]))
    if len({each.kind for each in args}) > 1:
        raise ValueError(f"{op} on {', '.join(each.kind for each in args)}: casts have to make them equal")
    found = floats(w, op, args) if args[0].floating else integers(w, op, args)
    return held(w, found, dtype)


def held(w: Writer, it: Value, dtype: str) -> Value:
    """The lower bits alone, if it is an i8."""
    return w.turn("sext", w.turn("trunc", it, "i8"), "i32") if dtype == "i8" and it.kind == "i32" else it


def floats(w: Writer, op: str, args: list[Value]) -> Value:
    x = args[0]
    known: dict[str, Callable[[Writer, Value], Value]] = maths.F32 if x.kind == "float" else maths.F64
    if op in known:
        return known[op](w, x)
    if op in FLOAT:
        return w.op(FLOAT[op], *args)
    if op in ORDERED:
        return w.test(f"fcmp {ORDERED[op]}", *args)
    if op in ROUND:
        return w.call(ROUND[op], x)
    match op:
        case "neg":
            return w.put(f"fneg {x}", x.kind, x.lanes)
        case "rsqrt":
            return w.op("fdiv", w.number(1, x), w.call("llvm.sqrt", x))
        case "max" | "min":
            return extreme(w, op, *args)
        case "pow":
            return power(w, *args)
        case "gelu":  # in f64
            half = w.op("fmul", x, w.number(0.5, x))
            inner = w.op("fmul", x, w.number(0.5**0.5, x))
            return w.op("fmul", half, w.library("erfc", w.put(f"fneg {inner}", x.kind, x.lanes)))
        case "tanh" | "erf":
            return w.library(op, x)
        case "sin" | "cos":
            return by_library(w, op, x)
    raise ValueError(f"{op} is no operation on {x.kind}")


def extreme(w: Writer, op: str, a: Value, b: Value) -> Value:
    """NaN if either is NaN. With a constant one comparison does: where it fails, the other is taken."""
    for number, other in ((a, b), (b, a)):
        if constant(number) and not constant(other):
            test = w.test("fcmp ogt" if op == "max" else "fcmp olt", number, other)
            return w.choose(test, number, other)
    return w.call("llvm.maximum" if op == "max" else "llvm.minimum", a, b)


def constant(it: Value) -> bool:
    return not it.name.startswith("%") and "nan" not in it.name and "7FF8" not in it.name


def by_squares(power: float, dtype: str) -> bool:
    """Of whole numbers every power is one, and wraps around as products do."""
    return float(power).is_integer() and power >= 0 and (power <= MOST or dtype not in FLOATS)


def multiplied(w: Writer, x: Value, times: int) -> Value:
    """x to a whole power, by squares."""
    result, square = w.number(1, x), x
    while times:
        if times & 1:
            result = w.op("fmul" if x.floating else "mul", result, square)
        times >>= 1
        if times:
            square = w.op("fmul" if x.floating else "mul", square, square)
    return result


def power(w: Writer, x: Value, y: Value) -> Value:
    return by_library(w, "pow", x, y)


def by_library(w: Writer, name: str, x: Value, *more: Value) -> Value:
    """By the C library, in f64."""
    wide = [w.turn("fpext", each, "double") if each.kind == "float" else each for each in (x, *more)]
    found = w.library(name, *wide)
    return w.turn("fptrunc", found, "float") if x.kind == "float" else found


def integers(w: Writer, op: str, args: list[Value]) -> Value:
    x = args[0]
    truth = x.kind == "i1"
    if op in INTEGER and not truth:
        return w.op(INTEGER[op], *args)
    if op in WHOLE:
        return w.test(f"icmp {WHOLE[op] if not truth else WHOLE[op].replace('s', 'u')}", *args)
    match op:
        case "and" | "or":
            return w.op(op, *(cast(w, each, "bool") for each in args))
        case "not":
            truth_ = cast(w, x, "bool")
            return w.op("xor", truth_, w.number(1, truth_))
        case "neg":
            return w.op("sub", w.number(0, x), x)
        case "abs":
            return w.choose(w.test("icmp slt", x, w.number(0, x)), w.op("sub", w.number(0, x), x), x)
        case "max" | "min":
            return w.op("or" if op == "max" else "and", *args) if truth else w.call(f"llvm.s{op}", *args)
        case "add" | "mul":  # of truths
            return w.op("or" if op == "add" else "and", *args)
        case "floor" | "round":
            return x
    raise ValueError(f"{op} is no operation on {x.kind}")


def cast(w: Writer, it: Value, dtype: str) -> Value:
    kind = TYPES[dtype]
    if dtype == "bf16" and it.kind == "float":
        bits = rounded(w, it)
        return w.turn("bitcast", w.op("and", bits, w.number(-65536, bits)), "float")
    if dtype == "bf16":
        return cast(w, cast(w, it, "f32"), "bf16")
    if dtype == "bool" and it.kind != "i1":
        return w.test("fcmp une" if it.floating else "icmp ne", it, w.number(0, it))
    if kind == it.kind:
        return held(w, it, dtype)
    if it.kind == "i1":
        return w.turn("uitofp" if kind in ("float", "double") else "zext", it, kind)
    if it.floating and kind in ("float", "double"):
        return w.turn("fpext" if kind == "double" else "fptrunc", it, kind)
    if it.floating:
        whole = w.call("llvm.fptosi.sat", it, returns=kind)
        return saturated(w, whole) if dtype == "i8" else whole
    if kind in ("float", "double"):
        return w.turn("sitofp", it, kind)
    return held(w, w.turn("sext" if kind == "i64" else "trunc", it, kind), dtype)

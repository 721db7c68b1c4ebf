"""Functions that processors do not have, as polynomials on as many lanes as one likes.

f32 has its own, no further from the truth than the tests say (`exp` 2 units in the last place). In f64 `exp` and
`log` are series, and what is left goes to the C library, lane by lane.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from native.models.compiler.writer import Value, Writer

LOG2_E = 1 / math.log(2)
# ln 2 in two parts: the first has so few digits that a whole number times it is exact.
LN2 = {"float": (0.693359375, -2.12194440e-4), "double": (6.93147180369123816490e-01, 1.90821492927058770002e-10)}
RANGE = {"float": (-104.0, 89.0), "double": (-746.0, 710.0)}
# exp(r), least maximum error on ±ln 2 / 2
EXP = (
    1.0,
    1.0,
    0.5000000100825436,
    0.1666651296301399,
    0.04166618760013741,
    0.008369591627156156,
    0.0013951701723364193,
)
# 2ʳ, on ±½
EXP2 = (
    *(1.0, 0.6931472024803523, 0.24022651290705932, 0.05550332896469074, 0.009618009527044207),
    *(0.001339876511598781, 0.00015474917236946162),
)
# log2 of the normal distribution below −t, least maximum error on [0, 6]; falls for ever behind it
TAIL = (
    *(-0.9999998584413738, -1.1511109756648346, -0.4591692689619543, -0.05258873885423067, 0.007154597705513155),
    *(-0.00016311646107615684, -0.00020374602036529418, 5.508734359890205e-05, -7.402043489391045e-06),
    *(5.348249130777106e-07, -1.648924652173684e-08),
)
# The same with fewer numbers, exact in 0: 3e-6 of the tail down to −3, and 2.4e-7 of x Φ(x) everywhere
GELU = (
    *(-1.0, -1.151125099497519, -0.45904072377835925, -0.05296327976780089, 0.007669418504392143),
    *(-0.0005505421325455922, -3.322784225452609e-05, 1.0433299120105583e-05, -6.427584016471589e-07),
)
SHORT_EXP2 = (
    1.0,
    0.6931472134901708,
    0.24022240462685532,
    0.05550309951049606,
    0.00967160507486238,
    0.0013406850653344543,
)
# erf(x) / x by x², on [0, 1]
ERF = (
    *(1.1283791659137519, -0.3761262713596647, 0.11283600176263787, -0.02685444459217278, 0.005189535339865782),
    *(-0.0008020841284738338, 7.88911954974143e-05),
)
# tanh(x) / x by x², on [0, 0.4]
TANH = (
    *(0.9999999957834487, -0.3333325544938276, 0.13330996840877557, -0.05370983626860798, 0.02055281588030819),
    -0.00561559923195209,
)


def mul(w: Writer, a: Value, b: Value) -> Value:
    return w.op("fmul contract", a, b)


def add(w: Writer, a: Value, b: Value) -> Value:
    return w.op("fadd contract", a, b)


def sub(w: Writer, a: Value, b: Value) -> Value:
    return w.op("fsub contract", a, b)


def below(w: Writer, x: Value, most: float) -> Value:
    """No more than this. NaN stays NaN: where a comparison fails, x is taken."""
    bound = w.number(most, x)
    return w.choose(w.test("fcmp ogt", x, bound), bound, x)


def clamped(w: Writer, x: Value, least: float, most: float) -> Value:
    bound = w.number(least, x)
    return below(w, w.choose(w.test("fcmp olt", x, bound), bound, x), most)


def scaled(w: Writer, x: Value, n: Value) -> Value:
    """x · 2ⁿ for a whole float n. NaN stays NaN."""
    size = 16 if x.kind == "float" else 8
    if w.scales and x.lanes >= size:
        return w.pieces(lambda a, b: scaled_at_once(w, a, b), size, x, n)
    # In two steps, since 2ⁿ itself may lie outside of what is a number.
    most = 250 if x.kind == "float" else 2000
    whole = w.call("llvm.fptosi.sat", clamped(w, n, -most, most), returns="i32")
    half = w.op("ashr", whole, w.number(1, whole))
    for part in (half, w.op("sub", whole, half)):
        if x.kind == "float":
            bits = w.op("shl", w.op("add", part, w.number(127, part)), w.number(23, part))
        else:
            wide = w.turn("sext", part, "i64")
            bits = w.op("shl", w.op("add", wide, w.number(1023, wide)), w.number(52, wide))
        x = w.op("fmul", x, w.turn("bitcast", bits, x.kind))
    return x


def scaled_at_once(w: Writer, x: Value, n: Value) -> Value:
    """By the one instruction that AVX-512 has for it."""
    name, mask = ("ps", "i16") if x.kind == "float" else ("pd", "i8")
    w.declared.add(
        f"declare {x.type} @llvm.x86.avx512.mask.scalef.{name}.512({x.type}, {x.type}, {x.type}, {mask}, i32)"
    )
    given = f"{x}, {n}, {x.type} zeroinitializer, {mask} -1, i32 4"
    return w.put(f"call {x.type} @llvm.x86.avx512.mask.scalef.{name}.512({given})", x.kind, x.lanes)


def exp(w: Writer, x: Value) -> Value:
    x = clamped(w, x, *RANGE[x.kind])
    n = w.call("llvm.rint", w.op("fmul", x, w.number(LOG2_E, x)))
    high, low = LN2[x.kind]
    r = w.fma(n, w.number(-low, x), w.fma(n, w.number(-high, x), x))
    series = EXP if x.kind == "float" else [1 / math.factorial(k) for k in range(14)]
    return scaled(w, w.polynomial(r, series), n)


def exp2(w: Writer, x: Value, series: Sequence[float] = EXP2) -> Value:
    """For finite x ≤ 0, in f32."""
    n = w.call("llvm.rint", x)
    return scaled(w, w.polynomial(w.op("fsub", x, n), series), n)


def log(w: Writer, x: Value) -> Value:
    """x = m · 2ᵉ with m around 1, and log m by the series of the inverse hyperbolic tangent."""
    wide = x.kind == "double"
    whole, digits, bias = ("i64", 52, 1023) if wide else ("i32", 23, 127)
    least = w.number(2.0 ** (1 - bias), x)
    small = w.test("fcmp olt", x, least)
    normal = w.choose(small, w.op("fmul", x, w.number(2.0**digits, x)), x)
    bits = w.turn("bitcast", normal, whole)
    # Of numbers from √½ on the exponent is that of the next power of two.
    root = 0x3FE6A09E667F3BCD if wide else 0x3F3504F3
    above = w.op("sub", bits, w.number(root, bits))
    power = w.op("ashr", above, w.number(digits, bits))
    part = w.op("sub", bits, w.op("shl", power, w.number(digits, bits)))
    f = w.op("fsub", w.turn("bitcast", part, x.kind), w.number(1, x))
    e = w.turn("sitofp", power, x.kind)
    e = w.op("fsub", e, w.choose(small, w.number(digits, e), w.number(0, e)))
    s = w.op("fdiv", f, w.op("fadd", f, w.number(2, f)))
    z = w.op("fmul", s, s)
    rest = w.op("fmul", z, w.polynomial(z, [2 / (2 * k + 3) for k in range(10 if wide else 5)]))
    half = w.op("fmul", w.op("fmul", f, w.number(0.5, f)), f)
    high, low = LN2[x.kind]
    inner = w.fma(s, w.op("fadd", half, rest), w.op("fmul", e, w.number(low, e)))
    result = w.fma(e, w.number(high, e), w.op("fsub", f, w.op("fsub", half, inner)))
    result = w.choose(w.test("fcmp oeq", x, w.number(0, x)), w.number(-math.inf, x), result)
    result = w.choose(w.test("fcmp olt", x, w.number(0, x)), w.number(math.nan, x), result)
    return w.choose(w.test("fcmp ueq", x, w.number(math.inf, x)), x, result)


def sigmoid(w: Writer, x: Value) -> Value:
    one = w.number(1, x)
    return w.op("fdiv", one, w.op("fadd", exp(w, w.put(f"fneg {x}", x.kind, x.lanes)), one))


def tanh(w: Writer, x: Value) -> Value:
    size = w.call("llvm.fabs", x)
    z = w.op("fmul", x, x)
    near = w.op("fmul", x, w.polynomial(z, TANH))
    e = exp(w, w.op("fmul", size, w.number(-2, x)))
    one = w.number(1, x)
    far = w.op("fdiv", w.op("fsub", one, e), w.op("fadd", one, e))
    return w.choose(w.test("fcmp olt", size, w.number(0.6, x)), near, w.call("llvm.copysign", far, x))


def erf(w: Writer, x: Value) -> Value:
    size = w.call("llvm.fabs", x)
    near = w.op("fmul", x, w.polynomial(w.op("fmul", x, x), ERF))
    tail = exp2(w, add(w, log2_below(w, w.op("fmul", size, w.number(math.sqrt(2), x))), w.number(1, x)))
    far = w.call("llvm.copysign", w.op("fsub", w.number(1, x), tail), x)
    return w.choose(w.test("fcmp olt", size, w.number(1, x)), near, far)


def log2_below(w: Writer, t: Value) -> Value:
    """log2 of the share of the normal distribution below −t."""
    return w.polynomial(below(w, t, 20), TAIL)


def gelu(w: Writer, x: Value) -> Value:
    """x Φ(x) = max(x, 0) − |x| Φ(−|x|): what is taken away fades as fast as it does in truth."""
    t = below(w, w.call("llvm.fabs", x), 20)
    rest = mul(w, t, exp2(w, w.polynomial(t, GELU), SHORT_EXP2))
    zero = w.number(0, x)
    return sub(w, w.choose(w.test("fcmp olt", x, zero), zero, x), rest)


F32: dict[str, Callable[[Writer, Value], Value]] = {
    **{"exp": exp, "log": log, "sigmoid": sigmoid, "tanh": tanh, "erf": erf, "gelu": gelu}
}
F64: dict[str, Callable[[Writer, Value], Value]] = {"exp": exp, "log": log, "sigmoid": sigmoid}

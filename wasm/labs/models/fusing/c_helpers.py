"""Functions that C has not, each written down once for the types that it takes."""

from __future__ import annotations

TYPES = {
    **{"f32": "float", "f64": "double", "bf16": "uint16_t"},
    **{"i64": "int64_t", "i32": "int32_t", "i8": "int8_t", "bool": "uint8_t"},
}
BITS = """
typedef union {
  float number;
  uint32_t bits;
} bits_f32;
"""
TO_BF16 = """
static inline uint16_t to_bf16(float x) { // to the nearest, ties to even
  const bits_f32 b = {x};
  return x != x ? 0x7fc0 : (uint16_t)((b.bits + 0x7fff + ((b.bits >> 16) & 1)) >> 16);
}
"""
FROM_BF16 = """
static inline float from_bf16(uint16_t x) {
  bits_f32 b;
  b.bits = (uint32_t)x << 16;
  return b.number;
}
"""
AS_BF16 = """
static inline float as_bf16(float x) { return from_bf16(to_bf16(x)); }
"""
TO_I8 = """
static inline int8_t to_i8(int64_t x) { return (int8_t)x; }
"""
AS_I8 = """
static inline int32_t as_i8(double x) { return x != x ? 0 : x < -128 ? -128 : x > 127 ? 127 : (int32_t)x; }
"""
AS_I32 = """
static inline int32_t as_i32(double x) {
  return x != x ? 0 : x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : (int32_t)x;
}
"""
AS_I64 = """
static inline int64_t as_i64(double x) {
  return x != x ? 0 : x < -0x1p63 ? INT64_MIN : x >= 0x1p63 ? INT64_MAX : (int64_t)x;
}
"""
LEAST = """
static inline long least(long a, long b) { return a < b ? a : b; }
"""
POW = """
static inline intN_t pow_iN(intN_t x, intN_t n) {
  uintN_t result = 1;
  for (uintN_t square = (uintN_t)x; n > 0; n >>= 1, square *= square)
    if (n & 1) result *= square;
  return (intN_t)result;
}
"""
WRAPPED = {"add": "+", "sub": "-", "mul": "*"}
"""What wraps around in tensors, and with signs is undefined in C: a compiler may compute it with more bits."""
WHOLE = {
    **{
        op: f"static inline intN_t {op}_iN(intN_t x, intN_t y) {{ return (intN_t)((uintN_t)x {sign} (uintN_t)y); }}"
        for op, sign in WRAPPED.items()
    },
    "pow": POW,
    "neg": "static inline intN_t neg_iN(intN_t x) { return (intN_t)(0 - (uintN_t)x); }",
    "abs": "static inline intN_t abs_iN(intN_t x) { return x < 0 ? (intN_t)(0 - (uintN_t)x) : x; }",
    "max": "static inline intN_t max_iN(intN_t a, intN_t b) { return a > b ? a : b; }",
    "min": "static inline intN_t min_iN(intN_t a, intN_t b) { return a < b ? a : b; }",
}
"""N is how many bits."""

FLOATS = {
    "max": "static inline T max_K(T a, T b) { return a > b || a != a ? a : b; }",
    "min": "static inline T min_K(T a, T b) { return a < b || a != a ? a : b; }",
    "amax": """
#pragma omp declare reduction(amax_K : T : omp_out = max_K(omp_out, omp_in)) initializer(omp_priv = -INFINITY)
""",
    "amin": """
#pragma omp declare reduction(amin_K : T : omp_out = min_K(omp_out, omp_in)) initializer(omp_priv = INFINITY)
""",
    "rsqrt": "static inline T rsqrt_K(T x) { return 1 / sqrtF(x); }",
    "sigmoid": """static inline T sigmoid_K(T x) { return 1 / (1 + expF(-x)); }""",
    "gelu": """static inline T gelu_K(T x) { return (T)0.5 * x * erfcF(x * (T)-0.70710678118654752); }""",
    "softmax": """
// the greatest so far, and the sum of exp(x - greatest)
static inline void softmax_K(T *most, T *sum, T x, T share) {
  const T top = max_K(*most, x);
  if (top == -INFINITY) return;
  *sum = *sum * expF(*most - top) + share * expF(x - top);
  *most = top;
}""",
    "moments": """
// how many, their mean, and the sum of squared distances from it
static inline void moments_K(T *n, T *mean, T *squares, T count, T x, T more) {
  const T total = *n + count, far = x - *mean;
  *mean += far * (count / total);
  *squares += more + far * far * (*n * count / total);
  *n = total;
}""",
}
"""T is the type, K its name, and F what the names of C's functions end in."""
NEEDS = {"softmax": ("max",), "amax": ("max",), "amin": ("min",)}


def typed(text: str, kind: str, real: str, end: str) -> str:
    text = text.replace("T ", f"{real} ").replace("(T)", f"({real})")
    return text.replace("_K", f"_{kind}").replace("F(", f"{end}(")


RESERVED = (
    *("auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern"),
    *("float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed"),
    *("sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "main"),
    *("row", "column", "depth", "dot", "at", "least", "exp", "log", "sqrt", "tanh", "erf", "floor", "rint", "fabs"),
    *("sin", "cos", "INT64_MIN", "INT64_MAX", "int64_t", "uint64_t"),
    *(
        "NAN",
        "INFINITY",
        "INT32_MIN",
        "INT32_MAX",
        "int8_t",
        "int32_t",
        "uint16_t",
        "uint32_t",
        "bool",
        "true",
        "false",
    ),
    *("pow", "erfc", "gamma", "j0", "j1", "jn", "y0", "y1", "yn", "this", "new", "delete", "class", "template"),
)
"""Names that a tensor of the reader's cannot have in C."""

HELPERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "least": (LEAST, ()),
    "bits_f32": (BITS, ()),
    "to_bf16": (TO_BF16, ("bits_f32",)),
    "from_bf16": (FROM_BF16, ("bits_f32",)),
    "as_bf16": (AS_BF16, ("bits_f32", "to_bf16", "from_bf16")),
    "to_i8": (TO_I8, ()),
    "as_i8": (AS_I8, ()),
    "as_i32": (AS_I32, ()),
    "as_i64": (AS_I64, ()),
    **{f"{name}_i{n}": (text.replace("N", n), ()) for name, text in WHOLE.items() for n in ("32", "64")},
    **{
        f"{name}_{kind}": (typed(text, kind, real, end), tuple(f"{need}_{kind}" for need in NEEDS.get(name, ())))
        for name, text in FLOATS.items()
        for kind, real, end in (("f32", "float", "f"), ("f64", "double", ""))
    },
}
"""Name: its text, and what it needs. Each comes after what it needs."""

"""The sources of both sides: an extension that asks one question, and releases of a library, one change apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from native.pytorch.abi_break import module, stable_kernel

if TYPE_CHECKING:
    from native.pytorch.abi_break import Params

OURS = "libstats.so"


@dataclass(frozen=True)
class Source:
    flags: tuple[str, ...]
    """Of the compiler, that belong to the picture"""
    header: str
    """What the other side sees"""
    before: str = ""
    """What comes before the header"""
    body: str = ""

    @property
    def text(self) -> str:
        return f"{self.before}\n{self.header}\n{self.body}\n"

    @property
    def shown(self) -> list[str]:
        return [*self.flags, *self.header.strip().splitlines()]


# As <string> of GNU declares it, with the fields and without the functions. Before GCC 5 a string was one pointer.
STRING = """namespace std {
template <class> struct char_traits;
template <class> class allocator;
#if _GLIBCXX_USE_CXX11_ABI
inline namespace __cxx11 __attribute__((__abi_tag__("cxx11"))) {
template <class C, class T = char_traits<C>, class A = allocator<C>>
struct basic_string { const C *data; unsigned long size; C local[16]; };
}
#else
template <class C, class T = char_traits<C>, class A = allocator<C>>
struct basic_string { const C *data; };
#endif
typedef basic_string<char> string;
}
#if _GLIBCXX_USE_CXX11_ABI
#define TEXT(of, length) std::string{of, length, {}}
#else
#define TEXT(of, length) std::string{of}
#endif"""
DEVICE = """namespace c10 {
struct Device {
  signed char type, index;
  Device(const std::string &);
};
namespace detail {
void torchCheckFail(const char *, const char *,
                    unsigned, const std::string &);
}
}"""
PARSE = """extern "C" double ask() {
  c10::Device device(TEXT("cuda:3", 6));
  if (device.index < 0) c10::detail::torchCheckFail("ask", "extension.cpp", 3, TEXT("no index", 8));
  return device.index;
}"""
SHIM = """extern "C"
int torch_parse_device_string(
    const char *, unsigned *, int *);
// and the other functions of
// torch/csrc/stable/c/shim.h"""

POWER = """
  double r = 1;
  for (unsigned long e = n < 0 ? -(long)n : n; e; e >>= 1, x *= x) if (e & 1) r *= x;
  return n < 0 ? 1 / r : r;
}
"""
INT, LONG = "double power(double x, int n);", "double power(double x, long n);"
WIDE = "double power_long(double x, long n);"
SHAPE = tuple(
    f"struct Shape {{\n  int {ints};\n  double scale;\n}};" for ints in ("rows, cols", "batch, rows, cols")
)
HANDLE = """struct Shape;
extern "C" {
const Shape *shape();
int shape_rows(const Shape *);
int shape_cols(const Shape *);
double shape_scale(const Shape *);
}"""
GETTERS = "\n".join(
    f"{kind} shape_{name}(const Shape *of) {{ return of->{name}; }}"
    for kind, name in (("int", "rows"), ("int", "cols"), ("double", "scale"))
)
FIELDS = (("rows", "cols", "scale"), ("batch", "rows", "cols", "scale"))
"""Of a shape, by release"""
CALLS = {"string": 'index_of("cuda:3")', "struct": "rows * cols * scale"}
RIGHT = {"string": 3.0, "struct": 6.0}


def call(params: Params) -> tuple[str, float]:
    """What the extension is asked, and what should come back."""
    asked = CALLS.get(params.change, "power(1.5, -2)")
    if params.change == "string" and params.interface == "stable":
        asked = 'torch.ops.ours.index_of(x, "cuda:3")'
    return asked, RIGHT.get(params.change, 1.5**-2)


def met(params: Params) -> int:
    """The release that the extension is loaded beside. A version is missing from an older one."""
    return 0 if params.change == "version" else 1


def built_against(params: Params) -> int:
    if params.change == "version" and params.interface == "stable":
        return 0  # what many releases are to load is built against the oldest
    return met(params) if params.rebuilt else 1 - met(params)


def library(params: Params, release: int) -> Source:
    """A release of ours, 0 or 1; of PyTorch or Python, what it shows to an extension."""
    stable = params.interface == "stable"
    match params.change:
        case "string":  # PyTorch's own build differs in nothing but the flag
            return Source((stable_kernel.strings(1),), SHIM if stable else DEVICE)
        case "Python":
            return Source((), module.header(params, module.HERE))
        case "struct" if stable:
            made = f"const Shape one = {_values(release)};\nconst Shape *shape() {{ return &one; }}\n{GETTERS}"
            return Source((), HANDLE, SHAPE[release], made)
        case "struct":
            made = f"const Shape one = {_values(release)};\nconst Shape *shape() {{ return &one; }}\n"
            return Source((), f"{SHAPE[release]}\nconst Shape *shape();", "", made + layout(release))
        case "version":
            return Source((f"-Wl,--version-script=STATS_{release + 1}.0",), INT, "", _defined(INT))
    if stable:
        both = [INT, WIDE][: release + 1]
        header = "\n".join(f'extern "C" {each}' for each in both)
        return Source((), header, "", "".join(_defined(each) for each in both))
    extern = 'extern "C" ' if params.change == "argument, C name" else ""
    declared = LONG if release else INT
    return Source((), extern + declared, "", _defined(declared))


def extension(params: Params) -> Source:
    stable, release = params.interface == "stable", built_against(params)
    if params.change == "string":
        flags = (stable_kernel.strings(release),)
        return Source(flags, stable_kernel.CODE) if stable else Source(flags, DEVICE, STRING, PARSE)
    if params.change == "Python":
        header = module.header(params, module.built_for(params))
        return Source((module.WITHIN,) if stable else (), header, body=module.text(params))
    if params.change == "version":
        return Source((f"-lstats  # release {release + 1}",), INT, "", _asking("power(1.5, -2)"))
    header = library(params, release).header
    if params.change == "struct":
        if stable:
            return Source(
                (), header, "", _asking("shape_rows(shape()) * shape_cols(shape()) * shape_scale(shape())")
            )
        ask = _asking("shape()->rows * shape()->cols * shape()->scale")
        return Source((), header, "", ask + layout(release))
    return Source((), header, "", _asking(f"power{'_long' if stable and release else ''}(1.5, -2)"))


def layout(release: int) -> str:
    """Where the compiler has put each field, and how large it is; then the size of all."""
    each = (f"__builtin_offsetof(Shape, {name}), sizeof(Shape::{name})" for name in FIELDS[release])
    return f'\nextern "C" const int layout[] = {{{", ".join(each)}, sizeof(Shape)}};\n'


def _values(release: int) -> str:
    return "{2, 3, 4, 0.5}" if release else "{3, 4, 0.5}"


def _defined(declared: str) -> str:
    return declared.rstrip(";") + " {" + POWER


def _asking(what: str) -> str:
    return f'extern "C" double ask() {{ return {what}; }}'

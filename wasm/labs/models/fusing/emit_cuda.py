"""The same loops as CUDA: the parallel loop's turns go to threads, or to blocks of them if there are loops in it.

In a block, an inner loop's turns are dealt out among the threads, as long as none needs another's result; what each
added up is put together by all. A kernel with nothing to share has one block.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from labs.models.fusing.c_helpers import HELPERS, TYPES
from labs.models.fusing.c_text import number
from labs.models.fusing.emit_c import Line, Writer
from labs.models.fusing.graph import BYTES
from labs.models.fusing.interpret import at_once
from labs.models.fusing.loops import (
    Buffer,
    Let,
    Loop,
    Product,
    Program,
    Start,
    Statement,
    Store,
    Update,
    statements,
)
from labs.models.fusing.neutral import NEUTRAL

THREADS = 256
SHARED = 40 << 10
"""Bytes of shared memory that a kernel's own buffers may take."""
JOINS = {"sum": "A + B", "prod": "A * B", "amax": "max_K(A, B)", "amin": "min_K(A, B)"}
HEAD = """
// compiled by NVRTC, which has no headers
#ifdef __CUDACC_RTC__
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned uint32_t;
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#else
#include <math.h>
#include <stdint.h>
#endif
"""
LONG = """
#ifdef __CUDACC_RTC__
typedef long long int64_t;
typedef unsigned long long uint64_t;
#define INT64_MIN (-9223372036854775807 - 1)
#define INT64_MAX 9223372036854775807
#endif
"""
TREE = """
static __device__ T M_of_block_K(T part) { // of every thread's part
  __shared__ T parts[256];
  parts[threadIdx.x] = part;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] = JOIN;
    __syncthreads();
  }
  part = parts[0];
  __syncthreads();
  return part;
}
"""


@dataclass(frozen=True)
class Launch:
    kernel: str
    blocks: int
    threads: int = THREADS


def emit_cuda(program: Program) -> list[Line]:
    kernels: list[Line] = []
    used: set[str] = set()
    for each in program.kernels:
        writer = CudaWriter(each)
        kernels += [Line(""), *writer.kernel()]
        used |= writer.used
    helpers = [*preamble(used)]
    long = any("int64_t" in text for text in (*helpers, *(each.text for each in kernels)))
    head = (HEAD.strip() + LONG * long).splitlines()
    return [*map(Line, (*head, *helpers)), *kernels]


def launches(program: Program) -> list[Launch]:
    return [CudaWriter(each).launch() for each in program.kernels]


def preamble(used: set[str]) -> Iterator[str]:
    for name, (_, needs) in reversed(HELPERS.items()):
        if name in used:
            used |= set(needs)
    for name, (text, _) in HELPERS.items():
        if name in used:
            yield from ("", *text.strip().replace("static inline", "static __device__ inline").splitlines())
    for name in sorted(used):
        if "_of_block_" in name:
            monoid, kind = name.split("_of_block_")
            join = JOINS[monoid].replace("A", "parts[threadIdx.x]").replace("B", "parts[threadIdx.x + half]")
            text = TREE.replace("JOIN", join).replace("T ", f"{TYPES[kind]} ").replace("T)", f"{TYPES[kind]})")
            yield from ("", *text.replace("M_", f"{monoid}_").replace("_K", f"_{kind}").strip().splitlines())


@dataclass
class CudaWriter(Writer):
    mine: set[str] = field(default_factory=set)
    """Accumulators of which each thread has a part at the moment."""

    def __post_init__(self) -> None:
        super().__post_init__()
        body = [each for each in self.source.body if not isinstance(each, Let)]
        first = body[0] if len(body) == 1 else None
        self.turns = first if isinstance(first, Loop) and not self.adds(first) else None
        """The loop that is shared out among blocks."""
        self.flat = self.turns is not None and not any(
            isinstance(each, Loop | Product) for each in statements(self.turns.body)
        )
        local = sum(each.size * BYTES[each.dtype] for each in self.source.buffers if each.role == "local")
        self.roomy = local <= SHARED

    def adds(self, loop: Loop) -> list[Update]:
        """What it takes in for accumulators that began before it."""
        begun = {name for each in statements(loop.body) if isinstance(each, Start) for name in each.names}
        found = [each for each in statements(loop.body) if isinstance(each, Update)]
        return [each for each in found if each.names[0] not in begun]

    def launch(self) -> Launch:
        if not self.turns or not self.roomy:
            return Launch(self.source.name, 1)
        turns = self.turns.extent
        return Launch(self.source.name, min(-(-turns // THREADS) if self.flat else turns, 65535))

    def head(self) -> str:
        launch = self.launch()
        self.say(f"// <<<{launch.blocks}, {launch.threads}>>>")
        return f'extern "C" __global__ void {self.source.name}'

    def parameter(self, buffer: Buffer) -> str:
        return super().parameter(buffer).replace("restrict", "__restrict__")

    def kernel(self) -> list[Line]:
        if not self.roomy:
            self.say("// too much for shared memory: one block does it all, and keeps its own in global memory")
        for each in self.source.buffers:
            if each.role == "local" and not self.roomy:
                self.say(f"static __device__ {TYPES[each.dtype]} {self.source.name}_{each.name}[{each.size}];")
                self.names[each.name] = f"{self.source.name}_{each.name}"
        return super().kernel()

    def loop(self, it: Loop) -> None:
        name, end = it.variable, self.end(it)
        if it is self.turns:
            first, step = ("blockIdx.x", "gridDim.x")
            if self.flat:
                first, step = "blockIdx.x * (long)blockDim.x + threadIdx.x", "gridDim.x * (long)blockDim.x"
            if self.roomy and not self.flat:
                for each in self.source.buffers:
                    if each.role == "local":
                        self.say(f"__shared__ {TYPES[each.dtype]} {each.name}[{each.size}];")
            self.around(f"for (long {name} = {first}; {name} < {end}; {name} += {step}) {{", it)
        elif self.mine or self.flat or not self.dealt(it):
            self.around(f"for (long {name} = 0; {name} < {end}; {name}++) {{", it)
        else:
            self.share(it)

    def around(self, head: str, it: Loop) -> None:
        self.say(head)
        self.depth += 1
        self.inside(it)
        self.depth -= 1
        self.say("}")

    def dealt(self, it: Loop) -> bool:
        """Whether its turns are for the threads, or those of a longer loop in it."""
        inner = [each.extent for each in statements(it.body) if isinstance(each, Loop)]
        plain = all(each.monoid in JOINS for each in statements(it.body) if isinstance(each, Update | Start))
        return plain and at_once(it) and max(inner, default=0) < 32

    def share(self, it: Loop) -> None:
        parts = {each.names[0]: each for each in self.adds(it)}
        for name, each in parts.items():
            kind = each.values[0].dtype
            first = number(NEUTRAL[each.monoid][0], kind)
            self.say(f"{self.type(kind)} {name}_part = {first};", each.node)
        name, end = it.variable, self.end(it)
        self.mine = {"threads"} | set(parts)
        self.around(f"for (long {name} = threadIdx.x; {name} < {end}; {name} += blockDim.x) {{", it)
        self.mine = set()
        for name, each in parts.items():
            kind = self.kind(each)
            whole = f"{self.helper(f'{each.monoid}_of_block_{kind}')}({name}_part)"
            if each.monoid in ("amax", "amin"):
                self.helper(f"{each.monoid[1:]}_{kind}")
            plain = replace(each, values=())
            self.say(self.joined(plain, whole, kind), each.node)
        if any(isinstance(each, Store) for each in statements(it.body)):
            self.say("__syncthreads();")

    def kind(self, it: Update) -> str:
        return {"bf16": "f32", "i8": "i32"}.get(it.values[0].dtype, it.values[0].dtype)

    def joined(self, it: Update, value: str, kind: str, name: str = "") -> str:
        name = name or it.names[0]
        if it.monoid in ("sum", "prod"):
            return f"{name} {'+' if it.monoid == 'sum' else '*'}= {value};"
        return f"{name} = {self.helper(f'{it.monoid[1:]}_{kind}')}({name}, {value});"

    def update(self, it: Update) -> None:
        if it.names[0] in self.mine:
            self.say(self.joined(it, self.value(it.values[0]), self.kind(it), f"{it.names[0]}_part"), it.node)
        else:
            super().update(it)

    def statement(self, it: Statement) -> None:
        if isinstance(it, Store) and not self.mine and not self.flat:
            self.say("if (threadIdx.x == 0) {", it.node)
            self.depth += 1
            super().statement(it)
            self.depth -= 1
            self.say("}", it.node)
            self.say("__syncthreads();")
        else:
            super().statement(it)

    def product(self, it: Product) -> None:
        row, column = "row", "column"
        self.say(f"for (long at = threadIdx.x; at < {self.rows(it)} * {it.columns}L; at += blockDim.x) {{", it.node)
        self.depth += 1
        self.say(f"const long {row} = at / {it.columns}, {column} = at % {it.columns};", it.node)
        out = {"bf16": "f32", "i8": "i32"}.get(self.buffers[it.out.buffer].dtype, self.buffers[it.out.buffer].dtype)
        self.dot(it, out, row, column, "depth")
        self.depth -= 1
        self.say("}")
        self.say("__syncthreads();")

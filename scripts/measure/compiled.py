"""How fast LLVM's code for the example programs runs beside that of gcc -O2, called in turn in one process."""

from __future__ import annotations

import platform
import subprocess
import tempfile
from pathlib import Path

from labs.models.c.functions import EXAMPLES
from labs.models.c.lower import compile_c
from native.bits.code_to_bytes.answer import called
from native.bits.code_to_bytes.text import module
from native.bits.code_to_bytes.worker import Order, Worker
from native.models.llvm.targets import TARGETS, Name

from measure.stats import Result

MACHINES: dict[str, Name] = {"x86_64": "x86-64", "aarch64": "AArch64"}
ARGUMENTS = {
    "sum": "1000",
    "fibonacci": "90",
    "gcd": "1836311903, 1134903170",
    "is_prime": "1000003",
    "popcount": "0xfffff",
    "array_sum": "16",
    "dot": "16",
    "sort": "16, 8",
    "length": "",
    "matrix": "2",
}
BATCHES = 101
HARNESS = """
#include <stdio.h>
#include <time.h>
{returns} {name}({parameters}), gcc_{name}({parameters});
static double now(void) {{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* what others do meanwhile is not counted */
  return t.tv_sec + 1e-9 * t.tv_nsec;
}}
static volatile double sink;
static double ours(long calls) {{
  double begun = now(); for (long n = 0; n < calls; n++) sink = {name}({arguments}); return now() - begun;
}}
static double theirs(long calls) {{
  double begun = now(); for (long n = 0; n < calls; n++) sink = gcc_{name}({arguments}); return now() - begun;
}}
int main(void) {{
  long calls = 1;
  while (theirs(calls) < 5e-4) calls *= 2;
  ours(calls);
  for (int n = 0; n < {batches}; n++) printf("%g\\n", ours(calls) / theirs(calls));
}}
"""


def compiled() -> list[Result]:
    """A ratio above 1 says that LLVM's code takes longer. Batches alternate, so that both meet the same noise."""
    return [Result(f"{name}: LLVM O2 to gcc -O2", ratios(name), "×", "median") for name in ARGUMENTS]


def ratios(name: str) -> tuple[float, ...]:
    unit = compile_c(EXAMPLES[name])
    target = TARGETS[MACHINES[platform.machine()]]
    made = Worker(Order(module(unit, frames=False, narrow=False), target, 2, quiet=True)).made
    kind = called(unit).type
    words = {
        "returns": str(kind.returns),
        "name": name,
        "parameters": ", ".join(map(str, kind.parameters)) or "void",
        "arguments": ARGUMENTS[name],
        "batches": BATCHES,
    }
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        (here / "ours.o").write_bytes(made.object)
        (here / "theirs.c").write_text(EXAMPLES[name])
        (here / "time.c").write_text(HARNESS.format(**words))
        for command in (
            ["gcc", "-O2", "-c", "theirs.c"],
            ["objcopy", "--prefix-symbols=gcc_", "theirs.o"],  # both have their own variables
            ["gcc", "-O1", "time.c", "ours.o", "theirs.o", "-o", "time"],
        ):
            subprocess.run(command, cwd=here, check=True, timeout=60)
        done = subprocess.run([here / "time"], capture_output=True, text=True, check=True, timeout=60)
    return tuple(float(line) for line in done.stdout.split())

"""Native code of the fusing compiler, built with AddressSanitizer and run on buffers of exactly their sizes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from labs.models.fusing.graph import BYTES
from labs.models.fusing.loops import Program
from native.models.compiler.machine import Module, module
from native.models.compiler.phases import ATTRIBUTES, Machine
from native.models.compiler.product_kernel import PRODUCT
from native.models.kernel import KERNELS

ZIG = (sys.executable, "-m", "ziglang", "cc", "-mcpu=native", "-O1", "-fsanitize=address", "-c")
HEAD = """#include <stdlib.h>
#include <string.h>
static void *room(size_t size) {
  void *it;
  if (posix_memalign(&it, 64, size)) abort();
  return memset(it, 0, size);
}
"""


def sanitized(programs: Sequence[tuple[Program, Machine]], folder: Path) -> subprocess.CompletedProcess[str]:
    """What running all of them says; it ends well only if no access left its buffer."""
    modules = [module(program, machine) for program, machine in programs]
    objects, source, calls = [], [HEAD], []
    for number, ((program, _), made) in enumerate(zip(programs, modules, strict=True)):
        text = made.text.replace(ATTRIBUTES, ATTRIBUTES.replace("nounwind", "nounwind sanitize_address"))
        (folder / f"p{number}.ll").write_text(text.replace('@"', f'@"p{number}.'))
        objects.append(f"p{number}")
        source.append(caller(number, program, made))
        calls.append(f"p{number}();")
    (folder / "main.c").write_text("".join(source) + f"int main(void) {{ {' '.join(calls)} }}\n")
    objects += ["main", *(["product"] if any("@multiply_rows" in each.text for each in modules) else [])]
    (folder / "product.c").write_text(f'#include "{KERNELS / PRODUCT.file}"\n')
    for name in objects:
        given = folder / f"{name}.ll"
        given = given if given.exists() else folder / f"{name}.c"
        subprocess.run([*ZIG, "-w", "-o", folder / f"{name}.o", given], check=True, timeout=120)
    command = [
        "gcc",
        "-fsanitize=address",
        "-o",
        folder / "all",
        *(folder / f"{name}.o" for name in objects),
        "-lm",
    ]
    subprocess.run(command, check=True, timeout=60)
    return subprocess.run([folder / "all"], capture_output=True, text=True, timeout=120, check=False)


def caller(number: int, program: Program, made: Module) -> str:
    """A function that gives every buffer its own room and calls each piece of each phase."""
    sizes = {made.slots[each.name]: each.size * BYTES[each.dtype] for each in program.buffers}
    sizes |= {place: each.size * BYTES[each.dtype] for place, each, _ in made.extra}
    lines = [f"void *b[{len(made.slots)}];", *(f"b[{place}] = room({size});" for place, size in sizes.items())]
    heads = []
    for place, phase in enumerate(made.phases):
        name = f"p{number}_{place}"
        heads.append(f'void {name}(void **, long, long, long) __asm__("p{number}.{phase.name}");')
        cut = f"{phase.turns}L * i / {phase.pieces}, {phase.turns}L * (i + 1) / {phase.pieces}"
        lines.append(f"for (long i = 0; i < {phase.pieces}; i++) {name}(b, {cut}, i);")
    lines += [f"free(b[{place}]);" for place in sizes]
    return "\n".join([*heads, f"void p{number}(void) {{", *lines, "}", ""])

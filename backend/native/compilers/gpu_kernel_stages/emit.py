"""A file of kernels as CUDA C, and how each is launched.

A kernel goes over its tiles in a loop, a block for each as long as there are blocks. So the same text is right for
any number of blocks, and a kernel that does everything is all texts one after the other, in one block.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from labs.models.fusing.emit_c import Line
from labs.models.fusing.emit_cuda import HEAD, preamble
from labs.models.fusing.loops import Program

from native.compilers.gpu_kernel_stages.tiles import Tile
from native.compilers.gpu_kernel_stages.writer import TileWriter

EVERYTHING = "everything"


@dataclass(frozen=True)
class Emitted:
    lines: tuple[Line, ...]
    launches: tuple[tuple[str, int, tuple[str, ...]], ...]
    """Of each kernel its name, its blocks, and the buffers that it is given"""

    @property
    def text(self) -> str:
        return "\n".join(each.text for each in self.lines) + "\n"


def emit(program: Program, tiles: Mapping[str, Tile], together: bool = False) -> Emitted:
    """``tiles`` has one for each kernel that multiplies, by its name. With ``together`` all are one kernel."""
    lines: list[Line] = []
    used: set[str] = set()
    launches = []
    writers = [TileWriter(each, tile=tiles.get(each.name)) for each in program.kernels]
    if together:
        room = max(each.room for each in writers)
        given = [f"float *{each.name}" for each in program.buffers]
        lines += [Line(""), Line("// <<<1, 256>>>: one block, for nothing else waits until all have come so far")]
        lines.append(Line(f'extern "C" __global__ void {EVERYTHING}({", ".join(given)}) {{'))
        lines.append(Line(f"  __shared__ __align__(16) float shared[{max(room, 1)}];"))
        for each in writers:
            each.depth = 1
            lines += [Line(f"  {{ // {each.source.name}"), *each.part(), Line("  }"), Line("  __syncthreads();")]
            used |= each.used
        lines.append(Line("}"))
        launches.append((EVERYTHING, 1, tuple(each.name for each in program.buffers)))
    else:
        for each in writers:
            lines += [Line(""), *each.kernel()]
            used |= each.used
            given = [buffer.name for buffer in each.source.buffers if buffer.role != "local"]
            launches.append((each.source.name, each.blocks, tuple(given)))
    head = HEAD.strip().splitlines()
    return Emitted((*map(Line, (*head, *preamble(used))), *lines), tuple(launches))

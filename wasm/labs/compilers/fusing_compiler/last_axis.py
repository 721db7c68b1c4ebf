"""The mistake of summing along the last axis, whatever axis the program names; kernels of two loops can show it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from labs.models.fusing.accesses import accesses
from labs.models.fusing.loops import Index, Kernel, Loop, Program, Store


@dataclass(frozen=True)
class Past:
    """What a mistaken kernel stores."""

    kernel: str
    stores: int
    past: int
    """Of them behind the end of the result."""


def by_last_axis(program: Program) -> tuple[Program, list[Past]]:
    """Each sum over rows as a loop over rows that sums each of them, with what its stores then hit.

    The result of ``x.sum(axis=0)`` has one row: its strides are (columns, 1). Where the turn of the outer loop is
    taken for the place along the first axis, the sum of row r is stored at r · columns.
    """
    kernels, found = [], list[Past]()
    for kernel in program.kernels:
        if mistaken := _mistaken(kernel):
            kernel, past = mistaken
            found.append(past)
        kernels.append(kernel)
    return replace(program, kernels=tuple(kernels)), found


def _mistaken(kernel: Kernel) -> tuple[Kernel, Past] | None:
    match kernel.body:
        case (Loop(body=(start, Loop() as rows, Store() as store)) as columns,):
            pass
        case _:
            return None
    loads = [index for _, index, written in accesses(rows.body) if not written]
    whole = all(index.along(rows.variable) == columns.extent for index in loads)
    if not whole or store.index.strides != ((columns.variable, 1),):
        return None
    wrong = replace(store, index=Index(((rows.variable, columns.extent),)))
    inner = replace(rows, variable=columns.variable, extent=columns.extent)
    outer = replace(columns, variable=rows.variable, extent=rows.extent, body=(start, inner, wrong))
    size = next(buffer.size for buffer in kernel.buffers if buffer.name == store.buffer)
    past = sum(row * columns.extent >= size for row in range(rows.extent))
    return replace(kernel, body=(outer,)), Past(kernel.name, rows.extent, past)

"""A C++ extension: from a source file to a PyTorch operator, each station with its command and its seconds.

A compiler really makes a library of the source shown; its symbols are read from the file, and who defines each is
asked of the loader. A process of its own then loads the library, calls the operator, compares what comes of it with
torch's own results, and takes the time of a call and of its parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Interval, Label

from native.pytorch.cpp_extension.pictures import Road

MEASURES = True
POSTER = 7


@dataclass(frozen=True)
class Params:
    op: Annotated[Literal["scale_add", "relu_squared", "sum_squares"], Label("Operator", main=True)] = "scale_add"
    n: Annotated[Literal[16, 1024, 65536], Label("Numbers in a tensor", main=True)] = 1024
    headers: Annotated[
        Literal["the C shim", "declarations of our own"],
        Label("Headers", help="Where the torch functions that the source calls are declared."),
    ] = "the C shim"
    level: Annotated[Literal["-O0", "-O2"], Label("Optimisation")] = "-O2"
    binding: Annotated[
        Literal["now", "lazy"],
        Label("Binding", help="Whether the loader looks up functions at once, or each when it is first called."),
    ] = "now"
    repetitions: Annotated[int, Interval(ge=5, le=51), Label("Repetitions")] = 21
    unchecked_type: Annotated[bool, Label("No type check", group="Mistakes")] = False
    unchecked_strides: Annotated[bool, Label("No contiguity check", group="Mistakes")] = False
    wrong_key: Annotated[bool, Label("Kernel registered only for CUDA", group="Mistakes")] = False
    argument: Annotated[bool, Label("A call with one argument too few", group="Mistakes")] = False
    undefined: Annotated[bool, Label("A function without a definition", group="Mistakes")] = False
    unlinked: Annotated[bool, Label("Not linked against torch", group="Mistakes")] = False


def run(params: Params) -> Iterator[Road]:
    from native.pytorch.cpp_extension.road import road

    yield from road(params)

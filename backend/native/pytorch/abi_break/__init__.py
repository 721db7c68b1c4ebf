"""When an ABI breaks: an extension built against one release of a library, and loaded beside another.

A compiler makes both, of headers that differ in a single point. What the extension needs and what the library
defines are read from the files, and the names are taken apart. Another process loads the extension and calls it.
Beside each break stands what is stable: PyTorch's stable headers, Python's limited API, or C functions of ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Label

from native.pytorch.abi_break.pictures import Break

POSTER = 5


@dataclass(frozen=True)
class Params:
    change: Annotated[
        Literal["string", "argument", "argument, C name", "struct", "version", "Python"],
        Label("What differs", main=True, help="Between the two releases of the library, or of Python."),
    ] = "string"
    interface: Annotated[
        Literal["plain", "stable"],
        Label(
            "Interface", main=True, help="Stable: C functions that PyTorch, Python or our library promises to keep."
        ),
    ] = "plain"
    rebuilt: Annotated[bool, Label("Rebuilt", main=True, help="Against the release it is loaded beside.")] = False


def run(params: Params) -> Iterator[Break]:
    from native.pytorch.abi_break.story import story

    yield from story(params)

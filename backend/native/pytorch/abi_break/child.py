"""What the loader and the extension do, in a process of its own: it may end, and a library is loaded for good."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import partial
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

from native.models.alone import alone, reason
from native.pytorch.abi_break import module

SECONDS = 20


Struct = tuple[str, int, int]
"""The function that hands one out, and how many fields it has for the extension and for the library"""


def tried(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What came of loading and calling: ``refused``, or ``got``, and with a struct where its fields lie.

    Raises ``RuntimeError`` if the process ends otherwise.
    """
    with tempfile.TemporaryFile() as told:
        if not (pid := os.fork()):
            alone(partial(_tell, work, told.fileno()), SECONDS)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if code:
            raise RuntimeError(f"the extension ended with {reason(code)}")
        told.seek(0)
        return dict(json.loads(told.read()))


def _tell(work: Callable[[], dict[str, Any]], told: int) -> None:
    os.write(told, json.dumps(work()).encode())


def function(extension: Path, library: Path, struct: Struct | None) -> dict[str, Any]:
    """A library with one function of C."""
    try:
        loaded = ctypes.CDLL(str(extension))
    except OSError as error:
        return {"refused": str(error).replace(f"{extension.parent}/", "")}  # without the folder of the run
    loaded.ask.restype = ctypes.c_double
    answer = {"got": loaded.ask()}
    return answer | _fields(loaded, ctypes.CDLL(str(library)), struct) if struct else answer


def operator(extension: Path) -> dict[str, Any]:
    """A library that registers an operator with PyTorch, which is asked for it."""
    import torch

    torch.ops.load_library(str(extension))  # type: ignore[no-untyped-call]
    return {"got": torch.ops.ours.index_of(torch.zeros(1), "cuda:3").item()}


def python(extension: Path) -> dict[str, Any]:
    """A module, imported under its own name, or else as the file that every Python looks for."""
    found = module.imported(extension.parent, EXTENSION_SUFFIXES)
    taken = found is not None
    if found is None:
        shutil.copyfile(extension, extension.parent / module.RENAMED)
        found = module.imported(extension.parent, EXTENSION_SUFFIXES)
    assert found is not None
    n = -2
    answer = {"taken": taken, "got": found.power(1.5, n)}
    loaded = ctypes.CDLL(str(found.__file__))
    if hasattr(loaded, "layout"):
        where = [list((ctypes.c_int * 4).in_dll(loaded, name)) for name in ("layout", "layout_of_python")]
        first, end = where[1][0], where[1][2] + where[1][3]
        answer |= {"layouts": where, "first": first, "bytes": list(ctypes.string_at(id(n) + first, end - first))}
    return answer


def _fields(ours: ctypes.CDLL, theirs: ctypes.CDLL, struct: Struct) -> dict[str, Any]:
    """Offsets and sizes as each side was compiled with, then the size of all, and the bytes themselves."""
    symbol, *counts = struct
    where = [
        list((ctypes.c_int * (2 * count + 1)).in_dll(side, "layout"))
        for side, count in zip((ours, theirs), counts, strict=True)
    ]
    made = getattr(theirs, symbol)
    made.restype = ctypes.c_void_p
    return {"layouts": where, "first": 0, "bytes": list(ctypes.string_at(made(), where[1][-1]))}

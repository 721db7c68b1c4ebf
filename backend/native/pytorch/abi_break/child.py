"""What the loader and the extension do, in a process of its own: it may end, and a library is loaded for good."""

from __future__ import annotations

import ctypes
import json
import os
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from native.models.alone import alone, reason

SECONDS = 20


Struct = tuple[str, int, int]
"""The function that hands one out, and how many fields it has for the extension and for the library"""


def tried(extension: Path, library: Path, struct: Struct | None) -> dict[str, Any]:
    """What came of loading and calling: ``refused``, or ``got``, and with a struct where its fields lie.

    Raises ``RuntimeError`` if the process ends otherwise.
    """
    with tempfile.TemporaryFile() as told:
        if not (pid := os.fork()):
            alone(partial(_try, extension, library, struct, told.fileno()), SECONDS)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if code:
            raise RuntimeError(f"the extension ended with {reason(code)}")
        told.seek(0)
        return dict(json.loads(told.read()))


def _try(extension: Path, library: Path, struct: Struct | None, told: int) -> None:
    try:
        loaded = ctypes.CDLL(str(extension))
    except OSError as error:
        answer: dict[str, Any] = {"refused": _short(str(error), extension)}
    else:
        loaded.ask.restype = ctypes.c_double
        answer = {"got": loaded.ask()}
        if struct:
            answer |= _fields(loaded, ctypes.CDLL(str(library)), struct)
    os.write(told, json.dumps(answer).encode())


def _fields(ours: ctypes.CDLL, theirs: ctypes.CDLL, struct: Struct) -> dict[str, Any]:
    """Offsets and sizes as each side was compiled with, then the size of all, and the bytes themselves."""
    symbol, *counts = struct
    where = [
        list((ctypes.c_int * (2 * count + 1)).in_dll(side, "layout"))
        for side, count in zip((ours, theirs), counts, strict=True)
    ]
    made = getattr(theirs, symbol)
    made.restype = ctypes.c_void_p
    return {"layouts": where, "bytes": list(ctypes.string_at(made(), where[1][-1]))}


def _short(said: str, extension: Path) -> str:
    """Without the folder of the run."""
    return said.replace(f"{extension.parent}/", "")

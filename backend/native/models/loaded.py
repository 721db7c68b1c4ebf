"""Where in this process's files an address lies, as its loader knows."""

from __future__ import annotations

import ctypes
from pathlib import Path


class Found(ctypes.Structure):
    _fields_ = (("file", ctypes.c_char_p), *((name, ctypes.c_void_p) for name in ("base", "name", "address")))


def file_of(address: ctypes.c_void_p) -> Path | None:
    """The library, or the program as it was called; None if the address lies in neither. It is what dladdr says."""
    find = ctypes.CDLL(None).dladdr
    find.argtypes = [ctypes.c_void_p, ctypes.POINTER(Found)]
    found = Found()
    return Path(found.file.decode()) if find(address, ctypes.byref(found)) and found.file else None

"""Names as C++ writes them, read by the C++ library of the machine."""

from __future__ import annotations

import ctypes


def demangled(symbol: str) -> str:
    """As C++ writes it. The C++ library that torch has loaded knows how; a name of C stays as it is."""
    if not symbol.startswith("_Z"):
        return symbol
    library = ctypes.CDLL("libstdc++.so.6")
    library.__cxa_demangle.restype = ctypes.c_void_p
    status = ctypes.c_int()
    at = library.__cxa_demangle(symbol.encode(), None, None, ctypes.byref(status))
    if not at:
        return symbol
    text = ctypes.string_at(at).decode()
    free = ctypes.CDLL(None).free
    free.argtypes = [ctypes.c_void_p]
    free(at)
    return text

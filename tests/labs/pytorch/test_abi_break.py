"""When an ABI breaks: names against the C++ library's own reading, files against the loader, calls against sums."""

from __future__ import annotations

import ctypes
import itertools
import struct
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from native.models import elf
from native.models.demangled import demangled
from native.pytorch.abi_break import Params, itanium, run, sources, story
from native.pytorch.abi_break.pictures import Break

LIB = Path(torch.__file__).parent / "lib"
CHANGES = ("string", "argument", "argument, C name", "struct", "version", "Python")
ALL = [
    Params(change, interface, rebuilt)  # type: ignore[arg-type]
    for change, interface, rebuilt in itertools.product(CHANGES, ("plain", "stable"), (False, True))
]
REFUSED = {"string", "argument", "version"}


@cache
def log(params: Params) -> list[Break]:
    return list(run(params))


def names() -> list[str]:
    """Of a library of PyTorch, both needed and provided."""
    library = elf.read(LIB / "libc10.so")
    return [each for each in library.needed + library.provided if each.startswith("_Z")]


def test_the_pieces_are_the_name_and_read_as_the_cpp_library_reads_it() -> None:
    read = 0
    for symbol in names():
        try:
            written = itanium.written(symbol)
        except ValueError:  # what is not read is refused, never guessed
            continue
        assert written == demangled(symbol)
        assert "".join(piece.text for piece in itanium.apart(symbol)) == symbol
        read += 1
    assert read > 500


@pytest.mark.parametrize(
    "symbol", ["_Z", "_ZN3c10", "_Z9scale_", "_Z1fS_", "_Z1fS5_", "_Z1fPFivE", "_ZNE", "_Z3fooQ"]
)
def test_a_name_that_is_none_is_refused(symbol: str) -> None:
    with pytest.raises(ValueError):
        itanium.written(symbol)


@pytest.mark.parametrize("params", ALL, ids=str)
def test_only_the_real_breaks_break(params: Params) -> None:
    end = log(params)[-1]
    broken = not params.rebuilt and params.interface == "plain"
    if broken and params.change in REFUSED:
        assert end.stage == "load" and not end.got
        plug = next(each for each in end.plugs if each.fit == "open")
        wanted = plug.symbol.partition("@")
        assert (wanted[2] or wanted[0]) in end.refused
    else:
        assert end.stage == "call" and not end.refused
        assert all(plug.fit == "fits" for plug in end.plugs)
        assert (end.got == end.right) != broken
    assert end.right == f"{ {'string': 3, 'struct': 3 * 4 * 0.5}.get(params.change, 1.5**-2):.6g}"


@pytest.mark.parametrize("params", ALL, ids=str)
def test_what_the_loader_says_is_what_the_plugs_show(params: Params) -> None:
    for event in log(params):
        for plug in event.plugs:
            if plug.fit != "waiting":
                found = plug.symbol in {socket.symbol for socket in event.sockets}
                assert found == (plug.fit == "fits")
        for side in (event.asked, event.offered):
            text = "".join(piece.text for piece in side)
            assert not text or text in {each.symbol for each in (*event.plugs, *event.sockets)}
        if event.asked and event.asked == event.offered:
            assert all(piece.same for piece in event.asked)


def test_a_socket_is_a_symbol_that_the_library_really_has() -> None:
    for socket in log(Params())[1].sockets:
        assert getattr(ctypes.CDLL(str(LIB / "libc10.so")), socket.symbol)


def test_the_bytes_are_those_of_a_struct_as_python_packs_it() -> None:
    """The struct module knows the platform's own alignment."""
    packed = struct.pack("@iiid", 2, 3, 4, 0.5)
    event = log(Params("struct"))[-1]
    assert bytes(event.bytes) == packed
    rows, cols = struct.unpack_from("@ii", packed)
    scale = struct.unpack_from("@d", packed, 8)[0]
    assert event.got == f"{rows * cols * scale:.6g}"
    assert [field.at for field in event.our_fields] == [0, 4, 8]
    assert [field.at for field in event.their_fields] == [0, 4, 8, 16]
    assert all(field.same for field in log(Params("struct", rebuilt=True))[-1].their_fields)


def test_an_argument_of_half_a_register_is_read_as_a_whole_one() -> None:
    assert (-2) % 2**32 == 4_294_967_294 and log(Params("argument, C name"))[-1].got == "inf"


@pytest.mark.skipif(sys.platform != "linux", reason="reads the C library of Linux")
def test_versions_are_those_that_the_loader_finds(tmp_path: Path) -> None:
    """By dlvsym, which takes a name and a version."""
    maths = ctypes.CDLL("libm.so.6")
    path = next(
        Path(line.split()[-1])
        for line in Path("/proc/self/maps").read_text().splitlines()
        if "libm.so.6" in line or "libm-" in line
    )
    find = ctypes.CDLL(None).dlvsym
    find.restype, find.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]
    versions = elf.read(path).versions
    assert len(versions) > 100
    for symbol in ("sin", "exp", "fmod", "pow", "cosf"):
        assert find(maths._handle, symbol.encode(), versions[symbol].encode())
        assert not find(maths._handle, symbol.encode(), b"GLIBC_1.0")


def test_a_compiler_that_refuses_is_heard(monkeypatch: Any) -> None:
    monkeypatch.setattr(sources, "INT", "double power(double x, nothing n);")
    with pytest.raises(RuntimeError, match="nothing"):
        list(run(Params("version")))


def test_the_nearest_name_is_that_with_the_most_letters_from_the_first_on() -> None:
    old, new = "_Z1fPKcRKSs", "_Z1fPKcRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
    assert story._nearest(old, ["_Z1gi", "_Z1fPKcS0_", new]) == 2
    assert story._nearest(old, ["_Z1gi"]) == -1

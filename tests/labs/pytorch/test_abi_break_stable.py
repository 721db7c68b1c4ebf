"""What is stable: PyTorch's headers against its loader, a module against CPython's own list and its importer."""

from __future__ import annotations

import ctypes
import json
import re
import sys
import sysconfig
from functools import cache, partial
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

import pytest
import torch
from labs.contract import LabError
from native.models import elf
from native.models.demangled import demangled
from native.pytorch.abi_break import Params, build, child, module, run, stable_kernel, takers
from native.pytorch.abi_break.pictures import Break

LIST = json.loads(Path(__file__).with_name("stable_abi_3_11.json").read_text())["names"]
ADDED = {"PyErr_SetString", "PyExc_TypeError", "PyLong_AsLong"}
"""What the limited module asks Python for, and the other one reads or has done by another function"""
PRIVATE = "_PyArg_CheckPositional"


@cache
def log(interface: str, rebuilt: bool = False, change: str = "Python") -> list[Break]:
    return list(run(Params(change, interface, rebuilt)))  # type: ignore[arg-type]


def names(event: Break) -> set[str]:
    return {plug.symbol for plug in event.plugs}


def at(stage: str, interface: str, rebuilt: bool = False) -> Break:
    return next(event for event in log(interface, rebuilt) if event.stage == stage)


@pytest.mark.parametrize("release", (0, 1))
def test_the_operator_needs_names_of_c_alone_from_pytorch(release: int, tmp_path: Path) -> None:
    needed = elf.read(stable_kernel.made(release, tmp_path)).needed
    event = log("stable", bool(release), "string")[-1]
    assert {"aoti_torch_library_def", "torch_call_dispatcher", "aoti_torch_new_tensor_handle"} <= names(event)
    loaded = ctypes.CDLL(str(stable_kernel.torch() / "lib/libtorch_cpu.so"))
    for plug in event.plugs:
        assert re.fullmatch(r"(aoti_)?torch_\w+", plug.symbol) and plug.fit == "fits" and plug.promised
        assert getattr(loaded, plug.symbol), "the loader finds what the picture says is there"
    assert not any(part in demangled(name) for name in needed for part in ("at::", "c10::", "torch::"))
    assert event.others == len([name for name in needed if not name.startswith(("_ITM", "__gmon"))]) - len(
        event.plugs
    )


def test_old_strings_are_in_the_operator_and_not_in_what_it_asks_pytorch_for(tmp_path: Path) -> None:
    """The macro does what it says, as the C++ library has either kind."""
    asked = [demangled(name) for name in elf.read(stable_kernel.made(0, tmp_path)).needed]
    if not any("__cxxabiv1" in name for name in asked):
        pytest.skip("built without GCC's library")
    assert not any("__cxx11" in name for name in asked)
    assert any("__cxx11" in demangled(name) for name in elf.read(stable_kernel.made(1, tmp_path)).needed)


def test_the_operator_is_asked_by_pytorch(tmp_path: Path) -> None:
    made = stable_kernel.made(0, tmp_path)

    def answers() -> dict[str, Any]:
        torch.ops.load_library(str(made))
        index = {name: torch.ops.ours.index_of(torch.zeros(2), name) for name in ("cuda:0", "cuda:7", "mps:1")}
        try:
            torch.ops.ours.index_of(torch.zeros(1), "no such thing")
            refused = False
        except RuntimeError:
            refused = True
        shapes = [list(each.shape) for each in index.values()]
        return {"index": {name: each[1].item() for name, each in index.items()}, "no": refused, "shapes": shapes}

    got = child.tried(answers)
    assert got["index"] == {name: torch.device(name).index for name in got["index"]} and len(got["index"]) == 3
    assert got["no"] and got["shapes"] == [[2]] * 3


@pytest.mark.parametrize("interface", ("plain", "stable"))
def test_the_library_of_pytorch_is_the_one_that_the_file_asks_for(interface: str, tmp_path: Path) -> None:
    params = Params("string", interface)  # type: ignore[arg-type]
    asked = elf.read(build.extension(tmp_path, params)).libraries[0]
    assert asked == build.beside(tmp_path, params).name == log(interface, False, "string")[0].library


def test_the_limited_module_needs_what_cpython_lists() -> None:
    """The lab reads the promise from Python.h; the list is CPython's own."""
    limited, full = log("stable")[-1], log("plain", True)[-1]
    assert names(limited) <= set(LIST) and all(plug.promised for plug in limited.plugs)
    assert names(limited) - names(full) == ADDED and names(full) - names(limited) == {PRIVATE}
    for plug in full.plugs:
        assert plug.promised == (plug.symbol in LIST) == (plug.symbol != PRIVATE)
    for event in (limited, full):
        assert all(getattr(ctypes.pythonapi, plug.symbol) for plug in event.plugs)


@pytest.mark.parametrize(
    "code",
    (
        "long whole(PyObject *of) { return (long)PyList_GET_ITEM(of, 0); }",
        "long whole(PyObject *of) { return ((PyListObject *)of)->allocated; }",
        "long whole(PyObject *of) { return ((PyLongObject *)of)->ob_digit[0]; }",
    ),
)
def test_what_is_outside_the_limit_does_not_compile(code: str, tmp_path: Path, monkeypatch: Any) -> None:
    # Up to 3.11 the digits lie in the object itself.
    if "ob_digit" in code and module.HERE >= module.NEW_INT:
        code = code.replace("ob_digit", "long_value.ob_digit")
    whole = "#include <Python.h>\nstatic int two(Py_ssize_t count) {{ return 1; }}\n"
    for before, good in (("", True), ("{within}\n", False)):
        body = code.replace("{", "{{").replace("}", "}}")
        monkeypatch.setattr(module, "LIMITED", f"{before}{whole}static {body}\n")
        folder = tmp_path / str(good)
        folder.mkdir()
        if good:
            assert build.extension(folder, Params("Python", "stable")).exists()
        else:
            with pytest.raises(RuntimeError, match=r"PyList|PyLongObject"):
                build.extension(folder, Params("Python", "stable"))


def test_the_module_raises_what_it_should(tmp_path: Path) -> None:
    def answers(folder: Path) -> dict[str, Any]:
        loaded = module.imported(folder, EXTENSION_SUFFIXES)
        assert loaded is not None
        try:
            loaded.power(1.5)
        except TypeError as error:
            return {"got": [loaded.power(1.5, n) for n in (-3, 0, 1, 5)], "says": str(error)}
        return {}

    for interface in ("plain", "stable"):
        folder = tmp_path / interface
        folder.mkdir()
        build.extension(folder, Params("Python", interface, True))  # type: ignore[arg-type]
        got = child.tried(partial(answers, folder))
        assert got["got"] == pytest.approx([1.5**n for n in (-3, 0, 1, 5)]) and "power" in got["says"]


def test_the_other_layout_gives_the_power_that_it_must() -> None:
    """Of −2 Python 3.11 has the size −1; from 3.12 on, one digit and the sign are 8 + 2."""
    wrong = 1.5 ** ((1 - (-1 & 3)) * 2) if module.HERE < module.NEW_INT else 1.5 ** ((8 + 2) * 2)
    assert log("plain")[-1].got == f"{wrong:.6g}" != log("plain")[-1].right


@pytest.mark.parametrize("rebuilt", (False, True))
def test_the_bytes_are_those_of_an_int(rebuilt: bool) -> None:
    event = at("layout", "plain", rebuilt)
    n = -2
    assert event.first == object.__basicsize__ and sys.getsizeof(n) == event.first + len(event.bytes)
    assert bytes(event.bytes) == ctypes.string_at(id(n) + event.first, len(event.bytes))
    assert event.their_fields[1].value == "2" and event.their_fields[1].at == int.__basicsize__
    assert [field.same for field in event.our_fields] == [rebuilt, True]


def test_a_file_is_found_by_its_end_and_a_wheel_by_its_tags() -> None:
    assert module.suffix(module.HERE) == sysconfig.get_config_var("EXT_SUFFIX") == EXTENSION_SUFFIXES[0]
    assert EXTENSION_SUFFIXES[1:] == [".abi3.so", ".so"]
    for rebuilt in (False, True):
        event = at("find", "plain", rebuilt)
        of = module.built_for(Params("Python", "plain", rebuilt))
        assert [(each.finds, each.installs) for each in event.takers] == [
            (each == of,) * 2 for each in takers.PYTHONS
        ]
    stable = at("find", "stable").takers
    assert all(each.finds for each in stable), "the name does not say since when"
    assert [each.python for each in stable if not each.installs] == ["3.10"]


def test_the_first_picture_does_not_wait_for_the_compiler(monkeypatch: Any) -> None:
    monkeypatch.setattr(build, "_run", None)
    monkeypatch.setattr(stable_kernel, "made", None)
    for change in ("string", "struct", "Python"):
        for interface in ("plain", "stable"):
            assert next(iter(run(Params(change, interface)))).stage == "headers"  # type: ignore[arg-type]


def test_without_headers_of_python_a_sentence_says_so(monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    with pytest.raises(LabError, match=rf"install python3\.{sys.version_info[1]}-dev"):
        list(run(Params("Python")))


def test_a_kernel_that_nobody_built_is_built_by_the_run(monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.setattr(stable_kernel, "BUILT", tmp_path)
    asked: list[int] = []

    def build_it(release: int, into: Path) -> Path:
        asked.append(release)
        return into

    monkeypatch.setattr(stable_kernel, "build", build_it)
    stable_kernel.made(1, tmp_path)
    stable_kernel.make_ready()
    assert asked == [1, 0, 1]

"""What the chapter on packaging and ABI says of promises: PyTorch's stable headers, Python's limited API."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from abi_runs import TORCH, end, exported
from article import Article
from native.models import elf
from native.models.demangled import demangled
from native.pytorch.abi_break import Params, sources, stable_kernel

says = Article("pytorch/19-packaging-and-abi.mdx").says


def test_the_promise() -> None:
    says(
        "a new function is added, with `_v2` behind its name, and the old function stays",
        "It is compiled with the old strings, and PyTorch loads and calls it all the same",
        "a tensor and a `std::string` come in, and a tensor goes out",
    )
    shim = (TORCH / "include/torch/csrc/inductor/aoti_torch/c/shim.h").read_text()
    assert "you will have to add a _v2 version" in " ".join(shim.replace("//", " ").split())
    for rebuilt in (False, True):
        assert end(interface="stable", rebuilt=rebuilt).got == "3"
    assert "Tensor index_of(Tensor like, std::string device)" in stable_kernel.CODE
    flags = [sources.extension(Params(interface="stable", rebuilt=each)).flags for each in (False, True)]
    assert flags == [("-D_GLIBCXX_USE_CXX11_ABI=0",), ("-D_GLIBCXX_USE_CXX11_ABI=1",)]
    assert end(change="struct", interface="stable").got == "6"


STABLE = """
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
torch::stable::Tensor same(torch::stable::Tensor x) { return torch::stable::clone(x); }
STABLE_TORCH_LIBRARY(underhood_abi, m) { m.def("same(Tensor x) -> Tensor"); }
STABLE_TORCH_LIBRARY_IMPL(underhood_abi, CPU, m) { m.impl("same", TORCH_BOX(&same)); }
"""


def test_the_operator_of_the_stable_headers_needs_names_of_c_alone() -> None:
    says(
        "`torch/csrc/stable/library.h` brings a macro, `STABLE_TORCH_LIBRARY`, and a class,",
        "All 16 names that this operator asks PyTorch for are C names, such as `aoti_torch_library_def` and",
        "PyTorch's headers of stable functions declare all of them",
        "from a pointer and a length that `torch_string_c_str` and `torch_string_length` hand over",
        "`torch::Library::_def(c10::FunctionSchema&&, …)`",
    )
    event = end(interface="stable")
    names = {plug.symbol for plug in event.plugs}
    assert len(names) == 16 and names <= set(exported("libtorch_cpu.so").provided)
    assert {"aoti_torch_library_def", "torch_call_dispatcher", "torch_string_c_str", "torch_string_length"} <= names
    assert not any(name.startswith("_Z") for name in names) and all(plug.promised for plug in event.plugs)
    assert "STABLE_TORCH_LIBRARY(ours, m)" in stable_kernel.CODE and "torch::stable::Tensor" in stable_kernel.CODE
    ordinary = [demangled(name) for name in exported("libtorch_cpu.so").provided if "7Library4_def" in name]
    assert any(name.startswith("torch::Library::_def(c10::FunctionSchema&&") for name in ordinary)


def test_the_operator_of_chapter_9_compiles_and_needs_names_of_c_alone(tmp_path: Path) -> None:
    assert STABLE in Article("pytorch/09-a-cpp-extension.mdx").text
    (tmp_path / "stable.cpp").write_text(STABLE)
    include = f"-I{TORCH / 'include'}"
    command = ["g++", "-std=c++20", "-O0", "-fPIC", "-shared", include, "stable.cpp", "-o", "stable.so"]
    subprocess.run(command, cwd=tmp_path, check=True)
    library = elf.read(tmp_path / "stable.so")
    of_torch = {name for file in ("libtorch_cpu.so", "libc10.so") for name in exported(file).provided}
    asked = of_torch & set(library.needed)
    asked -= set(library.versions)  # what PyTorch exports by chance of the C++ library is that library's
    assert {"aoti_torch_library_def", "torch_call_dispatcher"} <= asked
    assert not any(name.startswith("_Z") for name in asked)
    assert not any(part in demangled(name) for name in library.needed for part in ("at::", "c10::"))


def test_an_int_with_the_header_of_another_python() -> None:
    says(
        "Up to Python 3.11 the field `ob_size` holds the number of digits, and is negative if the `int` is",
        "the sign is in the two lowest bits, and the number of digits starts at the fourth",
        "finds every name that it needs, reads a wrong number, and returns a wrong power",
    )
    wrong = end(change="Python")
    assert all(plug.fit == "fits" for plug in wrong.plugs) and wrong.got != wrong.right == "0.444444"
    count = next(field for field in wrong.their_fields if field.name != "ob_digit[0]")
    if sys.version_info < (3, 12):
        assert (count.name, count.value) == ("ob_size", "-1") and wrong.got == "0.197531"
    else:
        assert (count.name, count.value) == ("lv_tag", str(1 << 3 | 2))
    says("$(1 - 3) \\cdot 2 = -4$. The power of 1.5 is then 0.197531 in place of 0.444444")
    assert (1 - (-1 & 3)) * 2 == -4 and f"{1.5**-4:.6g}" == "0.197531"


def test_the_files_in_other_pythons() -> None:
    """Five Pythons were asked once, and what they said lies beside this test."""
    says(
        "Python 3.12 and 3.13 take it, and answer 3325.26 where 0.444444 is right",
        "We gave ours to Python 3.11, 3.12 and 3.13, and each gave the right answer",
    )
    known = json.loads(Path(__file__).with_name("python_abi_files.json").read_text())
    pythons = [each.rpartition(".")[0] for each in known["pythons"]]
    limited = dict(zip(pythons, known["stats.abi3.so"], strict=True))
    renamed = dict(zip(pythons, known["the same, renamed to stats.so"], strict=True))
    full = dict(zip(pythons, known["stats.cpython-311-x86_64-linux-gnu.so"], strict=True))
    assert all(f"{limited[each][0]:.6g}" == "0.444444" for each in ("3.11", "3.12", "3.13"))
    assert [each for each in pythons if full[each]] == ["3.11"]
    for each in ("3.12", "3.13"):
        assert f"{renamed[each][0]:.6g}" == "3325.26" == f"{1.5 ** ((1 << 3 | 2) * 2):.6g}"
        assert renamed[each][1] == pytest.approx(1.5 ** ((1 << 3) * 2))


def test_the_limited_module() -> None:
    says(
        "the module needs six names instead of four",
        "`PyLong_AsLong` does what the fields did",
        "`PyErr_SetString` with `PyExc_TypeError` does what the private `_PyArg_CheckPositional` did",
        "CPython keeps a list of what it promises, and all six are on it",
    )
    limited, full = (
        {plug.symbol for plug in end(change="Python", interface=each).plugs} for each in ("stable", "plain")
    )
    assert (len(limited), len(full)) == (6, 4) and full - limited == {"_PyArg_CheckPositional"}
    assert limited - full == {"PyLong_AsLong", "PyErr_SetString", "PyExc_TypeError"}
    listed = Path(__file__).parents[1] / "labs/pytorch/stable_abi_3_11.json"
    assert limited <= set(json.loads(listed.read_text())["names"])
    says("Python 3.10 would find the file, but its pip does not install the wheel", "`cp311-abi3`")
    says("Four and five. If you copy files without pip")
    event = end(change="Python", interface="stable")
    assert event.wheel.startswith("cp311-abi3-") and event.file == "stats.abi3.so"
    assert {each.python: (each.finds, each.installs) for each in event.takers} == {
        "3.10": (True, False),
        **{f"3.{minor}": (True, True) for minor in range(11, 15)},
    }

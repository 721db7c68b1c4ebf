"""What the chapter on packaging and ABI says, asked of its labs, PyTorch's libraries and Python's importer."""

from __future__ import annotations

import importlib.util
import json
import re
import struct
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, FileFinder
from pathlib import Path
from typing import Any

import torch
from abi_runs import TORCH, end, exported
from article import Article
from native.models.demangled import demangled
from native.pytorch.abi_break import Params, itanium, sources
from native.pytorch.cpp_extension.source import DECLARED
from native.pytorch.wheel_tags import Params as Platform
from native.pytorch.wheel_tags import run as resolve

ARTICLE = "pytorch/19-packaging-and-abi.mdx"
says = Article(ARTICLE).says
OLD = "_ZN3c106DeviceC1ERKSs"
NEW = "_ZN3c106DeviceC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"


def chosen(**params: Any) -> str:
    return list(resolve(Platform(**params)))[-1].chosen


def test_the_message() -> None:
    says(
        r'"undefined symbol: \_ZN3c106DeviceC1ERKSs". The extension asks PyTorch',
        "`6Device` says what is constructed, and the last two letters say why it fails",
        "in the place of `Ss`",
    )
    assert end().refused == f"extension.so: undefined symbol: {OLD}"
    assert NEW in exported("libc10.so").provided and OLD not in exported("libc10.so").provided
    assert demangled(OLD) == "c10::Device::Device(std::string const&)"
    assert torch.compiled_with_cxx11_abi()
    says("The source says `std::string` either way")
    assert all("std::string" in line or "string" not in line for line in sources.DEVICE.splitlines())


def test_the_pieces() -> None:
    says("`3c10`, `6Device`", "`C1` is a constructor", "`R` for a reference, `K` for const, and `Ss`")
    pieces = [piece.text for piece in itanium.apart(OLD)]
    assert pieces == ["_Z", "N", "3c10", "6Device", "C1", "E", "R", "K", "Ss"]
    says("`NSt7__cxx1112basic_string…`")
    assert NEW.removeprefix(OLD[:-2]).startswith("NSt7__cxx1112basic_string")


def test_a_changed_argument() -> None:
    says("A string inside a struct is not caught")
    says("`_Z5powerdi` becomes `_Z5powerdl`", "The type of the result is *not* in the name of a plain function")
    assert end(change="argument").refused.endswith("_Z5powerdi")
    assert end(change="argument").sockets[0].symbol == "_Z5powerdl"


def test_the_struct() -> None:
    says(
        "computes 1.18576e-322 where 6 would be right",
        "The names fit, and all three fields are misread",
        "takes the batch for rows, rows for columns, and the columns with four bytes of padding for a `double`",
        "| 1 | `int rows, cols; double scale;` | 0 | 8 |",
        "| 2 | `int batch, rows, cols; double scale;` | 4 | 16 |",
    )
    event = end(change="struct")
    assert (event.got, event.right) == ("1.18576e-322", "6")
    assert not any(field.same for field in event.our_fields) and len(event.our_fields) == 3
    ours, theirs = ({field.name: field.at for field in side} for side in (event.our_fields, event.their_fields))
    assert (ours["rows"], ours["scale"], theirs["rows"], theirs["scale"]) == (0, 8, 4, 16)
    assert struct.unpack("<d", struct.pack("<i4x", 4))[0] * 2 * 3 == float("1.18576e-322")


def test_the_offsets() -> None:
    says(r"o_k = a_k \left\lceil \frac{o_{k-1} + s_{k-1}}{a_k} \right\rceil")
    for side in (end(change="struct").our_fields, end(change="struct").their_fields):
        before = 0
        for field in side:
            assert field.at == -(-before // field.size) * field.size  # these are aligned to their sizes
            before = field.at + field.size


def test_a_name_of_c() -> None:
    says("the library sees 4,294,967,294. The result is infinity")
    assert end(change="argument, C name").got == "inf" and -2 % 2**32 == 4_294_967_294


def test_versions() -> None:
    says("``version `STATS_2.0' not found``", "it builds against release 1")
    assert end(change="version").refused == "libstats.so: version `STATS_2.0' not found (required by extension.so)"
    plain, stable = (sources.extension(Params("version", each)) for each in ("plain", "stable"))  # type: ignore[arg-type]
    assert plain.text == stable.text
    assert sources.built_against(Params("version", "stable")) == 0


def test_a_break_between_two_releases() -> None:
    """The names of 2.8 were asked once, and lie beside this test with where they are from."""
    says("looked in the libraries of PyTorch 2.8 for each of the 13 PyTorch names that it needs. Two are not there")
    known = json.loads(Path(__file__).with_name("torch_2_8_symbols.json").read_text())
    here = set(exported("libtorch_cpu.so").provided) | set(exported("libc10.so").provided)
    here |= set(exported("libtorch_python.so").provided)
    assert set(known["needed"]) <= here and len(known["needed"]) == 13 and len(known["absent_in_2_8"]) == 2
    says("The argument that was a vector of `at::Tag` is now a vector of `torch::headeronly::Tag`")
    (asked,) = (name for name in known["absent_in_2_8"] if "7Library4_def" in name)
    old = [demangled(name) for name in known["def_in_2_8"]]
    assert demangled(asked).replace("torch::headeronly::Tag", "at::Tag") in old and demangled(asked) not in old
    says("since `at::Tag` is still an alias")
    tags = (TORCH / "include/torch/headeronly/core/enum_tag.h").read_text()
    assert "using torch::headeronly::Tag;" in tags
    says("All 15 functions of C that the extension of [chapter 9](/pytorch/a-cpp-extension/)")
    says("needs are in both releases")
    names = set(re.findall(r"(aoti_torch_\w+)\(", DECLARED))
    assert len(names) == 15 and names == set(known["shim_in_2_8"]) and names <= here
    says("the `torch_call_dispatcher` of the stable headers is not in 2.8")
    assert "torch_call_dispatcher" in here and not known["torch_call_dispatcher_in_2_8"]


def test_the_names_of_extension_modules(tmp_path: Path) -> None:
    says("`stats.cpython-312-x86_64-linux-gnu.so` is not even found by Python 3.13", "one `stats.abi3.so` serves")
    assert ".abi3.so" in EXTENSION_SUFFIXES
    for file, found in (("stats.cpython-312-x86_64-linux-gnu.so", False), ("stats.abi3.so", True)):
        folder = tmp_path / file
        folder.mkdir()
        (folder / file).touch()
        suffixes = [".cpython-313-x86_64-linux-gnu.so", ".abi3.so", ".so"]
        finder = FileFinder(str(folder), (ExtensionFileLoader, suffixes))
        assert bool(finder.find_spec("stats")) == found


def test_wheels() -> None:
    says(
        "the wheel for exactly this Python is out, and the one with the stable ABI wins",
        "takes the same",
        "it accepts no `abi3`. It has a stable ABI of its own, `abi3t`",
        "pip takes that tag for older versions, too",
    )
    exact, stable = (
        "cp312-cp312-manylinux_2_28_x86_64.whl",
        "cp310-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
    )
    assert chosen() == f"stats-1.0-{exact}"
    assert chosen(glibc=17) == f"stats-1.0-{stable}" == chosen(python="3.14")
    threaded = list(resolve(Platform(python="3.13", free_threaded=True)))[-1]
    assert "cp313t" in threaded.chosen and {band.abi for band in threaded.bands} >= {"abi3t"}
    assert not any(band.abi == "abi3" for band in threaded.bands)


def test_the_exercises() -> None:
    says("`at::_ops::relu::call(at::Tensor const&)`: four parts, and one argument")
    assert demangled("_ZN2at4_ops4relu4callERKNS_6TensorE") == "at::_ops::relu::call(at::Tensor const&)"
    says(
        "Python 3.12 on Windows has a single tag for its platform",
        "$27 \\cdot 28 + 15 = 771$",
        "42: one triple for each of the 27 pairs",
    )
    windows = list(resolve(Platform(python="3.12", system="Windows")))[-1]
    assert {band.count for band in windows.bands if band.python.startswith("cp") and band.first == 0} == {1}
    assert (list(resolve(Platform(python="3.12")))[-1].count, windows.count) == (27 * 28 + 15, 27 + 15)


def test_the_task_writes_what_the_cpp_library_reads() -> None:
    path = Path(__file__).parents[2] / "content/pytorch/tasks/mangled.py"
    spec = importlib.util.spec_from_file_location("mangled_task", path)
    assert spec and spec.loader
    task = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(task)
    for name, takes in task.cases():
        assert demangled(task.mangled(name, takes)) == f"{'::'.join(name)}({', '.join(takes)})"

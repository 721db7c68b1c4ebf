"""The road to torch.ops: what the lab says of libraries, symbols and results, against other readers of the same."""

from __future__ import annotations

import json
import mmap
import os
import re
import struct
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from native.models import elf
from native.models.alone import alone
from native.models.demangled import demangled
from native.pytorch.cpp_extension import Params, build, calls, child, clock, run, source
from native.pytorch.cpp_extension.pictures import STATIONS, Road
from native.pytorch.cpp_extension.symbols import provider

OPS = ("scale_add", "relu_squared", "sum_squares")
LIGHT = "declarations of our own"
TORCH = Path(torch.__file__).parent / "lib/libtorch_cpu.so"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Params], Path]:
    """Each is built once for all tests."""
    torch.testing.assert_close(torch.ones(1), torch.ones(1))  # takes a second the first time: not in each process

    @cache
    def made(params: Params) -> Path:
        folder = tmp_path_factory.mktemp("extension")
        (folder / source.FILE).write_text(source.text(params))
        for step in STATIONS[:3]:
            done = build.take(folder, step, params.level, not params.unlinked)
            assert not done.failed, done.says
        return folder / build.MADE["link"]

    return made


def elsewhere(work: Callable[[], Any], tmp_path: Path) -> Any:
    """What ``work`` returns in a process of its own, in which a library may be loaded for good."""
    answer = tmp_path / "answer"
    if not (pid := os.fork()):
        alone(lambda: answer.write_text(json.dumps(work())) and None, 20)
    assert os.waitpid(pid, 0)[1] == 0
    return json.loads(answer.read_text())


def against_torch(path: Path, op: str) -> list[str]:
    """Tensors for which the operator is not what Python computes from the definition, in double precision."""
    torch.set_num_threads(1)
    torch.ops.load_library(str(path))
    wrong = []
    made = torch.Generator().manual_seed(1)
    for shape in [(), (0,), (1,), (7,), (3, 5), (2, 3, 4), (1, 1, 9), (1000,), (0, 3), (64, 65)]:
        x, y = (torch.randn(shape, generator=made) for _ in range(2))
        ours = calls.operator(op)(*calls.given(op, x, y))
        p, q = x.double(), y.double()
        exact = {
            "scale_add": lambda p=p, q=q: calls.A * p + q,
            "relu_squared": lambda p=p: torch.where(p > 0, p * p, 0.0),
            "sum_squares": lambda p=p: (p * p).sum(),
        }[op]()
        try:
            torch.testing.assert_close(ours, exact.float())
        except AssertionError as error:
            wrong.append(f"{shape}: {error}")
        for other in (x.double(), x.int(), x.half()):  # never read as if they were floats
            try:
                calls.operator(op)(*calls.given(op, other, other))
                wrong.append(f"{shape}: {other.dtype} passed")
            except RuntimeError as error:
                if "must be float32" not in str(error):
                    wrong.append(str(error))
        if x.dim() > 1 and x.numel() and not x.T.is_contiguous():
            try:
                calls.operator(op)(*calls.given(op, x.transpose(0, -1), y.transpose(0, -1)))
                wrong.append(f"{shape}: transposed passed")
            except RuntimeError:
                pass
    return wrong


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("op", OPS)
def test_the_operator_computes_what_it_says(op: Any, library: Any, tmp_path: Path) -> None:
    path = library(Params(op=op, headers=LIGHT))
    assert elsewhere(partial(against_torch, path, op), tmp_path) == []


class Reader:
    """What a library defines, found as the loader does: by segments and the hash table, not by sections."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self.data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        at, count = self.word("<Q", 32), self.word("<H", 56)
        self.segments = [struct.unpack_from("<IIQQQQ", self.data, at + 56 * each) for each in range(count)]
        _, _, offset, _, _, size = next(each for each in self.segments if each[0] == 2)
        self.entries = list(struct.iter_unpack("<QQ", self.data[offset : offset + size // 16 * 16]))
        first = dict(self.entries[::-1])
        self.hash, self.names, self.symbols = (self.place(first[tag]) for tag in (0x6FFFFEF5, 5, 6))

    def word(self, format: str, at: int) -> int:
        return int(struct.unpack_from(format, self.data, at)[0])

    def place(self, address: int) -> int:
        return next(s[2] + address - s[3] for s in self.segments if s[0] == 1 and s[3] <= address < s[3] + s[5])

    def text(self, at: int) -> str:
        return self.data[self.names + at : self.data.find(b"\0", self.names + at)].decode()

    def libraries(self) -> list[str]:
        return [self.text(value) for tag, value in self.entries if tag == 1]

    def defines(self, name: str) -> bool:
        code = 5381
        for letter in name.encode():
            code = (33 * code + letter) & 0xFFFFFFFF
        buckets, offset, bloom, _ = struct.unpack_from("<IIII", self.data, self.hash)
        table = self.hash + 16 + 8 * bloom
        at = self.word("<I", table + 4 * (code % buckets))
        while at >= offset:
            link = self.word("<I", table + 4 * (buckets + at - offset))
            if link | 1 == code | 1 and self.text(self.word("<I", self.symbols + 24 * at)) == name:
                return self.word("<H", self.symbols + 24 * at + 6) != 0
            at = 0 if link & 1 else at + 1
        return False


@pytest.mark.parametrize("op", OPS)
def test_symbols_are_those_that_the_source_calls_and_torch_defines(op: Any, library: Any) -> None:
    params = Params(op=op, headers=LIGHT)
    path = library(params)
    found, reader, torchs = elf.read(path), Reader(path), Reader(TORCH)
    assert found.needed == sorted({*re.findall(r"aoti_torch_\w+(?=\()", source.body(params))})
    assert all(torchs.defines(each) for each in found.needed) and not torchs.defines("nobody")
    assert {provider(each, found.libraries) for each in found.needed} == {TORCH.name}
    assert found.libraries == reader.libraries() == [TORCH.name]
    assert all(map(reader.defines, found.provided)) and not any(map(reader.defines, found.needed))
    names = {demangled(each).partition("(")[0] for each in found.provided}
    assert {op, "nothing", "loop", "loops", "results", "result_for"} <= names


def test_a_symbol_has_the_provider_that_has_it_in_its_table() -> None:
    others = {"c10": "_ZN3c1015GetCPUAllocatorEv", "libc": "strlen"}
    assert provider(others["c10"], [TORCH.name]) == "libc10.so"
    assert Reader(TORCH.with_name("libc10.so")).defines(others["c10"])
    assert provider(others["libc"], []).startswith("libc.")
    assert provider("nobody_has_this", [TORCH.name]) == ""
    assert demangled("_Z5timesff") == "times(float, float)" and demangled("strlen") == "strlen"
    assert demangled("_Znonsense") == "_Znonsense"


def last(**params: Any) -> Road:
    *_, event = run(Params(**{"headers": LIGHT, "repetitions": 5, "n": 16, **params}))
    return event


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Headers of torch take seconds, and so does a careful measurement."""
    monkeypatch.setattr(clock, "PATIENCE", 0.02)
    monkeypatch.setattr(source, "HEADERS", {LIGHT: source.DECLARED, "none": "int x;\n\n#define Y 3\nint y = Y;\n"})


def test_the_whole_road() -> None:
    log = list(run(Params(headers=LIGHT, repetitions=5)))
    assert [event.stage for event in log] == [
        *["source", "preprocess", "compile", "link", "symbols", "load", "first call"],
        *["check", "time", "headers"],
    ]
    end = log[-1]
    compiled, linked, found = log[2:5]
    assert compiled.needed == linked.needed == found.needed and compiled.provided == found.provided
    assert not any((*compiled.provider, *linked.provider)) and all(found.provider)
    assert set(end.state) == {"done"} and (end.seconds > 0).all() and all(end.command) and not end.error
    assert end.registered[0] == "schema: underhood::scale_add(Tensor x, Tensor y, float a) -> Tensor"
    line = int(end.registered[1].removeprefix("CPU: registered at extension.cpp:"))
    text = source.text(Params(headers=LIGHT)).splitlines()
    assert 'init_impl("underhood", "CPU"' in text[line - 1]
    assert end.header_lines.tolist()[1] == 2
    refused = {row.name for row in end.checks if row.outcome == "refused"}
    assert refused == {"float64, 24", "float32, transposed", "float32, every second"}
    assert {row.outcome for row in end.checks} == {"refused", "equal"}
    assert (end.ways > 0).all() and (end.parts[:3] > 0).all()
    medians = end.ways[0, 1] - end.parts[:, 1].sum()  # a median of differences is not a difference of medians
    assert abs(medians) < 0.5 * end.ways[0, 1]


def test_missing_checks_give_wrong_numbers() -> None:
    event = last(unchecked_type=True, unchecked_strides=True, op="relu_squared")
    wrong = {row.name: row for row in event.checks if row.outcome == "wrong"}
    assert set(wrong) == {"float64, 24", "float32, transposed", "float32, every second"}
    x, _ = calls.cases()["float64, 24"]
    read = np.maximum(x.numpy().view(np.float32)[:3], 0) ** 2  # the same bytes, as NumPy reads them
    assert wrong["float64, 24"].got == ", ".join(f"{each:.3g}" for each in read)
    x, _ = calls.cases()["float32, every second"]
    dense = torch.as_strided(x, (3,), (1,)).clamp(0) ** 2
    assert wrong["float32, every second"].got == ", ".join(f"{each:.3g}" for each in dense.tolist())


@pytest.mark.parametrize(
    ("params", "stage", "says"),
    [
        ({"undefined": True}, "load", "extension.so: undefined symbol: _Z5timesff"),
        ({"undefined": True, "binding": "lazy"}, "first call", "extension.so: undefined symbol: _Z5timesff"),
        ({"unlinked": True}, "load", "extension.so: undefined symbol: aoti_torch_"),
        ({"unlinked": True, "binding": "lazy"}, "load", "undefined symbol: aoti_torch_library_init_def"),
        ({"wrong_key": True}, "first call", "Could not run 'underhood::scale_add' with arguments from the 'CPU'"),
    ],
)
def test_where_a_mistake_ends_the_road(params: dict[str, Any], stage: str, says: str) -> None:
    log = list(run(Params(**{"headers": LIGHT, **params})))
    failed = next(event for event in log if event.error)
    assert failed.stage == stage and says in failed.error
    assert failed.state[STATIONS.index(stage)] == "failed"
    assert log[-1].stage == "headers" and not log[-1].checks
    without = [who for who in log[4].provider if not who]
    assert len(without) == {"undefined": 1, "unlinked": len(log[4].needed), "wrong_key": 0}[next(iter(params))]


def test_a_reader_who_leaves_ends_the_other_process(library: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made, fork = [], os.fork
    monkeypatch.setattr(os, "fork", lambda: made.append(fork()) or made[-1])
    steps = child.steps(library(Params(headers=LIGHT)), Params(headers=LIGHT))
    assert next(steps)["step"] == "load"
    steps.close()
    (pid,) = made
    with pytest.raises(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def test_without_optimisation_the_loop_takes_longer() -> None:
    slow, fast = (last(level=level, n=1024).parts[0, 1] for level in ("-O0", "-O2"))
    assert slow > 2 * fast


def test_a_file_that_is_no_library_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.so").write_text("no")
    with pytest.raises(ValueError, match=r"x\.so is no ELF file"):
        elf.read(tmp_path / "x.so")

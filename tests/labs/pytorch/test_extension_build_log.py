"""The build log beside the compiler's own words, and names that a file leaves open beside nm and the loader."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from native.models import elf
from native.models.kernel import caches
from native.pytorch.cpp_extension import Params, build, clock, run, source
from native.pytorch.cpp_extension.pictures import STATIONS

LIGHT = "declarations of our own"


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "PATIENCE", 0.02)
    monkeypatch.setattr(source, "HEADERS", {LIGHT: source.DECLARED})


def test_the_build_log_is_what_the_compiler_prints(tmp_path: Path) -> None:
    """Beside the same source, given to the same compiler in one go from another folder."""
    for params in (Params(headers=LIGHT), Params(headers=LIGHT, op="relu_squared", unchecked_type=True)):
        (tmp_path / source.FILE).write_text(source.text(params))
        steps = [build.take(tmp_path, step) for step in STATIONS[:3]]
        command = [sys.executable, "-m", "ziglang", "c++", "-std=c++20", "-O2", *build.WARNINGS, "-fPIC"]
        command += ["-fno-sanitize=all", "-c", source.FILE, "-o", "other.o"]
        environment = {**os.environ, **caches(tmp_path)}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert [step.says for step in steps] == ["", done.stderr.strip(), ""]
        assert "warning: unused parameter" in done.stderr
        assert all(str(tmp_path) not in step.command + step.says for step in steps)
    torchs = f"{build.TORCH}/include/x.h:1: note: y\n{tmp_path}/extension.cpp:2:1: error: z\n"
    assert build.printed(torchs, tmp_path) == "$TORCH/include/x.h:1: note: y\nextension.cpp:2:1: error: z"


def test_a_call_with_an_argument_too_few_ends_at_the_compiler() -> None:
    log = list(run(Params(headers=LIGHT, argument=True)))
    assert [event.stage for event in log] == ["source", "preprocess", "compile"]
    end = log[-1]
    text = source.text(Params(headers=LIGHT, argument=True)).splitlines()
    line = next(at for at, each in enumerate(text, 1) if "aoti_torch_get_numel(x);" in each)
    assert end.output[1].startswith(f"extension.cpp:{line}:3: error: no matching function for call")
    assert end.state == ["done", "failed", "waiting", "waiting", "waiting"] and not end.needed
    assert end.error == "no matching function for call to 'aoti_torch_get_numel'"


def test_an_object_file_names_what_the_tool_of_the_system_names(tmp_path: Path) -> None:
    (tmp_path / source.FILE).write_text(source.text(Params(headers=LIGHT)))
    assert not any(build.take(tmp_path, step).failed for step in STATIONS[:2])
    path = tmp_path / build.MADE["compile"]
    tool = shutil.which("nm")
    assert tool, "of binutils, as a compiler of the system has it"
    lines = subprocess.run([tool, "-g", path], capture_output=True, text=True, check=True).stdout.splitlines()
    of = {kind: sorted(line.split()[-1] for line in lines if line.split()[-2] in kind) for kind in ("U", "TDBR")}
    found = elf.read(path)
    assert (found.needed, found.provided, found.libraries) == (of["U"], of["TDBR"], [])


@pytest.mark.parametrize("binding", ["lazy", "now"])
def test_the_loader_has_the_addresses_of_what_was_called(binding: Any) -> None:
    """By the source: lazily, those that the constructor calls, and then those that a call without an error does."""
    log = {event.stage: event for event in run(Params(headers=LIGHT, binding=binding, repetitions=5, n=16))}
    body = source.body(Params())
    names = partial(re.findall, r"aoti_torch_\w+(?=\()")
    start, end = body.index("Register() {"), body.index("registers;")
    constructor, rest = {*names(body[start:end])}, {*names(body[:start])}

    def known(stage: str) -> set[str]:
        return {name for name, known in zip(log[stage].needed, log[stage].bound, strict=True) if known}

    assert not any((*log["compile"].bound, *log["symbols"].bound))
    everything = set(log["symbols"].needed)
    assert everything == constructor | rest
    assert known("load") == (constructor if binding == "lazy" else everything)
    assert known("first call") == (everything - {"aoti_torch_check"} if binding == "lazy" else everything)

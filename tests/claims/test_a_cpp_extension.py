"""What the chapter on a C++ extension says, asked of its lab, of its recordings and of the loader."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from article import Article, recorded
from native.models.demangled import demangled
from native.pytorch.cpp_extension import Params, build, calls, child, clock, run, source
from native.pytorch.cpp_extension.pictures import STATIONS, Road
from torch.utils import cpp_extension

says = Article("pytorch/09-a-cpp-extension.mdx").says
LIGHT = "declarations of our own"


@pytest.fixture(autouse=True)
def no_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "PATIENCE", 0.02)
    monkeypatch.setattr(source, "HEADERS", {LIGHT: source.DECLARED})


@cache
def logged(params: Params) -> list[Road]:
    return list(run(params))


def log(**params: Any) -> list[Road]:
    return logged(Params(**{"headers": LIGHT, "repetitions": 5, **params}))


def states(**params: Any) -> list[str]:
    return log(**params)[-1].state


def made(folder: Path, params: Params) -> Path:
    (folder / source.FILE).write_text(source.text(params))
    for step in STATIONS[:3]:
        assert not build.take(folder, step, params.level, not params.unlinked).failed
    return folder / build.MADE["link"]


def test_where_the_seconds_go() -> None:
    says(
        "itself declares the fifteen functions that it calls",
        "for a library of the same size",
        "All these lines are read before the first",
    )
    default, light = (recorded("pytorch/cpp_extension", name)[-1] for name in ("default", "light"))
    assert len(default["needed"]) == len(light["needed"]) == 15
    assert len(set(re.findall(r"aoti_torch_\w+(?=\()", source.DECLARED))) == 15
    assert default["size"] == light["size"]
    seconds = STATIONS.index("compile")
    assert default["seconds"][seconds] > 5 * light["seconds"][seconds]
    assert default["header_lines"][-1] > 2 * default["lines"] > 100 * light["lines"]


def test_the_linker_is_content() -> None:
    says("three stations light up as before, and the fourth fails", "undefined symbol: _Z5timesff")
    assert states(undefined=True) == ["done", "done", "done", "failed", "waiting"]
    says(
        "a name of 5 letters, `times`, which takes a `float` and a `float`", "`_Z9scale_addff` is a function called"
    )
    assert demangled("_Z5timesff") == "times(float, float)"
    assert demangled("_Z9scale_addff") == "scale_add(float, float)"


def test_a_library_that_does_not_ask_for_torch_does_not_see_it() -> None:
    says("The command names one library to link against, `libtorch_cpu.so`", "Yet the loader finds none of them")
    symbols = log()[4]
    assert symbols.libraries == ["libtorch_cpu.so"] and all(symbols.provider)
    assert not any(log(unlinked=True)[4].provider)


def test_lazily(tmp_path: Path) -> None:
    says(
        "`torch.ops.load_library` always asks for the first",
        "the loader ends the process with the exit code 127",
        "the extension loads and registers its operator",
    )
    path = made(tmp_path, Params(headers=LIGHT, undefined=True))
    assert child.LOST == 127
    *_, end = child.steps(path, Params(headers=LIGHT, undefined=True, binding="lazy"))
    assert end["exit"] == 127
    program = "import sys, torch; torch.ops.load_library(sys.argv[1])"
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True)
    assert done.returncode == 1 and "undefined symbol: _Z5timesff" in done.stderr
    assert states(undefined=True, binding="lazy") == ["done"] * 4 + ["failed"]


def test_what_the_log_and_the_loader_show() -> None:
    says(
        "prints a warning about a parameter that is never used",
        "the names then go over to the library that defines them",
        "Only the functions that the registration calls have an address by then",
    )
    compiled = recorded("pytorch/cpp_extension")[2]
    assert compiled["output"][1].count("warning:") == 1 and "unused parameter" in compiled["output"][1]
    loaded = next(event for event in recorded("pytorch/cpp_extension") if event["stage"] == "load")
    assert all(loaded["bound"]) and not any(compiled["bound"])
    lazily = next(event for event in log(undefined=True, binding="lazy") if event.stage == "load")
    known = {name for name, bound in zip(lazily.needed, lazily.bound, strict=True) if bound}
    assert known == {name for name in lazily.needed if name.startswith("aoti_torch_library_")}


def test_the_registration() -> None:
    says(
        "four functions of PyTorch: one makes a namespace, one adds a schema",
        "`scale_add(Tensor x, Tensor y, float a) -> Tensor`",
        "the operator exists, and has no kernel for these tensors",
    )
    body = source.body(Params())
    constructor = body[body.index("Register() {") : body.index("registers;")]
    assert len(set(re.findall(r"aoti_torch_\w+", constructor))) == 4
    end = log(wrong_key=True)[-1]
    assert end.registered[1].startswith("CUDA") and "Could not run 'underhood::scale_add'" in end.error
    assert not any("egister" in name for name in log()[4].provided)


def test_wrong_numbers_without_an_error() -> None:
    says(
        "The result has the right shape, and wrong numbers",
        "`x[::2]` is read as if it were `x`",
        "tries seven kinds",
    )
    assert len(calls.cases()) == 7
    for params, names in (
        ({"unchecked_type": True}, {"float64, 24"}),
        ({"unchecked_strides": True}, {"float32, transposed", "float32, every second"}),
    ):
        rows = log(**params)[-1].checks
        assert {row.name for row in rows if row.outcome == "wrong"} == names
        assert rows[0].outcome == "equal"


def test_a_wrong_call_ends_at_the_compiler(tmp_path: Path) -> None:
    says("At the compiler. With a wrong declaration of your own instead of the header, all stations pass")
    text = source.text(Params(headers=LIGHT))
    (tmp_path / source.FILE).write_text(text.replace("aoti_torch_get_numel(x, &n)", "aoti_torch_get_numel(x)"))
    assert not build.take(tmp_path, "preprocess").failed and build.take(tmp_path, "compile").failed
    wrong = text.replace(
        "aoti_torch_get_numel(AtenTensorHandle, int64_t *)", "aoti_torch_get_numel(AtenTensorHandle)"
    )
    wrong = re.sub(r"aoti_torch_get_numel\(x, &\w+\)", "aoti_torch_get_numel(x)", wrong)
    wrong = re.sub(r"aoti_torch_get_numel\(y, &\w+\)", "aoti_torch_get_numel(y)", wrong)
    (tmp_path / source.FILE).write_text(wrong)
    assert not any(build.take(tmp_path, step).failed for step in STATIONS[:3])


def test_the_slowest_loop_is_the_sum() -> None:
    says("`sum_squares`, although it writes a single number", "Each addition waits for the one before it")
    loops = {op: log(op=op)[-1].parts[0, 1] for op in source.LOOPS}
    assert loops["sum_squares"] > 2 * max(loops["scale_add"], loops["relu_squared"])


def test_what_a_call_costs() -> None:
    says("C++ buys nothing here against an operator that PyTorch has")
    end = recorded("pytorch/cpp_extension")[-1]
    ours, torchs, python = end["ways"][:, 1]
    assert python > 10 * ours and torchs < 1.2 * ours
    assert end["parts"][2, 1] > end["parts"][1, 1] > 0


def test_torch_keeps_what_it_has_built() -> None:
    says("keeps what it has made in a folder called `torch_extensions`, and ninja rebuilds only what has changed")
    assert Path(cpp_extension.get_default_build_root()).name == "torch_extensions"
    assert "ninja" in cpp_extension._write_ninja_file_and_build_library.__name__

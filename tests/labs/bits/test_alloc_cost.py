"""What is timed is really done: the compiled kernel is taken apart, and its times are held against each other."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from labs.contract import pack
from native.bits.alloc_cost import SIZES, WAYS, Params, run
from native.bits.alloc_cost.kernel import ALLOC
from native.models import kernel

pytestmark = pytest.mark.alone  # it measures

ROWS = {name: n for n, name in enumerate(WAYS)}
COLUMNS = {size: n for n, size in enumerate(SIZES)}


@pytest.fixture(scope="module")
def median() -> np.ndarray:
    """At best of three runs: a busy machine makes any of them longer, and none shorter."""
    found = []
    for _ in range(3):
        *_, last = run(Params(repetitions=7))
        assert last.rounds.min() >= 32 and np.isfinite(last.median).all()
        assert (last.low <= last.median).all() and (last.median <= last.high).all()
        found.append(last.median)
    return np.min(found, axis=0)


def test_no_call_is_optimised_away() -> None:
    path = kernel.place(kernel.BUILT, ALLOC)
    assert path.exists(), "make build compiles the kernels"
    code = subprocess.run(["objdump", "-d", path], capture_output=True, text=True, check=True).stdout
    bodies = {part.partition(">:")[0].rpartition("<")[2]: part for part in code.split("\n\n")}
    for name, calls in {
        "pair": ("malloc", "free"),
        "zeroed": ("calloc", "free"),
        "many": ("malloc", "free"),
    }.items():
        assert all(f"<{call}@plt>" in bodies[name] for call in calls)
    assert "call" in bodies["stack"] or "%rsp" in bodies["stack"]


def test_the_order_is_what_the_work_says(median: np.ndarray) -> None:
    """With room to spare: the machine may be busy."""
    for size in (16, 64, 256):
        column = median[:, COLUMNS[size]]
        assert column[ROWS["pair"]] > 1.5 * column[ROWS["stack"]]
        assert column[ROWS["many"]] > column[ROWS["arena"]]
    pages = median[ROWS["pair"]]
    assert pages[COLUMNS[1 << 18]] > 10 * pages[COLUMNS[1 << 16]]  # beyond the limit each malloc is a system call
    zeroed = median[ROWS["zeroed"]]
    assert zeroed[COLUMNS[1 << 16]] > 3 * zeroed[COLUMNS[1 << 10]]  # calloc writes every byte


def test_every_picture_adds_one_number() -> None:
    pictures = list(run(Params(repetitions=3, touch="every page")))
    assert len(pictures) == len(WAYS) * len(SIZES)
    for n, picture in enumerate(pictures, 1):
        assert np.isfinite(picture.median).sum() == n == (picture.rounds > 0).sum()
        assert pack(picture)


def test_a_kernel_is_named_after_its_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "KERNELS", tmp_path)
    source, built, flags = tmp_path / "answer.c", tmp_path / "built", ("-O2", *kernel.PROGRAM)
    answer = kernel.Kernel("answer.c", flags)
    source.write_text("int main(void) { return 42; }")
    path = kernel.build(answer, built)
    assert subprocess.run([path], check=False).returncode == 42
    source.write_text("int main(void) { return 43; }")
    assert kernel.place(built, answer) != path
    refused = kernel.Kernel("answer.c", ("-no-such-flag",))  # refused sooner than a wrong program is
    with pytest.raises(subprocess.CalledProcessError):
        kernel.build(refused, built)
    assert list(built.iterdir()) == [path]


def test_the_kernel_refuses_what_it_does_not_know() -> None:
    command = [kernel.made(ALLOC), "magic", "16", "16", "3", "0"]
    assert subprocess.run(command, check=False).returncode == 2

"""What is timed is really done, what must not be lost is not, and the program has the instructions it should."""

from __future__ import annotations

import os
import platform
import subprocess

import numpy as np
import pytest
from labs.contract import ImpossibleError, pack
from native.models import kernel
from native.speed import race_real
from native.speed.race_real import WAYS, Params, Real, added, run, told
from native.speed.race_real.race_kernel import RACE

pytestmark = pytest.mark.alone  # it measures

CORES = len(os.sched_getaffinity(0))


@pytest.fixture(scope="module")
def log() -> list[Real]:
    return list(run(Params(milliseconds=10, repetitions=3)))


def test_every_picture_adds_one(log: list[Real]) -> None:
    assert [len(event.ways) for event in log] == [1, 2, 3, 4, 5, 6, 7, 7, 7]
    assert [event.stage for event in log[7:]] == ["store buffers", "with a fence"]
    assert all(pack(event) for event in log)


def test_only_the_plain_counter_loses(log: list[Real]) -> None:
    for way in log[-1].ways:
        assert 0 < way.left <= way.made and 0 <= way.lost < 1
        assert way.lost == 0 or way.name == WAYS["plain"]
        assert 0 < way.low <= way.nanoseconds <= way.high and way.one > 0


@pytest.mark.skipif(CORES < 2, reason="two threads on one core hardly ever meet")
def test_the_plain_counter_does_lose() -> None:
    program = kernel.made(RACE)
    for _ in range(40):  # a busy machine may keep the two apart for a while
        made, left, _ = told(program, "add", "plain", 2, 50)
        if left < made:
            return
    pytest.fail("no update was lost")


def test_a_fence_keeps_the_order(log: list[Real]) -> None:
    last = log[-1]
    assert last.fenced[0] == 0 and last.fenced.sum() > 0
    assert last.buffered.sum() > 0 and (last.buffered >= 0).all()


def test_the_processor_is_asked_for_what_the_names_say() -> None:
    path = kernel.place(kernel.BUILT, RACE)
    assert path.exists(), "make build compiles the kernels"
    code = subprocess.run(["objdump", "-d", path], capture_output=True, text=True, check=True).stdout
    bodies = {part.partition(">:")[0].rpartition("<")[2]: part for part in code.split("\n\n")}
    if platform.machine() != "x86_64":
        pytest.skip("instructions of x86-64")
    assert "lock" not in bodies["add_plain"]
    assert "lock" in bodies["add_relaxed"] and "lock" in bodies["add_ordered"]
    assert "cmpxchg" in bodies["add_swapped"]

    def shape(name: str) -> list[str]:
        return [line.split("\t")[-1].split()[0] for line in bodies[name].splitlines()[1:] if "\t" in line]

    assert shape("add_relaxed") == shape("add_ordered")  # on x86 both are one locked instruction


def test_a_counter_that_has_more_than_was_added_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race_real, "told", lambda *given: [100, 100 + (given[3] == 2), 50])
    with pytest.raises(ImpossibleError, match="cannot be"):
        added(kernel.made(RACE), "plain", "plain", Params(repetitions=3))
    monkeypatch.setattr(race_real, "told", lambda *given: [100, 100 - (given[3] == 2), 50])
    with pytest.raises(ImpossibleError, match="cannot be"):
        added(kernel.made(RACE), "locked", "mutex", Params(repetitions=3))
    assert added(kernel.made(RACE), "plain", "plain", Params(repetitions=3)).lost == pytest.approx(0.01)
    assert np.isclose(added(kernel.made(RACE), "plain", "plain", Params(repetitions=3)).one, 0.5)

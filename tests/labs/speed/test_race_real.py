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
from native.speed.race_real import WAYS, Params, Real, Way, added, run, tell, told
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


@pytest.fixture(scope="module")
def instructions() -> dict[str, list[str]]:
    """Of each function of the program, in their order."""
    path = kernel.place(kernel.BUILT, RACE)
    assert path.exists(), "make build compiles the kernels"
    code = subprocess.run(["objdump", "-d", path], capture_output=True, text=True, check=True).stdout
    bodies = {part.partition(">:")[0].rpartition("<")[2]: part.splitlines()[1:] for part in code.split("\n\n")}
    return {name: [line.split("\t")[2] for line in body if line.count("\t") > 1] for name, body in bodies.items()}


def test_each_way_of_adding_has_instructions_of_its_own(instructions: dict[str, list[str]]) -> None:
    plain, relaxed, swapped = (instructions[f"add_{way}"] for way in ("plain", "relaxed", "swapped"))
    assert plain and relaxed and swapped
    assert plain != relaxed != swapped != plain


@pytest.mark.skipif(platform.machine() != "x86_64", reason="names instructions that only x86-64 has")
def test_the_processor_is_asked_for_what_the_names_say(instructions: dict[str, list[str]]) -> None:
    words = {name: [line.split()[0] for line in body] for name, body in instructions.items()}
    assert "lock" not in words["add_plain"]
    assert "lock" in words["add_relaxed"]
    assert words["add_relaxed"] == words["add_ordered"]  # both are one locked instruction
    assert any("cmpxchg" in line for line in instructions["add_swapped"])


def test_a_counter_that_has_more_than_was_added_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race_real, "told", lambda *given: [100, 100 + (given[3] == 2), 50])
    with pytest.raises(ImpossibleError, match="cannot be"):
        added(kernel.made(RACE), "plain", "plain", Params(repetitions=3))
    monkeypatch.setattr(race_real, "told", lambda *given: [100, 100 - (given[3] == 2), 50])
    with pytest.raises(ImpossibleError, match="cannot be"):
        added(kernel.made(RACE), "locked", "mutex", Params(repetitions=3))
    assert added(kernel.made(RACE), "plain", "plain", Params(repetitions=3)).lost == pytest.approx(0.01)
    assert np.isclose(added(kernel.made(RACE), "plain", "plain", Params(repetitions=3)).one, 0.5)


def test_a_sentence_has_no_powers_and_no_other_thread_where_there_is_one() -> None:
    way = Way(name="mutex", made=1.0, left=1.0, lost=0.0, one=9464.2, nanoseconds=28.04, low=1.0, high=1.0)
    assert str(tell(way, 1)) == "mutex: 9,460 ns per addition by one thread; none was lost."
    assert str(tell(way, 2)) == "mutex: 9,460 ns per addition by one thread, 28 by 2; none was lost."

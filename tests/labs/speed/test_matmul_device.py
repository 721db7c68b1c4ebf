"""The lab on a device that the test lends it: what it makes of its ways, of gaps, and of numbers that cannot be."""

from __future__ import annotations

import asyncio
import re
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from labs.contract import LabError
from labs.models.loop_order import walk
from labs.speed.matmul_device import SMALL, WAYS, Params, Ways, run

SECONDS = 0.01  # that every call takes by the clock of this device


class Works:
    """Multiplies, and says that it took a hundredth of a second."""

    flops = 4e12  # of a round: more than this machine, whose NumPy is timed as well, can do

    def __init__(self, a: Any, b: Any, rounds: list[int]) -> None:
        self.a, self.b, self.rounds, self.open = a, b, rounds, True

    async def clocked(self, rounds: int) -> float:
        assert self.open
        self.rounds.append(rounds)
        return SECONDS * rounds

    async def product(self) -> Any:
        made = (self.a.astype(np.float64) @ self.b).astype(np.float32)
        return SimpleNamespace(to_py=made.ravel)

    def close(self) -> None:
        self.open = False


class Device:
    vectors = "relaxed SIMD"

    def __init__(self, missing: dict[str, str] | None = None, tick: float = 5e-6) -> None:
        self.missing, self.seconds = missing or {}, tick
        self.works: list[Works] = []
        self.rounds: list[int] = []

    def tick(self) -> float:
        return self.seconds

    async def graphics(self) -> str:
        return "a GPU of this test"

    async def breathe(self) -> None:
        pass

    async def peak(self) -> Works:
        return Works(None, None, [])

    async def start(self, way: str, n: int, rows: int, threads: int, a: Any, b: Any) -> Works | str:
        if way in self.missing:
            return self.missing[way]
        self.works.append(Works(a[:rows], b, self.rounds))
        return self.works[-1]


def events(device: Device, **params: int) -> list[Ways]:
    async def all_of() -> list[Ways]:
        return [event async for event in run(Params(**params))]

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "device", device)  # type: ignore[arg-type]
        return asyncio.run(all_of())


def test_every_way_is_measured_and_held_against_the_peak() -> None:
    device = Device()
    *_, last = log = events(device, n=50, repetitions=3)
    assert [event.stage for event in log if not event.steps] == last.names == [way.name for way in WAYS]
    assert (last.rows > 0).all() and (last.error < 1e-6).all() and not any(last.missing)
    assert last.peak == pytest.approx(4e12 / SECONDS / 1e9)
    by_name = dict(zip(last.names, last.speed[:, 1].tolist(), strict=True))
    assert by_name["WASM SIMD"] == pytest.approx(2 * 50**3 / SECONDS / 1e9)
    assert dict(zip(last.names, last.cores, strict=True)) == {
        way.name: 0 if way.gpu else 2 if way.name == "WASM threads" else 1 for way in WAYS
    }
    assert not any(work.open for work in device.works), "memory of a device is given back"


def test_what_it_says_are_sentences_and_every_event_is_whole() -> None:
    log = events(Device({"naive": "this browser offers no WebGPU"}), n=40, repetitions=3)
    assert all(re.fullmatch(r"[A-Z]((?![.!?]\s+[A-Z])[^\n])*\.", event.text) for event in log)
    known = [int((event.rows > 0).sum()) for event in log]
    assert known == sorted(known)


def test_a_way_that_cannot_be_had_says_why_and_the_others_go_on() -> None:
    log = events(Device({"threads": "this browser lends 1 core, not 2"}), n=20, repetitions=3)
    place = log[-1].names.index("WASM threads")
    assert log[-1].missing[place] == "this browser lends 1 core, not 2"
    assert log[-1].rows[place] == 0 and np.isnan(log[-1].speed[place]).all()
    assert (np.delete(log[-1].rows, place) > 0).all()
    assert "WASM threads cannot run here: this browser lends 1 core, not 2." in [event.text for event in log]


@pytest.mark.parametrize(("tick", "least"), [(5e-6, 1), (1e-3, 10)])
def test_a_coarse_clock_makes_longer_repetitions(tick: float, least: int) -> None:
    """A hundred ticks of a millisecond are ten calls of a hundredth of a second."""
    device = Device(tick=tick)
    events(device, n=20, repetitions=3)
    assert device.rounds[-3:] == [device.rounds[-1]] * 3 and device.rounds[-1] >= least


def test_a_figure_above_the_peak_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Works, "flops", 40)
    with pytest.raises(LabError, match=r"came out at .*, which cannot be"):
        events(Device(), n=64, repetitions=3)


def test_a_wrong_product_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    async def wrong(self: Works) -> Any:
        return SimpleNamespace(to_py=np.zeros((len(self.a), self.b.shape[1]), np.float32).ravel)

    monkeypatch.setattr(Works, "product", wrong)
    assert (events(Device(), n=30, repetitions=3)[-1].error[:-1] > 0.1).all()


def test_without_a_page_it_says_where_it_runs() -> None:
    async def begin() -> None:
        async for _ in run(Params()):
            pass

    with pytest.raises(LabError, match="runs in a browser alone"):
        asyncio.run(begin())


@pytest.mark.parametrize("way", [way for way in WAYS if way.order], ids=lambda way: way.name)
def test_a_walk_does_each_multiplication_once(way: Any) -> None:
    count = np.zeros((SMALL,) * 3, int)
    for boxes in way.order(SMALL):
        for rows, columns, inner in boxes:
            count[rows, columns, inner] += 1
    assert (count == 1).all()
    for closely in (0, 3):
        *_, (step, steps, touched) = log = [*walk(way.order, SMALL, 5, closely)]
        assert len(log) == 5 and step == steps and touched.all()
        assert [step for step, *_ in log[:closely]] == [*range(1, closely + 1)]

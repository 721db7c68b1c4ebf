"""Runs that wait for a place, and the end of the line."""

import asyncio
import random
from typing import Any

import pytest
from engines import SEEDS, Open, count, ended, found, started, until
from underhood.processes.spawner import Process, Spawner
from underhood.runs import device_queue
from underhood.runs.device_queue import DeviceQueue, LiveRun
from underhood.runs.dispatch import QueueFullError
from underhood.runs.engine import Engine
from underhood.stores.store import Run

pytestmark = pytest.mark.anyio


async def test_the_queue_has_an_end(reopen: Open) -> None:
    engine = await reopen(concurrency=1, queue=3)
    runs = [await count(engine, upto=1000, pause=0.01) for _ in range(4)]
    with pytest.raises(QueueFullError) as full:
        await count(engine)
    assert 1 <= full.value.after <= 30
    again, new = await engine.submit("plain/count", runs[3].params)  # already there: needs no place
    assert (again.id, new) == (runs[3].id, False)
    assert await engine.dispatch.load() == (1, 3)
    several = [engine.submit("plain/count", {"seed": 10_000 + n}) for n in range(5)]
    refused = await asyncio.gather(*several, return_exceptions=True)
    assert [type(each) for each in refused] == [QueueFullError] * 5
    await engine.cancel(runs[0].id)
    await started(engine, runs[1])
    await count(engine)


async def test_a_rush_does_not_overfill_the_queue(reopen: Open) -> None:
    engine = await reopen(concurrency=2, queue=10)
    many = (engine.submit("plain/count", {"upto": 500, "pause": 0.01, "seed": next(SEEDS)}) for _ in range(50))
    results = await asyncio.gather(*many, return_exceptions=True)
    assert [type(each) for each in results].count(QueueFullError) == 50 - 12


async def test_those_who_wait_hear_how_the_line_moves(reopen: Open) -> None:
    engine = await reopen(concurrency=1)
    first = await count(engine, upto=1000, pause=0.01)
    runs = [first, *[await count(engine, upto=5, pause=0.02) for _ in range(3)]]
    await started(engine, first)  # so all of them have come before it ends
    await engine.cancel(first.id)
    streams = [await ended(engine, run) for run in runs]
    positions = [[event["position"] for event in stream if event["kind"] == "queued"] for stream in streams]
    assert positions == [[0], [0], [1, 0], [2, 1, 0]]


async def test_who_measures_has_the_machine_alone(reopen: Open) -> None:
    engine = await reopen(concurrency=3)
    before = await count(engine, upto=1000, pause=0.01)
    await started(engine, before)
    measure, _ = await engine.submit("plain/measure", {"pause": 1.0})
    after = [await count(engine, upto=3) for _ in range(2)]
    assert await engine.dispatch.load() == (1, 3), "nobody overtakes it"
    await engine.cancel(before.id)
    await started(engine, measure, 2)
    assert await engine.dispatch.load() == (1, 2), "nobody is let in beside it"
    streams = [await ended(engine, run) for run in (measure, *after)]
    positions = [[event["position"] for event in stream if event["kind"] == "queued"] for stream in streams]
    assert positions == [[0], [1, 0], [2, 1]], "and then both go in at once"
    last = [await found(engine, run) for run in (before, measure, *after)]
    assert [run.status for run in last] == ["cancelled", "ok", "ok", "ok"]


async def test_a_measurement_that_is_given_up_lets_the_others_in(reopen: Open) -> None:
    engine = await reopen(concurrency=2)
    before = await count(engine, upto=1000, pause=0.01)
    await started(engine, before)
    measure, _ = await engine.submit("plain/measure", {"pause": 0.1})
    after = await count(engine, upto=3)
    await engine.cancel(measure.id)
    assert (await ended(engine, after))[-1]["status"] == "ok"
    assert (await found(engine, before)).status == "running"


async def test_measurements_do_not_overfill_the_queue(reopen: Open) -> None:
    engine = await reopen(concurrency=2, queue=1)
    first, _ = await engine.submit("plain/measure", {"pause": 5.0})
    await started(engine, first, 2)
    await count(engine)
    with pytest.raises(QueueFullError):
        await count(engine)


async def test_a_greedy_reader_waits_for_its_own_runs(reopen: Open) -> None:
    engine = await reopen(concurrency=2)

    async def ask(reader: str, upto: int) -> Run:
        values = {"upto": upto, "pause": 0.01, "seed": next(SEEDS)}
        return (await engine.submit("plain/count", values, names=[reader]))[0]

    greedy = [await ask("greedy", 1000) for _ in range(8)]
    await started(engine, greedy[0])
    assert await engine.dispatch.load() == (1, 7), "one slot is left for others"
    for _ in range(3):
        assert (await ended(engine, await ask("calm", 2)))[-1]["status"] == "ok"
    assert (await found(engine, greedy[0])).status == "running"
    assert (await found(engine, greedy[1])).status == "queued"


async def test_nobody_pays_for_the_time_that_processes_take_to_come(
    reopen: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first runs of a server wait until PyTorch is loaded. Their readers would stand behind all others then."""
    engine = await reopen()
    spawn = Spawner.spawn

    async def late(spawner: Spawner, job: dict[str, Any]) -> Process:
        await asyncio.sleep(1.5)
        return await spawn(spawner, job)

    monkeypatch.setattr(Spawner, "spawn", late)
    values = {"seed": next(SEEDS), "upto": 3, "pause": 0.02}  # who used less than 10 ms is not remembered
    run, _ = await engine.submit("plain/count", values, names=["first"])
    await ended(engine, run)
    await until(lambda: idle(engine))
    queue: DeviceQueue = engine.dispatch.queues["cpu"]  # type: ignore[attr-defined]
    assert 0 < queue.recent["first"][0] < 1 and queue.seconds and queue.seconds < 1


async def idle(engine: Engine) -> bool:
    return sum(await engine.dispatch.load()) == 0


@pytest.mark.parametrize("seed", range(20))
async def test_whoever_waits_gets_a_share(seed: int) -> None:
    """Readers who always have runs waiting, however many and however long, get like numbers of seconds."""
    draw = random.Random(seed)
    slots, readers = draw.choice([1, 2, 4, 8]), draw.randrange(3, 12)
    queue = DeviceQueue("cpu", slots, 1000)
    length = {f"reader {n}": 10 ** draw.uniform(-1, 0.7) for n in range(readers)}
    backlog = {reader: draw.randrange(slots + 1, 30) for reader in length}
    used = dict.fromkeys(length, 0.0)

    def ask(reader: str) -> None:
        run = Run(id="", key="", lab="", version="", params={}, created=0.0)
        queue.append(LiveRun(run, reader, queue, exclusive=False, cancelled=asyncio.Future()))

    for reader, runs in draw.sample(sorted(backlog.items()), readers):
        for _ in range(runs):
            ask(reader)
    going: list[tuple[float, int, LiveRun]] = []
    now, taken = 0.0, 0
    while now < 40 * max(length.values()):
        while live := queue.take():
            going.append((now + length[live.reader], taken, live))
            taken += 1
            ask(live.reader)
        end = min(going)
        going.remove(end)
        now = end[0]
        queue.release(end[2], length[end[2].reader])
        used[end[2].reader] += length[end[2].reader]
    share = sum(used.values()) / readers
    assert max(used.values()) - min(used.values()) < 4 * max(length.values()) + 0.2 * share, used


async def test_a_newcomer_is_next_but_for_those_who_had_less() -> None:
    queue = DeviceQueue("cpu", 1, 1000)

    def ask(reader: str) -> LiveRun:
        run = Run(id=reader, key="", lab="", version="", params={}, created=0.0)
        queue.append(live := LiveRun(run, reader, queue, exclusive=False, cancelled=asyncio.Future()))
        return live

    for _ in range(10):
        ask("greedy")
    first = queue.take()
    assert first
    calm = ask("calm")
    queue.release(first, 30.0)
    assert queue.take() is calm
    queue.release(calm, 0.1)
    assert [each.reader for each in queue.waiting] == ["greedy"] * 9
    again = ask("calm")
    assert queue.take() is again, "the greedy one has used more by far"
    queue.release(again, 0.1)
    assert len(queue.used) <= 2


def asked(queue: DeviceQueue, reader: str, exclusive: bool = False) -> LiveRun:
    run = Run(id=reader, key="", lab="", version="", params={}, created=0.0)
    return LiveRun(run, reader, queue, exclusive, cancelled=asyncio.Future())


@pytest.mark.parametrize(("more", "first"), [(0.5, "early"), (1.5, "late 0")])
async def test_who_used_a_little_more_is_not_passed_by_everybody(more: float, first: str) -> None:
    """As in a class: it would wait until each of the others has used as much."""
    queue = DeviceQueue("cpu", 1, 1000)
    queue.append(asked(queue, "early"))
    live = queue.take()
    assert live
    queue.release(live, device_queue.EVEN_S * more)
    queue.append(asked(queue, "now"))
    live = queue.take()
    assert live and live.reader == "now"
    for reader in ("early", *(f"late {n}" for n in range(10))):
        queue.append(asked(queue, reader))
    queue.release(live, 0.1)
    assert queue.waiting[0].reader == first


async def test_a_reader_far_ahead_holds_no_slot_against_others() -> None:
    queue = DeviceQueue("cpu", 2, 1000, beside=1)

    def ask(reader: str, exclusive: bool = False) -> LiveRun:
        queue.append(live := asked(queue, reader, exclusive))
        return live

    def start(live: LiveRun) -> LiveRun:
        assert queue.take() is live
        return live

    first = start(ask("greedy"))
    assert not first.background
    queue.release(first, 30.0)
    second = start(ask("greedy"))
    assert second.background
    queue.recent["greedier"] = 60.0, device_queue.monotonic()
    other = ask("greedier")
    assert queue.take() is None, "there is no room for two of them"
    queue.remove(other)
    calm = [start(ask(f"calm {n}")) for n in range(2)]
    assert not any(each.background for each in calm)
    ask("calm 3")
    assert queue.take() is None, "both slots are taken"
    queue.release(calm[0], 0.1)
    start(queue.waiting[0])
    queue.release(second, 30.0)
    third = ask("greedy")
    assert queue.take() is None, "in the background there is room only while a slot is free"
    queue.release(calm[1], 0.1)
    start(third)
    assert third.background


async def test_many_short_runs_are_far_ahead_as_well_and_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(device_queue, "monotonic", lambda: now)
    queue = DeviceQueue("cpu", 2, 1000, beside=1)

    def run(reader: str, seconds: float) -> bool:
        nonlocal now
        queue.append(live := asked(queue, reader))
        assert queue.take() is live
        now += seconds
        queue.release(live, seconds)
        return live.background

    fade = 0.5 ** (0.5 / device_queue.LATELY_S)
    first = next(n for n in range(99) if 0.5 * (1 - fade**n) / (1 - fade) > device_queue.FAR_S)
    assert [run("greedy", 0.5) for _ in range(20)] == [False] * first + [True] * (20 - first)
    assert not run("calm", 0.5)
    now += 40
    assert not run("greedy", 0.5)


async def test_a_run_in_the_background_yields_the_processor(reopen: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_queue, "FAR_S", 0.5)
    engine = await reopen(concurrency=1)

    async def niceness(seconds: float) -> int:
        run, _ = await engine.submit("plain/nice", {"seconds": seconds, "seed": next(SEEDS)}, names=["greedy"])
        return int((await ended(engine, run))[-2]["nice"])

    before = await niceness(1.0)
    assert await niceness(0.0) == before + 10

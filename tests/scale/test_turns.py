"""Readers take turns before workers, too: in the order of a machine alone, and with positions that are true."""

import asyncio
import json
import random
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from cluster import SEEDS, Cluster, Web, until
from underhood.runs import device_queue
from underhood.runs.device_queue import DeviceQueue, LiveRun
from underhood.stores.redis import RedisStore
from underhood.stores.redis_connection import RedisClient
from underhood.stores.store import LIVE, Run
from underhood.workers.admission import Admission
from underhood.workers.registry import Capacity, Registry
from underhood.workers.task_queue import TaskQueue
from underhood.workers.worker import FEED

New = Callable[..., Cluster]


@pytest.fixture
async def store(start_redis: Callable[[], Any]) -> AsyncIterator[RedisStore]:
    client = RedisClient(start_redis().url, patience=10)
    store = RedisStore(client)
    yield store
    await store.close()
    await client.close()


class Line(Admission):
    """As if there were workers with so many slots."""

    slots = 1
    beside = 0
    seconds: float | None = None

    def __init__(self, store: RedisStore) -> None:
        super().__init__(store, Registry(store))
        self.registry.capacity = self.capacity  # type: ignore[method-assign]
        self.put: list[str] = []

    async def capacity(self, device: str) -> Capacity:
        return Capacity(self.slots, self.beside, self.seconds)

    async def ask(self, run: Run, reader: str, measures: bool = False) -> None:
        place = await self.admit("cpu", run.id, 1000)
        await self.store.create(run, LIVE, [place.queued()])
        await self.enter("cpu", run.id, reader, measures)
        await self.call()

    async def call(self) -> None:
        async def put(run: str) -> None:
            self.put.append(run)

        await self.advance("cpu", put)


def new_run(name: str) -> Run:
    return Run(id=name, key=name, lab="", version="", params={}, created=0.0)


@pytest.mark.anyio
async def test_the_order_is_that_of_a_machine_alone(store: RedisStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers come, go and are greedy at random: run for run, Redis calls whom the embedded queue takes."""
    monkeypatch.setattr(device_queue, "LATELY_S", 1e9)  # the two have different clocks
    monkeypatch.setattr(device_queue, "FAR_S", 0.1)
    behind: Counter[bool] = Counter()
    for seed in range(12):
        await store.client.call(lambda redis: redis.flushall())
        draw, line = random.Random(seed), Line(store)
        line.slots = draw.choice([1, 2, 4])
        line.beside = draw.choice([0, 1, 1, 2])
        queue, taken = DeviceQueue("cpu", line.slots, 1000, line.beside), []
        readers = ["", *(f"reader {n}" for n in range(draw.randrange(2, 6)))]
        going: list[LiveRun] = []
        for n in range(60):
            waiting = list(queue.waiting)
            what = draw.random()
            if what < 0.5:
                here = readers[: 1 + n // 10 + 1]
                run, reader = new_run(f"run{n}"), draw.choice([*here, here[1], here[1]])
                queue.append(LiveRun(run, reader, queue, exclusive=False, cancelled=asyncio.Future()))
                await line.ask(run, reader)
            elif what < 0.92 and going:
                ended = going.pop(draw.randrange(len(going)))
                seconds = 10 ** draw.uniform(-2, 1)
                queue.release(ended, seconds)
                line.seconds = queue.seconds
                await store.end(ended.run.id, 0, "ok", "")
                await line.leave("cpu", ended.run.id, seconds)
                await line.call()
            elif waiting:
                gone = draw.choice(waiting)
                queue.remove(gone)
                await store.end(gone.run.id, 0, "cancelled", "")
                await line.leave("cpu", gone.run.id)
                await line.call()
            while live := queue.take():
                going.append(live)
                taken.append(live.run.id)
                assert await line.take("cpu", live.run.id) == live.background, (seed, n)
                behind[live.background] += 1
            assert line.put == taken, (seed, n)
            told = [json.loads((await store.read(live.run.id, 0))[-1].data) for live in queue.waiting]
            assert sorted(event["position"] for event in told) == list(range(len(told)))
    assert min(behind[False], behind[True]) > 20


@pytest.mark.anyio
async def test_what_was_used_long_ago_counts_for_nothing(
    store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device_queue, "LATELY_S", 1e9)
    line = Line(store)
    line.slots, line.beside = 2, 1

    async def behind(name: str, seconds: float, measures: bool = False) -> bool:
        await line.ask(new_run(name), "greedy", measures)
        found = await line.take("cpu", name)
        await store.end(name, 0, "ok", "")
        await line.leave("cpu", name, seconds)
        return found

    assert [await behind(f"run {n}", 1.0) for n in range(4)] == [False, False, False, True]
    assert not await behind("measured", 1.0, measures=True), "it is alone as it is"
    monkeypatch.setattr(device_queue, "LATELY_S", 0.01)
    await asyncio.sleep(0.1)
    assert not await behind("later", 1.0)
    await asyncio.sleep(0.2)
    await behind("short", 0.0)
    assert not await store.client.call(lambda redis: redis.hlen(f"{store.prefix}recent:cpu")), "and is not kept"


@pytest.mark.anyio
async def test_a_run_in_the_background_leaves_its_slot_to_others(
    store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device_queue, "LATELY_S", 1e9)
    line = Line(store)
    line.slots, line.beside = 2, 1
    await line.ask(new_run("long"), "greedy")
    await line.leave("cpu", "long", device_queue.FAR_S + 1)
    for name, reader in (("behind", "greedy"), ("calm", "calm")):
        await line.ask(new_run(name), reader)
    assert await line.take("cpu", "behind") and not await line.take("cpu", "calm")
    assert await line.admit("cpu", "next", 1000) == (0, 0.0)
    assert (await line.admit("cpu", "one more", 1000)).wait != 0.0


@pytest.mark.parametrize("device, most", [("cpu", 2), ("cuda", 1)])
def test_a_worker_takes_no_run_that_it_has_no_place_for(device: str, most: int) -> None:
    queue = TaskQueue("redis://localhost", device, lease=1, slots=1)
    with queue.background(), queue.background():
        assert queue.prefetch == queue.limiter.total_tokens == queue.concurrency == most
    assert queue.prefetch == queue.limiter.total_tokens == 1


def test_a_reader_far_ahead_holds_no_slot_of_a_worker(new_cluster: New) -> None:
    cluster = new_cluster(proxies="127.0.0.1")
    web, _ = cluster.start(concurrency=2)

    def ask(reader: str, lab: str, **params: Any) -> str:
        web.client.cookies.clear()  # each address is one reader
        body = {"lab": lab, "params": params | {"seed": next(SEEDS)}}
        answer = web.client.post("/api/runs", json=body, headers={"X-Forwarded-For": reader})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def nice(reader: str, seconds: float = 0.0) -> int:
        return int(web.events(ask(reader, "plain/nice", seconds=seconds))[-2]["nice"])

    before = nice("192.0.2.1", device_queue.FAR_S + 5)  # so it stays far ahead for 18 seconds
    assert nice("192.0.2.1") == before + 10
    running = [ask("192.0.2.1", "plain/count", upto=1000, pause=0.05)]
    until(lambda: web.show(running[0])["status"] == "running")
    for reader in ("192.0.2.2", "192.0.2.3"):
        running.append(ask(reader, "plain/count", upto=1000, pause=0.05))
        until(lambda: web.show(running[-1])["status"] == "running")
    waiting = ask("192.0.2.4", "plain/count", upto=3, pause=0.01)
    time.sleep(2 * FEED)
    assert web.show(waiting)["status"] == "queued", "both slots are taken"
    for run in running:
        web.client.delete(f"/api/runs/{run}")
    assert web.events(waiting)[-1]["status"] == "ok"


def test_a_greedy_reader_waits_for_its_own_runs(new_cluster: New) -> None:
    cluster = new_cluster(proxies="127.0.0.1", lease=1)
    web, (worker,) = cluster.start(concurrency=2)
    other = cluster.web()

    def ask(web: Web, reader: str, upto: int, pause: float) -> str:
        body = {"lab": "plain/count", "params": {"upto": upto, "pause": pause, "seed": next(SEEDS)}}
        web.client.cookies.clear()  # each address is one reader
        answer = web.client.post("/api/runs", json=body, headers={"X-Forwarded-For": reader})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    greedy = [ask(web, "192.0.2.1", 1000, 0.05) for _ in range(8)]
    until(lambda: web.show(greedy[0])["status"] == "running")
    for reader in ("192.0.2.2", "192.0.2.3"):
        calm = ask(other, reader, 3, 0.01)
        assert other.events(calm)[-1]["status"] == "ok"
        assert [event["position"] for event in other.events(calm) if event["kind"] == "queued"] == [6]
    assert [web.show(run)["status"] for run in greedy] == ["running", *["queued"] * 7]

    worker.stop(signal.SIGKILL)
    calm = ask(other, "192.0.2.4", 3, 0.01)
    worker.start()
    assert other.events(calm)[-1]["status"] == "ok", "its turn is not lost with the worker"
    for run in greedy:
        web.client.delete(f"/api/runs/{run}")
    until(lambda: cluster.command("HLEN", "underhood:called:cpu").strip() == "0")

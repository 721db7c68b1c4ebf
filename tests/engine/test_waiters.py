"""Waiting for news of a run: one look for all who wait, and none of them misses anything."""

import asyncio
import random
from pathlib import Path

import pytest
from underhood.stores.sqlite import SqliteStore
from underhood.stores.store import Entry, Logged, Run
from underhood.stores.waiters import Waiters

pytestmark = pytest.mark.anyio


async def test_who_asks_the_same_at_once_shares_one_look() -> None:
    waiters, looks = Waiters(), 0

    async def ask() -> int:
        nonlocal looks
        looks += 1
        await asyncio.sleep(0.01)
        return looks

    assert await asyncio.gather(*(waiters.look("a", 0, ask) for _ in range(100))) == [1] * 100
    assert await asyncio.gather(waiters.look("a", 0, ask), waiters.look("a", 1, ask), waiters.look("b", 0, ask))
    assert looks == 4


async def test_a_look_from_before_the_news_is_not_shared_after_it() -> None:
    waiters, log = Waiters(), ["old"]
    release = asyncio.Event()

    async def ask() -> str:
        seen = log[-1]
        await release.wait()
        return seen

    early = asyncio.create_task(waiters.look("a", 0, ask))
    await asyncio.sleep(0.01)
    log.append("new")
    waiters.wake("a")
    late = asyncio.create_task(waiters.look("a", 0, ask))
    await asyncio.sleep(0.01)
    release.set()
    assert (await early, await late) == ("old", "new")


async def test_one_who_leaves_does_not_take_the_look_from_the_others() -> None:
    waiters, release = Waiters(), asyncio.Event()

    async def ask() -> str:
        await release.wait()
        return "found"

    first, second = (asyncio.create_task(waiters.look("a", 0, ask)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0)
    release.set()
    assert await second == "found"
    assert first.cancelled()


async def test_an_error_reaches_everybody_who_asked() -> None:
    waiters = Waiters()

    async def ask() -> str:
        await asyncio.sleep(0)
        raise ValueError("away")

    answers = await asyncio.gather(*(waiters.look("a", 0, ask) for _ in range(3)), return_exceptions=True)
    assert [str(answer) for answer in answers] == ["away"] * 3


@pytest.mark.parametrize("seed", range(5))
async def test_forty_readers_miss_nothing_of_a_hurried_writer(tmp_path: Path, seed: int) -> None:
    """Readers wait, come late and lag, so that their looks overlap with commits in every way."""
    chance = random.Random(seed)
    store = SqliteStore(tmp_path / "runs.sqlite")
    run = "r1"
    await store.create(Run(id=run, key="k", lab="a/b", version="1", params={}, created=0.0), {"ok"})
    attempt = await store.begin(run)

    async def write() -> None:
        for n in range(150):
            await store.append(run, attempt, [Entry.of("told", n=n)] * chance.randint(1, 3))
            await asyncio.sleep(chance.choice((0, 0, 0.001, 0.003)))
        await store.end(run, attempt, "ok")

    async def read() -> list[int]:
        await asyncio.sleep(chance.random() / 10)
        seen: list[Logged] = []
        while not seen or seen[-1].kind != "end":
            after = seen[-1].seq if seen else 0
            events = await store.read(run, after, limit=chance.choice((1, 7, 64)), wait=20)
            assert events
            seen += events
            await asyncio.sleep(chance.choice((0, 0, 0.002)))
        return [event.seq for event in seen]

    _, *seen = await asyncio.gather(write(), *(read() for _ in range(40)))
    found = await store.get(run)
    assert found
    assert all(numbers == list(range(1, found.head + 1)) for numbers in seen)
    await store.close()

"""Who reads waits for news, and who writes holds up nobody."""

import asyncio
import time

import pytest
from stores import DONE, a_run, told
from underhood.stores.store import Entry, Store

pytestmark = pytest.mark.anyio


async def test_a_reader_waits_for_news(store: Store) -> None:
    await store.create(a_run(), DONE)
    attempt = await store.begin("a")
    waiting = [asyncio.create_task(store.read("a", 0, wait=60)) for _ in range(20)]
    await asyncio.sleep(0.05)
    began = time.monotonic()
    await store.append("a", attempt, told(1))
    assert [len(events) for events in await asyncio.gather(*waiting)] == [1] * 20
    assert time.monotonic() - began < 5


async def test_a_reader_waits_no_longer_than_it_said(store: Store) -> None:
    await store.create(a_run(), DONE)
    began = time.monotonic()
    assert await store.read("a", 0, wait=0.1) == []
    assert 0.05 < time.monotonic() - began < 5


async def test_a_reader_that_follows_misses_nothing(store: Store) -> None:
    await store.create(a_run(), DONE)
    attempt = await store.begin("a")

    async def follow() -> list[int]:
        seen: list[int] = []
        while len(seen) < 500:
            seen += [event.seq for event in await store.read("a", seen[-1] if seen else 0, limit=7, wait=5)]
        return seen

    readers = [asyncio.create_task(follow()) for _ in range(5)]
    for n in range(0, 500, 5):
        await store.append("a", attempt, told(*range(n, n + 5)))
    assert await asyncio.gather(*readers) == [list(range(1, 501))] * 5


async def test_a_commit_counts_even_if_its_caller_is_cancelled(store: Store) -> None:
    await store.create(a_run(), DONE)
    attempt = await store.begin("a")
    reader = asyncio.create_task(store.read("a", 0, wait=5))
    await asyncio.sleep(0.05)
    writer = asyncio.create_task(store.append("a", attempt, told(1)))
    await asyncio.sleep(0)
    writer.cancel()
    assert len(await reader) == 1


async def test_writing_does_not_hold_up_the_event_loop(store: Store) -> None:
    await store.create(a_run(), DONE)
    attempt = await store.begin("a")
    large = [Entry.of("told", text="x" * 50_000) for _ in range(20)]

    async def longest() -> float:
        """Seconds between two turns of the loop, at most, while 20 MB are written."""
        found, last, done = 0.0, time.monotonic(), False

        async def beat() -> None:
            nonlocal found, last
            while not done:
                await asyncio.sleep(0.001)
                found, last = max(found, time.monotonic() - last), time.monotonic()

        beating = asyncio.create_task(beat())
        for _ in range(20):
            await store.append("a", attempt, large)
        done = True
        await beating
        return found

    assert min([await longest() for _ in range(3)]) < 0.15  # other programs hold it up, too, but not each time

"""The connection to Redis heals by itself, whatever happened to it."""

import asyncio
import gc
import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from underhood.stores.redis import RedisStore
from underhood.stores.redis_connection import RedisClient
from underhood.stores.store import LIVE, Entry, Run, StoreAwayError, StoreFullError

pytestmark = [
    pytest.mark.anyio,
    # coredis leaves two empty streams behind for each connection that came to nothing
    pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning"),
]


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    yield
    gc.collect()  # here, where that warning is expected


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def answered(store: RedisStore) -> bool:
    """Whether a call is answered; if not, it must have been refused soon: a call has 0.8 seconds."""
    began = time.monotonic()
    try:
        await store.get("nothing")
    except StoreAwayError:
        assert time.monotonic() - began < 3
        return False
    return True


async def test_readers_are_woken_at_once_after_redis_was_away(start_redis: Callable[[], Any]) -> None:
    redis = start_redis()
    client = RedisClient(redis.url)
    store = RedisStore(client)
    run = Run(id="a", key="k", lab="s/l", version="1", params={}, created=time.time())
    await store.create(run, LIVE)
    attempt = await store.begin("a")
    reader = asyncio.create_task(store.read("a", 0, wait=30))
    await asyncio.sleep(0.1)
    for _ in range(3):  # each time a blocked read is cut off
        redis.stop(signal.SIGKILL)
        with pytest.raises(StoreAwayError):
            await store.read("a", 0, wait=30)
        redis.start()
        while not await answered(store):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    reader.cancel()
    await asyncio.sleep(1)
    waits = []
    for n in range(3):
        reader = asyncio.create_task(store.read("a", n, wait=10))
        await asyncio.sleep(0.1)
        began = time.monotonic()
        await store.append("a", attempt, [Entry.of("told", n=n)])
        assert [event.seq for event in await reader] == [n + 1]
        waits.append(time.monotonic() - began)
    assert min(waits) < 0.5
    await store.close()
    await client.close()


async def test_a_redis_that_hangs_while_it_is_connected_to_is_left_and_found_again(
    start_redis: Callable[[], Any],
) -> None:
    redis = start_redis()
    client = RedisClient(redis.url)
    store = RedisStore(client)
    redis.process.send_signal(signal.SIGSTOP)
    for _ in range(3):
        assert not await answered(store)
    redis.process.send_signal(signal.SIGCONT)
    assert await answered(store)
    redis.process.send_signal(signal.SIGSTOP)
    assert not any(await asyncio.gather(*(answered(store) for _ in range(20))))
    redis.process.send_signal(signal.SIGCONT)
    assert await answered(store)
    await store.close()
    await client.close()


async def test_a_full_redis_says_so_and_takes_more_once_runs_are_cleared_away(
    start_redis: Callable[[], Any],
) -> None:
    client = RedisClient(start_redis().url)
    store = RedisStore(client)
    await client.call(lambda redis: redis.config_set({"maxmemory": "8mb", "maxmemory-policy": "noeviction"}))
    with pytest.raises(StoreFullError):
        for number in range(100):
            name = str(number)
            run = Run(id=name, key=name, lab="s/l", version="1", params={}, created=time.time())
            await store.create(run, LIVE)
            attempt = await store.begin(name)
            await store.append(name, attempt, [Entry.of("e", text="x" * 200_000)])
            await store.end(name, attempt, "ok")
    assert await store.prune(1000, 1_000_000) > 1
    run = Run(id="later", key="later", lab="s/l", version="1", params={}, created=time.time())
    assert await store.create(run, LIVE) is run
    await store.close()
    await client.close()


async def test_a_pool_that_ends_under_a_call_is_a_store_that_is_away(start_redis: Callable[[], Any]) -> None:
    client = RedisClient(start_redis().url)
    store = RedisStore(client)
    await store.get("nothing")

    async def ended(_: Any) -> None:
        raise RuntimeError("Connection pool is not initialized")  # coredis, when its connection breaks meanwhile

    with pytest.raises(StoreAwayError):
        await client.call(ended)
    while not await answered(store):  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    await store.close()
    await client.close()

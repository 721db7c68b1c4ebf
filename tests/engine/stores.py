"""Every store, opened on a test's own data. A new one joins by its name in `KINDS`, and passes the same tests."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from underhood.stores.redis import RedisStore
from underhood.stores.redis_connection import RedisClient
from underhood.stores.sqlite import SqliteStore
from underhood.stores.store import LIVE, Entry, Run, Store

KINDS = ("sqlite", "redis")
DONE = LIVE | {"ok"}
Open = Callable[[], Awaitable[Store]]


@asynccontextmanager
async def opened(kind: str, place: Path, request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    """A store that finds again what was written in the same place before."""
    if kind == "sqlite":
        sqlite = SqliteStore(place / "runs.sqlite")
        yield sqlite
        await sqlite.close()
    else:
        client = RedisClient(request.getfixturevalue("shared_redis").url, patience=10)  # a busy machine is no fault
        redis = RedisStore(client, prefix=f"{place}:")
        yield redis
        await redis.close()
        await client.close()


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def reopen_store(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Open]:
    """Each call closes the store that was open, if any, and opens the same data again."""
    async with AsyncExitStack() as stack:

        async def reopen_store() -> Store:
            await stack.aclose()
            return await stack.enter_async_context(opened(kind, tmp_path, request))

        yield reopen_store


@pytest.fixture
async def store(reopen_store: Open) -> Store:
    return await reopen_store()


def a_run(name: str = "a", key: str = "k", **values: Any) -> Run:
    defaults: dict[str, Any] = {
        "lab": "s/l",
        "version": "1",
        "params": {"n": 1, "name": "é"},
        "created": time.time(),
    }
    return Run(id=name, key=key, **defaults | values)


def told(*numbers: int) -> list[Entry]:
    return [Entry.of("told", n=n) for n in numbers]

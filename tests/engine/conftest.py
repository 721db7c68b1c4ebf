"""What the engine's tests share: the hostile labs, one forkserver, and async tests on asyncio."""

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "hostile_labs"))  # its labs are found as the package `hostile`

from engines import engine, reopen  # noqa: F401, fixtures
from labs import discover
from private_redis import shared_redis, start_redis  # noqa: F401, fixtures
from stores import kind, reopen_store, store  # noqa: F401, fixtures
from underhood.processes.spawner import Spawner


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def labs() -> dict[str, discover.Lab]:
    return discover.find(("hostile",))


@pytest.fixture(scope="session")
async def processes(anyio_backend: str, labs: dict[str, discover.Lab]) -> AsyncIterator[Spawner]:
    """One forkserver for many tests, without torch, which they do not need."""
    started = Spawner(["numpy", *(lab.module for lab in labs.values())])
    started.start()
    yield started
    await started.close()

"""An attempt that Redis cut short is excused once, and before anybody counts it."""

import asyncio
from types import SimpleNamespace

import pytest
from underhood.workers.worker import Worker

pytestmark = pytest.mark.anyio


async def test_each_is_excused_once_whoever_asks() -> None:
    excused: list[str] = []

    async def excuse(run: str) -> None:
        await asyncio.sleep(0.01)
        excused.append(run)

    worker = Worker.__new__(Worker)  # without a Redis
    worker.store = SimpleNamespace(excuse=excuse)  # type: ignore[assignment]
    worker.cut, worker._excusing = ["one", "two"], asyncio.Lock()
    first = asyncio.create_task(worker._excuse())  # the heartbeat
    await asyncio.sleep(0)
    await worker._excuse()  # the next delivery of a run
    assert sorted(excused) == ["one", "two"]
    await first

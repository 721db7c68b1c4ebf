"""An attempt that Redis cut short is excused: once, and even where nobody heard that it had begun."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict
from typing import Any

import pytest
from labs.discover import find
from underhood.contract import validation
from underhood.runs.executor import Attempt
from underhood.settings import Settings
from underhood.stores.store import LIVE, Run, StoreAwayError
from underhood.workers.worker import Worker

pytestmark = pytest.mark.anyio
LAB = "bits/float_bits"


@pytest.fixture
async def worker(start_redis: Callable[[], Any]) -> AsyncIterator[Worker]:
    labs = {LAB: find()[LAB]}
    worker = Worker(Settings(redis_url=start_redis().url, attempts=1), labs, "cpu", slots=1)
    worker._facts = {"id": "here", "device": "cpu"}
    yield worker
    await worker.store.close()
    await worker.client.close()


async def new_run(worker: Worker) -> str:
    lab = worker.executor.labs[LAB]
    params = asdict(validation.validate(lab, {}))
    run = Run(id="a", key="k", lab=LAB, version=lab.version, params=params, created=time.time())
    return (await worker.store.create(run, LIVE)).id


async def test_a_beginning_whose_answer_was_lost_is_no_attempt(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = worker.executor.begin

    async def lose_the_answer(run: Run, device: str) -> Attempt:
        await begin(run, device)
        raise StoreAwayError

    monkeypatch.setattr(worker.executor, "begin", lose_the_answer)
    run = await new_run(worker)
    for lost in (1, 2):
        with pytest.raises(StoreAwayError):
            await worker._execute(run)
        await worker._excuse()
        shown = await worker.store.get(run)
        assert shown and (shown.attempt, shown.excused) == (lost, lost)
        assert worker.executor.refusal(shown) is None
    assert not worker.cut


async def test_each_attempt_is_excused_once_and_none_that_never_began(worker: Worker) -> None:
    run = await new_run(worker)
    await worker.store.begin(run)
    await asyncio.gather(*(worker.store.excuse(run, attempt) for attempt in (1, 2, 1)))
    shown = await worker.store.get(run)
    assert shown and (shown.attempt, shown.excused) == (1, 1)

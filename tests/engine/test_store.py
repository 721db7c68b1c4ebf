"""What every store promises. A new store joins by one more name in `KINDS`, and passes the same tests."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from underhood.redis_link import Link
from underhood.redis_store import RedisStore
from underhood.sqlite import SqliteStore
from underhood.store import LIVE, Entry, FencedError, Run, Store

pytestmark = pytest.mark.anyio

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
        link = Link(request.getfixturevalue("shared_redis").url)
        redis = RedisStore(link, prefix=f"{place}:")
        yield redis
        await redis.close()
        await link.close()


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def reopen(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Open]:
    """Each call closes the store that was open, if any, and opens the same data again."""
    async with AsyncExitStack() as stack:

        async def reopen() -> Store:
            await stack.aclose()
            return await stack.enter_async_context(opened(kind, tmp_path, request))

        yield reopen


@pytest.fixture
async def store(reopen: Open) -> Store:
    return await reopen()


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


async def test_a_run_is_what_was_created(store: Store) -> None:
    run = a_run()
    assert await store.create(run, DONE) is run
    assert await store.get("a") == run
    assert await store.get("b") is None


async def test_equal_keys_share_a_run_while_it_may_be_shared(store: Store) -> None:
    first = await store.create(a_run("a"), DONE)
    assert await store.create(a_run("b"), DONE) == first
    assert await store.find("k", DONE) == first
    attempt = await store.begin("a")
    await store.end("a", attempt, "failed", "no")
    assert await store.find("k", DONE) is None
    assert (await store.create(a_run("c"), DONE)).id == "c"


async def test_many_askers_at_once_create_one_run(store: Store) -> None:
    made = await asyncio.gather(*(store.create(a_run(str(n)), DONE) for n in range(100)))
    assert len({run.id for run in made}) == 1


async def test_events_are_numbered_from_one_without_a_gap(store: Store) -> None:
    await store.create(a_run(), DONE, told(0))
    attempt = await store.begin("a")
    await store.append("a", attempt, told(1, 2))
    await store.append("a", attempt, told(3))
    events = await store.read("a", 0)
    assert [event.seq for event in events] == [1, 2, 3, 4]
    assert [json.loads(event.data) for event in events] == [{"kind": "told", "n": n} for n in range(4)]
    assert [event.seq for event in await store.read("a", 2)] == [3, 4]
    assert [event.seq for event in await store.read("a", 0, limit=3)] == [1, 2, 3]
    assert (await store.get("a")).head == 4  # type: ignore[union-attr]


async def test_a_run_ends_once(store: Store) -> None:
    await store.create(a_run(), DONE)
    attempt = await store.begin("a")
    endings = [store.end("a", attempt, "ok"), store.end("a", attempt, "cancelled", "late")]
    results = await asyncio.gather(*endings, return_exceptions=True)
    assert [type(result) for result in results] == [type(None), FencedError]
    ends = [json.loads(event.data) for event in await store.read("a", 0) if event.kind == "end"]
    assert ends == [{"kind": "end", "status": "ok", "reason": ""}]
    run = await store.get("a")
    assert run is not None
    assert (run.status, run.reason) == ("ok", "")
    assert run.ended is not None
    for late in (store.append("a", attempt, told(9)), store.begin("a"), store.add_blob("a", attempt, b"")):
        with pytest.raises(FencedError):
            await late


async def test_an_older_attempt_is_refused(store: Store) -> None:
    await store.create(a_run(), DONE)
    first = await store.begin("a")
    await store.append("a", first, told(1))
    second = await store.begin("a")
    assert (first, second) == (1, 2)
    for late in (store.append("a", first, told(2)), store.end("a", first, "ok"), store.add_blob("a", first, b"")):
        with pytest.raises(FencedError):
            await late
    await store.append("a", second, told(3))
    assert [json.loads(event.data)["n"] for event in await store.read("a", 0)] == [1, 3]


async def test_what_is_refused_leaves_the_rest_of_its_batch(store: Store) -> None:
    """Writes that wait together are committed together; one that is refused takes nobody with it."""
    await store.create(a_run("a"), DONE)
    await store.create(a_run("b", key="other"), DONE)
    one, two = await store.begin("a"), await store.begin("b")
    writes = [store.append(name, n, told(i)) for i in range(50) for name, n in (("a", one), ("a", 99), ("b", two))]
    results = await asyncio.gather(*writes, return_exceptions=True)
    assert [type(result) for result in results] == [type(None), FencedError, type(None)] * 50
    for name in ("a", "b"):
        assert [json.loads(event.data)["n"] for event in await store.read(name, 0)] == list(range(50))


async def test_a_reader_waits_for_news(store: Store) -> None:
    await store.create(a_run(), DONE)
    attempt = await store.begin("a")
    waiting = [asyncio.create_task(store.read("a", 0, wait=5)) for _ in range(20)]
    await asyncio.sleep(0.05)
    began = time.monotonic()
    await store.append("a", attempt, told(1))
    assert [len(events) for events in await asyncio.gather(*waiting)] == [1] * 20
    assert time.monotonic() - began < 1


async def test_a_reader_waits_no_longer_than_it_said(store: Store) -> None:
    await store.create(a_run(), DONE)
    began = time.monotonic()
    assert await store.read("a", 0, wait=0.1) == []
    assert 0.05 < time.monotonic() - began < 1


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


async def test_blobs_are_found_by_their_hash(store: Store) -> None:
    await store.create(a_run(), DONE)
    attempt = await store.begin("a")
    digest = await store.add_blob("a", attempt, b"bytes")
    assert digest == "277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9"
    assert await store.add_blob("a", attempt, b"bytes") == digest
    assert await store.blob(digest) == b"bytes"
    assert await store.blob("0" * 64) is None


async def test_everything_is_there_after_opening_again(reopen: Open) -> None:
    store = await reopen()
    for name in ("done", "going", "waiting"):
        await store.create(a_run(name, key=name), DONE, told(0))
    for name in ("done", "going"):
        await store.append(name, await store.begin(name), told(1))
    digest = await store.add_blob("done", 1, b"bytes")
    await store.end("done", 1, "ok")
    store = await reopen()
    assert [run.id for run in await store.unfinished()] == ["going", "waiting"]
    assert [event.kind for event in await store.read("done", 0)] == ["told", "told", "end"]
    assert await store.blob(digest) == b"bytes"
    assert (await store.find("done", DONE)).status == "ok"  # type: ignore[union-attr]
    assert await store.begin("going") == 2
    assert await store.begin("waiting") == 1


async def test_pruning_keeps_the_newest(store: Store) -> None:
    digests = []
    for n in range(10):
        await store.create(a_run(str(n), key=str(n)), DONE)
        await store.begin(str(n))
        digests.append(await store.add_blob(str(n), 1, bytes([n]) * 1000))
        await store.add_blob(str(n), 1, b"shared by all")
        await store.end(str(n), 1, "ok")
    await store.create(a_run("live", key="live"), DONE)
    assert await store.prune(runs=6, size=1 << 20) == 4
    assert await store.prune(runs=6, size=3500) == 3
    kept = [str(n) for n in range(10) if await store.get(str(n))]
    assert kept == ["7", "8", "9"]
    assert [await store.blob(digest) is not None for digest in digests] == [False] * 7 + [True] * 3
    assert await store.read("0", 0) == []
    assert await store.get("live") is not None
    assert await store.prune(runs=0, size=0) == 3
    assert await store.get("live") is not None


async def test_writing_does_not_hold_up_the_event_loop(store: Store) -> None:
    await store.create(a_run(), DONE)
    attempt = await store.begin("a")
    large = [Entry.of("told", text="x" * 50_000) for _ in range(20)]
    longest, last, done = 0.0, time.monotonic(), False

    async def beat() -> None:
        nonlocal longest, last
        while not done:
            await asyncio.sleep(0.001)
            longest, last = max(longest, time.monotonic() - last), time.monotonic()

    beating = asyncio.create_task(beat())
    for _ in range(20):  # 20 MB
        await store.append("a", attempt, large)
    done = True
    await beating
    assert longest < 0.15


class Model:
    """A store of one run, as simple as can be said."""

    def __init__(self) -> None:
        self.attempt, self.ended, self.log = 0, False, [0]

    def write(self, attempt: int, n: int) -> bool:
        if self.ended or attempt != self.attempt:
            return False
        self.log.append(n)
        return True


STEPS = st.lists(
    st.tuples(st.sampled_from(["begin", "append", "end"]), st.integers(min_value=-1, max_value=0)), max_size=12
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_any_sequence_of_writes_leaves_the_log_of_the_model(
    steps: list[tuple[str, int]], kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """A writer names the current attempt (0) or the one before (-1)."""

    async def follow() -> None:
        async with opened(kind, tmp_path, request) as store:
            await go(store)

    async def go(store: Store) -> None:
        model = Model()
        name = f"run{time.monotonic_ns()}"
        await store.create(a_run(name, key=name), DONE, told(0))
        for n, (step, back) in enumerate(steps, 1):
            attempt = model.attempt + back
            try:
                if step == "begin":
                    model.attempt = await store.begin(name)
                elif step == "append":
                    await store.append(name, attempt, told(n))
                else:
                    await store.end(name, attempt, "ok", str(n))
                refused = False
            except FencedError:
                refused = True
            if step == "begin":
                assert refused == model.ended
            else:
                assert refused != model.write(attempt, n)
                model.ended |= step == "end" and not refused
        events = [json.loads(event.data) for event in await store.read(name, 0)]
        assert [event["n"] if event["kind"] == "told" else int(event["reason"]) for event in events] == model.log

    asyncio.run(follow())

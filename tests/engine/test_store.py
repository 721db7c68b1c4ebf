"""What every store promises of runs, their events and their blobs."""

import asyncio
import json

import pytest
from stores import DONE, Open, a_run, told
from underhood.stores.store import FencedError, Store

pytestmark = pytest.mark.anyio


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


async def test_an_attempt_and_what_the_log_says_of_it_are_one_write(store: Store) -> None:
    await store.create(a_run(), DONE)
    facts = {"machine": "é", "versions": {"python": "3"}}
    assert [await store.begin("a", facts) for _ in range(3)] == [1, 2, 3]
    started = [{"kind": "started", "attempt": n, "provenance": facts} for n in (1, 2, 3)]
    assert [json.loads(event.data) for event in await store.read("a", 0)] == started
    assert (await store.get("a")).head == 3  # type: ignore[union-attr]


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


async def test_blobs_are_found_by_their_hash(store: Store) -> None:
    await store.create(a_run(), DONE)
    attempt = await store.begin("a")
    digest = await store.add_blob("a", attempt, b"bytes")
    assert digest == "277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9"
    assert await store.add_blob("a", attempt, b"bytes") == digest
    assert await store.blob(digest) == b"bytes"
    assert await store.blob("0" * 64) is None


async def test_everything_is_there_after_opening_again(reopen_store: Open) -> None:
    store = await reopen_store()
    for name in ("done", "going", "waiting"):
        await store.create(a_run(name, key=name), DONE, told(0))
    for name in ("done", "going"):
        await store.append(name, await store.begin(name), told(1))
    digest = await store.add_blob("done", 1, b"bytes")
    await store.end("done", 1, "ok")
    store = await reopen_store()
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

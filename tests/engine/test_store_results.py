"""What every store promises of results: they outlive their runs, the newest of each machine."""

import asyncio
import random
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from stores import DONE, Open, a_run
from underhood.stores import sqlite_tables as tables
from underhood.stores.sqlite import SqliteStore
from underhood.stores.store import FencedError, Machine, Result, Store

pytestmark = pytest.mark.anyio

MOST = 100


def a_result(run: str, machine: str = "one", lab: str = "s/l", n: int = 0) -> Result:
    facts = {"where": "server", "machine": machine, "versions": {"python": "3"}, "lab_version": "1"}
    event = {"kind": "told", "n": n, "words": "é"}
    return Result(run=run, lab=lab, params={"n": 1}, provenance=facts, event=event)


async def kept(store: Store, name: str, machine: str = "one", lab: str = "s/l", most: int = MOST) -> None:
    """A run of that name comes to a result and ends."""
    await store.create(a_run(name, key=name, lab=lab), DONE)
    attempt = await store.begin(name)
    await store.remember(a_result(name, machine, lab), attempt, most)
    await store.end(name, attempt, "ok")


async def runs(store: Store, **how: object) -> list[str]:
    return [each.run for each in await store.results("s/l", **how)]  # type: ignore[arg-type]


async def test_a_result_is_what_was_remembered(store: Store) -> None:
    await kept(store, "a")
    (result,) = await store.results("s/l")
    assert result.number > 0
    assert replace(result, number=0) == a_result("a")


async def test_the_newest_come_first_and_pages_join(store: Store) -> None:
    for n in range(25):
        await kept(store, f"r{n}", machine=("one", "two")[n % 3 == 0])
    names = [f"r{n}" for n in reversed(range(25))]
    assert await runs(store) == names
    pages: list[str] = []
    before = None
    while found := await store.results("s/l", before=before, limit=4):
        assert len(found) <= 4
        pages += [each.run for each in found]
        before = found[-1].number
    assert pages == names
    assert await runs(store, machine="two") == [name for name in names if int(name[1:]) % 3 == 0]
    assert await runs(store, machine="two", limit=2) == ["r24", "r21"]
    assert await runs(store, machine="none") == []


async def test_labs_and_machines_are_kept_apart(store: Store) -> None:
    await kept(store, "a", "one")
    await kept(store, "b", "two")
    await kept(store, "c", "one", lab="s/other")
    await kept(store, "d", "one")
    assert [machine[:2] for machine in await store.machines("s/l")] == [("one", 2), ("two", 1)]
    assert [machine[:2] for machine in await store.machines("s/other")] == [("one", 1)]
    assert await store.machines("s/none") == []
    assert await runs(store) == ["d", "b", "a"]


async def test_the_newest_of_each_machine_are_kept(store: Store) -> None:
    for n in range(12):
        await kept(store, f"a{n}", "one", most=5)
        if n < 3:
            await kept(store, f"b{n}", "two", most=5)
    assert await runs(store, machine="one") == [f"a{n}" for n in reversed(range(7, 12))]
    assert await runs(store, machine="two") == ["b2", "b1", "b0"]
    assert len(await runs(store)) == 8
    newest = (await store.results("s/l"))[0].number
    assert (await store.machines("s/l"))[0] == Machine("one", 5, newest)


async def test_any_sequence_leaves_what_a_list_would_hold(store: Store) -> None:
    draw = random.Random(7)
    model: list[tuple[str, str]] = []
    for n in range(60):
        machine, most = draw.choice("xyz"), draw.choice((3, 8))
        await kept(store, f"r{n}", machine, most=most)
        model.insert(0, (f"r{n}", machine))
        own = [each for each in model if each[1] == machine]
        model = [each for each in model if each not in own[most:]]
        assert [(each.run, each.machine) for each in await store.results("s/l", limit=100)] == model
    counts = {name: count for name, count, _ in await store.machines("s/l")}
    assert counts == {name: sum(machine == name for _, machine in model) for name in counts}


async def test_a_result_outlives_its_run_and_a_restart(reopen_store: Open) -> None:
    store = await reopen_store()
    for n in range(4):
        await kept(store, f"r{n}")
    assert await store.prune(runs=0, size=0) == 4
    assert await store.get("r0") is None
    before = await store.results("s/l")
    store = await reopen_store()
    assert await store.results("s/l") == before
    assert len(before) == 4
    await kept(store, "later")
    assert (await runs(store))[0] == "later"


async def test_a_run_has_one_result_that_of_its_last_attempt(store: Store) -> None:
    await store.create(a_run("a"), DONE)
    first = await store.begin("a")
    await store.remember(a_result("a", "old", n=1), first, MOST)
    second = await store.begin("a")  # the server stopped between the result and the end
    with pytest.raises(FencedError):
        await store.remember(a_result("a", "old", n=2), first, MOST)
    await store.remember(a_result("a", "new", n=3), second, MOST)
    (result,) = await store.results("s/l")
    assert (result.event["n"], result.machine) == (3, "new")
    assert [machine.name for machine in await store.machines("s/l")] == ["new"]
    await store.end("a", second, "ok")
    with pytest.raises(FencedError):
        await store.remember(a_result("a"), second, MOST)
    with pytest.raises(FencedError):
        await store.remember(a_result("never"), 1, MOST)
    assert len(await store.results("s/l")) == 1


async def test_many_who_write_at_once_lose_nothing(store: Store) -> None:
    await asyncio.gather(*(kept(store, f"r{n}", f"m{n % 5}", most=8) for n in range(60)))
    found = await store.results("s/l", limit=100)
    assert len(found) == 40
    numbers = [each.number for each in found]
    assert numbers == sorted(set(numbers), reverse=True)
    assert all(machine.results == 8 for machine in await store.machines("s/l"))


def older(path: Path) -> None:
    """A file as the first version of Underhood wrote it, with a run that has ended."""
    db = sqlite3.connect(path)
    db.executescript(f"BEGIN; {tables.RUNS} PRAGMA user_version = 1; COMMIT;")
    db.execute("INSERT INTO runs VALUES ('a', 'k', 's/l', '1', '{\"n\": 1}', 'ok', '', 1, 1.0, 2.0, 1, 9)")
    db.execute("INSERT INTO events VALUES ('a', 1, 'told', '{\"n\": 1}')")
    db.commit()
    db.close()


async def test_an_older_file_is_brought_up_to_date_and_keeps_its_runs(tmp_path: Path) -> None:
    older(tmp_path / "runs.sqlite")
    for attempt in ("first", "again"):
        store = SqliteStore(tmp_path / "runs.sqlite")
        run = await store.get("a")
        assert run is not None and run.status == "ok"
        assert [event.data for event in await store.read("a", 0)] == ['{"n": 1}']
        await kept(store, attempt)
        await store.close()
    assert sqlite3.connect(tmp_path / "runs.sqlite").execute("PRAGMA user_version").fetchone() == (2,)


def test_an_upgrade_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "runs.sqlite"
    older(path)
    with monkeypatch.context() as broken:
        broken.setattr(tables, "STEPS", (*tables.STEPS, "CREATE TABLE half (id TEXT); CREATE NONSENSE;"))
        with pytest.raises(sqlite3.OperationalError):
            tables.connect(path)
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA user_version").fetchone() == (1,)
    names = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert "half" not in names and "results" not in names
    db.close()
    tables.connect(path).close()


def test_a_file_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    tables.connect(path).execute("PRAGMA user_version = 99")
    with pytest.raises(ValueError, match="written by a newer version"):
        tables.connect(path)

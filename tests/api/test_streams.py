"""Event streams over real HTTP: resumed anywhere, never doubled, never leaked, ended in time."""

import asyncio
import itertools
import json
import os
import random
import signal
import socket
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from labs import discover
from underhood.settings import Settings
from underhood.web.app import create_app

Serve = Callable[..., Any]
AT_ONCE = 5.0  # seconds for a server to end on a busy machine; what it would wait for takes longer


def test_a_stream_ends_if_its_run_is_cleared_away(serve: Serve) -> None:
    server = serve()
    run = server.ask("plain/measure", pause=20.0)
    messages = server.messages(run)
    assert [next(messages)["event"] for _ in range(2)] == ["queued", "started"]
    with closing(sqlite3.connect(server.data / "runs.sqlite")) as database, database:
        for table, key in (("runs", "id"), ("events", "run")):
            assert database.execute(f"DELETE FROM {table} WHERE {key} = ?", (run,)).rowcount
    began = time.monotonic()
    assert list(messages) == []
    assert time.monotonic() - began < 10


def test_fifty_drops_lose_and_double_nothing(server: Any) -> None:
    """A run of 1,000 events, read by a client that is cut off at 50 random points."""
    dice = random.Random(20260101)
    run = server.count(upto=1000, pause=0.001)
    seen: list[dict[str, Any]] = []
    drops = 0
    while not seen or seen[-1]["event"] != "end":
        cut = dice.randint(1, 30) if drops < 50 else 10_000
        for message in server.messages(run, after=seen[-1]["id"] if seen else 0):
            seen.append(message)
            cut -= 1
            if not cut:
                drops += 1
                break
    assert drops == 50
    assert [message["id"] for message in seen] == list(range(1, len(seen) + 1))
    assert [message["data"]["n"] for message in seen if message["event"] == "counted"] == list(range(1000))
    assert [message["event"] for message in seen].count("end") == 1


def test_the_cursor_may_be_a_header_or_in_the_address(server: Any) -> None:
    run = server.count(upto=10)
    last = list(server.messages(run))[-1]["id"]

    def first(header: str | None, query: str) -> Any:
        headers = {"Last-Event-ID": header} if header is not None else {}
        answer = server.client.get(f"/api/runs/{run}/events{query}", headers=headers)
        if answer.status_code != 200:
            return answer.status_code
        return int(next(line for line in answer.text.splitlines() if line.startswith("id: "))[4:])

    assert first(None, "") == 1
    assert first("", "") == 1
    assert first("4", "") == 5
    assert first(None, "?after=4") == 5
    assert first("4", "?after=7") == 8
    assert first("7", "?after=4") == 8
    assert first(str(last), "") == 204  # has seen the end: EventSource is told to stay away
    for wrong in ("x", "-1", "1.5", str(last + 1), "9" * 400, "٣"):
        assert first(None, f"?after={wrong}") == 422
    assert first("nonsense", "") == 422


def test_the_stream_of_an_unknown_run_is_404(server: Any) -> None:
    answer = server.client.get("/api/runs/nothing/events")
    assert answer.status_code == 404
    assert "no run nothing" in answer.json()["detail"]


def test_what_a_stream_is_sent_with(server: Any) -> None:
    answer = server.client.get(f"/api/runs/{server.count()}/events", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.headers["X-Accel-Buffering"] == "no"
    assert "Content-Encoding" not in answer.headers
    assert answer.headers["Cross-Origin-Embedder-Policy"] == "require-corp"


def test_events_come_as_they_are_made(server: Any) -> None:
    times = [time.monotonic() for _ in server.messages(server.count(upto=10, pause=0.2))]
    gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert len([gap for gap in gaps if gap > 0.1]) >= 4, gaps


def test_a_stream_that_has_grown_old_ends_and_is_resumed(serve: Serve) -> None:
    server = serve(stream_age=0.3)
    run = server.count(upto=10, pause=0.1)
    seen: list[int] = []
    streams = 0
    while len(seen) < 13:
        seen += [message["id"] for message in server.messages(run, after=seen[-1] if seen else 0)]
        streams += 1
    assert seen == list(range(1, 14))
    assert streams >= 3


def test_too_many_streams_are_refused(serve: Serve) -> None:
    server = serve(streams=2)
    run = server.count(upto=100, pause=0.1)
    first, second = (server.messages(run) for _ in range(2))
    next(first), next(second)
    assert server.client.get(f"/api/runs/{run}/events").status_code == 429
    first.close(), second.close()
    server.until(lambda: server.client.get("/api/health").json()["streams"] == 0)


def test_the_last_reader_to_leave_ends_the_run(serve: Serve) -> None:
    server = serve(abandoned=0.2)
    run = server.count(upto=1000, pause=0.02)
    first, second = server.messages(run), server.messages(run)
    next(first), next(second)
    first.close()
    time.sleep(0.5)
    assert server.client.get(f"/api/runs/{run}").json()["status"] == "running"
    second.close()
    server.until(lambda: server.client.get(f"/api/runs/{run}").json()["status"] == "cancelled")


def test_opening_and_closing_streams_leaks_nothing(serve: Serve) -> None:
    server = serve()
    run = server.count(upto=3000, pause=0.01)

    def descriptors() -> int:
        return len(os.listdir(f"/proc/{server.process.pid}/fd"))

    def round_(readers: int) -> None:
        streams = [server.messages(run) for _ in range(readers)]
        for stream in streams:
            next(stream)
        for stream in streams:
            stream.close()
        server.client.close()
        server.client = server.new_client()
        server.until(lambda: server.client.get("/api/health").json()["streams"] == 0)

    round_(30)
    before = descriptors()
    for _ in range(5):
        round_(30)
    server.until(lambda: descriptors() <= before + 2)


def test_streams_leave_no_tasks_behind(tmp_path: Path, site: Path) -> None:
    """The same within this process, where the tasks of the event loop can be counted."""
    app = create_app(Settings(data=tmp_path / "data", preload=()), discover.find(("hostile",)), site)

    async def go() -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            server = uvicorn.Server(uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=1))
            serving = asyncio.create_task(server.serve([listener]))
            address = f"http://127.0.0.1:{listener.getsockname()[1]}"
            while not server.started:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            async with httpx.AsyncClient(base_url=address, timeout=10) as client:
                body = {"lab": "plain/count", "params": {"upto": 2000, "pause": 0.01}}
                run = (await client.post("/api/runs", json=body)).json()["id"]
                counts = []
                for _ in range(4):
                    await asyncio.gather(*(glance(client, run) for _ in range(25)))
                    while (await client.get("/api/health")).json()["streams"]:  # noqa: ASYNC110
                        await asyncio.sleep(0.01)
                    await asyncio.sleep(0.05)
                    counts.append(len(asyncio.all_tasks()))
                assert max(counts[1:]) - min(counts[1:]) <= 2, counts
            server.should_exit = True
            await serving

    async def glance(client: httpx.AsyncClient, run: str) -> None:
        async with client.stream("GET", f"/api/runs/{run}/events") as answer:
            async for line in answer.aiter_lines():
                if line.startswith("event: counted"):
                    return

    asyncio.run(go())


def test_sigterm_with_open_streams_ends_the_server_at_once(serve: Serve) -> None:
    server = serve()
    runs = [server.count(upto=10_000, pause=0.05) for _ in range(2)]
    streams = [server.messages(runs[n % 2]) for n in range(20)]
    seen = [next(stream) for stream in streams]
    assert {message["event"] for message in seen} == {"queued"}
    assert server.stop() < AT_ONCE
    for stream in streams:
        list(stream)  # ends by itself, whole: no message is cut in two


def test_a_server_that_is_still_loading_ends_at_once(serve: Serve) -> None:
    server = serve(preload="numpy,torch")
    assert server.stop() < AT_ONCE
    assert "ERROR" not in server.log.read_text()


def test_a_reader_that_never_reads_does_not_hold_the_server(serve: Serve) -> None:
    server = serve(send_timeout=0.5)
    run = server.ask("bad/deed", deed="flood")  # 20 MB, more than any socket buffer takes
    host, port = server.url.removeprefix("http://").split(":")
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect((host, int(port)))
        deaf.sendall(f"GET /api/runs/{run}/events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        server.until(lambda: server.client.get("/api/health").json()["streams"] == 1)
        server.until(lambda: server.client.get("/api/health").json()["streams"] == 0)
        assert server.stop() < AT_ONCE
    assert "Exception in ASGI application" not in server.log.read_text()


def test_a_restart_is_seen_as_a_second_attempt(serve: Serve) -> None:
    server = serve(concurrency=1)
    run, waiting = server.count(upto=40, pause=0.1), server.count(upto=3)
    stream = server.messages(run)
    seen = [next(stream) for _ in range(5)]
    assert server.stop() < AT_ONCE
    seen += list(stream)
    server.start()
    seen += server.messages(run, after=seen[-1]["id"])
    assert [message["id"] for message in seen] == list(range(1, len(seen) + 1))
    starts = [n for n, message in enumerate(seen) if message["event"] == "started"]
    assert [seen[n]["data"]["attempt"] for n in starts] == [1, 2]
    assert [m["data"]["n"] for m in seen[starts[1] :] if m["event"] == "counted"] == list(range(40))
    assert seen[-1]["data"] == {"kind": "end", "status": "ok", "reason": ""}
    assert server.events(waiting)[-1]["status"] == "ok"


def test_a_killed_server_leaves_no_process_and_loses_no_run(serve: Serve) -> None:
    server = serve()
    run = server.ask("bad/deed", deed="breed_and_stay")
    pids = next(message["data"]["value"] for message in server.messages(run) if isinstance_list(message))
    family = set(server.children()) | set(pids)
    assert len(family) >= 6  # server, forkserver, lab and what it has bred
    server.stop(signal.SIGKILL)
    give_up = time.monotonic() + 5
    while not all(map(gone, family)) and time.monotonic() < give_up:
        time.sleep(0.02)
    assert [pid for pid in family if not gone(pid)] == []
    server.start()
    attempts = [m["data"]["attempt"] for m in take(server.messages(run), 9) if m["event"] == "started"]
    assert attempts == [1, 2]
    server.client.delete(f"/api/runs/{run}")


def isinstance_list(message: dict[str, Any]) -> bool:
    return isinstance(message["data"].get("value"), list)


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def take(messages: Any, most: int) -> list[dict[str, Any]]:
    """Up to so many messages, or to the second start."""
    taken = []
    for message in messages:
        taken.append(message)
        if len(taken) == most or message["data"].get("attempt") == 2:
            messages.close()
            break
    return taken


def test_two_servers_do_not_share_their_data(serve: Serve, tmp_path: Path) -> None:
    first = serve()
    with pytest.raises(AssertionError, match="another server is using"):
        type(first)(tmp_path / "data", first.site)


def test_a_hundred_identical_posts_are_one_run(server: Any) -> None:
    async def go() -> list[httpx.Response]:
        async with httpx.AsyncClient(base_url=server.url, timeout=30) as client:
            body = {"lab": "plain/count", "params": {"upto": 20, "seed": 424_242}}
            return await asyncio.gather(*(client.post("/api/runs", json=body) for _ in range(100)))

    answers = asyncio.run(go())
    assert sorted(answer.status_code for answer in answers) == [200] * 99 + [201]
    (run,) = {answer.json()["id"] for answer in answers}
    assert [event["kind"] for event in server.events(run)].count("started") == 1
    assert json.dumps(server.events(run)) == json.dumps(server.events(run))

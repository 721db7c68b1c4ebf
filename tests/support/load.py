"""Many readers, slow readers, eager readers, over real HTTP. The quick tests and the long ones differ in numbers.

Each function returns what it measured and prints it, so that it can be quoted.
"""

import asyncio
import json
import os
import socket
import statistics
import time
from pathlib import Path
from typing import Any

import httpx

NO_LIMIT = httpx.Limits(max_connections=None, max_keepalive_connections=0)


def tell(name: str, **measured: Any) -> dict[str, Any]:
    print(f"\n{name}: " + ", ".join(f"{key} {value}" for key, value in measured.items()))  # noqa: T201
    return measured


def resident(server: Any) -> float:
    """MB of memory that the server's own process holds."""
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def descriptors(server: Any) -> int:
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def streams(server: Any) -> int:
    return int(server.client.get("/api/health").json()["streams"])


def never_read(server: Any) -> dict[str, Any]:
    """T6: a reader of 20 MB that takes none of it. How far the server grows, and how soon it hangs up."""
    run = server.ask("bad/deed", deed="flood")
    server.until(lambda: server.client.get(f"/api/runs/{run}").json()["status"] not in ("queued", "running"))
    time.sleep(0.5)
    before = highest = resident(server)
    host, port = server.url.removeprefix("http://").split(":")
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect((host, int(port)))
        deaf.sendall(f"GET /api/runs/{run}/events HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        server.until(lambda: streams(server) == 1)
        began = time.monotonic()
        while streams(server) and time.monotonic() - began < 90:
            highest = max(highest, resident(server))
            time.sleep(0.05)
        closed = time.monotonic() - began
    return tell("never read", grew_mb=round(highest - before, 1), closed_after_s=round(closed, 1))


def many_streams(server: Any, readers: int, seconds: float) -> dict[str, Any]:
    """T7: readers of one run of five events a second. What came, and how long after the first reader had it."""
    before = resident(server)
    upto = int(seconds * 5)
    run = server.count(upto=upto, pause=0.2)
    came: dict[int, list[float]] = {}
    cpu = processor(server)
    asyncio.run(read_all(server.url, run, readers, came))
    cpu = processor(server) - cpu
    late = sorted(at - min(times) for times in came.values() for at in times)
    delivered = len(late) / (readers * upto)
    p99 = late[int(len(late) * 0.99)]
    usual = statistics.median(max(times) - min(times) for times in came.values())  # a hitch is of the machine's
    return tell(
        "many streams",
        readers=readers,
        delivered=round(delivered, 4),
        p99_ms=round(p99 * 1000, 1),
        usual_ms=round(usual * 1000, 1),
        grew_mb=round(resident(server) - before, 1),
        core=f"{cpu / seconds:.0%}",
    )


def processor(server: Any) -> float:
    """Seconds that the server's own process has computed."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def read_all(url: str, run: str, readers: int, came: dict[int, list[float]]) -> None:
    """Note when each event came to each reader: bare sockets, as a client of HTTP would be the slower side."""
    port = int(url.rpartition(":")[2])

    async def read() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET /api/runs/{run}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        while line := await reader.readline():
            if line.startswith(b'data: {"text"'):
                event = json.loads(line[6:])
                came.setdefault(event["n"], []).append(time.monotonic())
            elif line.startswith(b"event: end"):
                break
        writer.close()

    await asyncio.gather(*(read() for _ in range(readers)))


def come_and_go(server: Any, cycles: int, clients: int) -> dict[str, Any]:
    """T8: clients open a stream, read one message and leave. Open files of the server before and after."""
    run = server.count(upto=10_000, pause=0.02)

    async def glance(client: httpx.AsyncClient) -> None:
        async with client.stream("GET", f"/api/runs/{run}/events") as answer:
            async for line in answer.aiter_lines():
                if line.startswith("id: "):
                    return

    async def cycle() -> None:
        async with httpx.AsyncClient(base_url=server.url, timeout=30, limits=NO_LIMIT) as client:
            await asyncio.gather(*(glance(client) for _ in range(clients)))

    def settle() -> int:
        server.until(lambda: streams(server) == 0)
        time.sleep(0.1)
        return descriptors(server)

    asyncio.run(cycle())
    before = settle()
    for _ in range(cycles):
        asyncio.run(cycle())
    after = settle()
    server.client.delete(f"/api/runs/{run}")
    return tell("come and go", cycles=cycles, clients=clients, files_before=before, files_after=after)


def move_slider(server: Any, commits: int, seconds: float) -> dict[str, Any]:
    """T17: a slider commits a value each tenth of a second on a lab that takes one; only the last one counts."""
    idle = server.children()
    runs: list[str] = []
    first = time.time_ns() % 2**30  # values that no run has had before
    began = time.monotonic()
    for value in range(commits):
        time.sleep(max(0.0, began + value * seconds / commits - time.monotonic()))
        params = {"upto": 1, "pause": 1.0, "seed": first + value}
        body = {"lab": "plain/count", "params": params, "supersedes": runs[-1] if runs else None}
        answer = server.client.post("/api/runs", json=body)
        assert answer.status_code == 201, answer.text
        runs.append(answer.json()["id"])
    last = time.monotonic()
    assert server.events(runs[-1])[-1]["status"] == "ok"
    waited = time.monotonic() - last
    server.until(lambda: server.client.get("/api/health").json()["running"] == 0)
    shown = [server.client.get(f"/api/runs/{run}").json() for run in runs]
    assert {each["status"] for each in shown[:-1]} == {"cancelled"}
    server.until(lambda: len(server.children()) <= len(idle), 3)
    started = sum(each["attempt"] > 0 for each in shown)
    finished = sum(each["status"] == "ok" for each in shown)
    return tell("slider", commits=commits, started=started, finished=finished, last_result_after_s=round(waited, 2))

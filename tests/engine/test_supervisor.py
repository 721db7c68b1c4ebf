"""One process, watched: whatever a lab does, the run ends with a reason and nothing of it is left."""

import asyncio
import json
import os
import socket
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from labs.discover import Lab
from underhood.processes.spawner import Spawner
from underhood.processes.supervisor import Outcome, Sink, supervise
from underhood.settings import Limits
from underhood.stores.store import Entry

pytestmark = pytest.mark.anyio

SLACK = 5.0  # seconds that a busy machine may add, far from the wall of 20
LIMITS = Limits(wall=20, events=500, event_bytes=1 << 20, run_bytes=16 << 20, memory=1 << 30, grace=1.0)


class Recorder:
    """A sink that keeps what it is given."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.blobs: list[bytes] = []
        self.arrived = asyncio.Event()
        self.heard: Callable[[int], object] = lambda events: None

    async def entries(self, entries: list[Entry]) -> None:
        self.events += [json.loads(entry.data) for entry in entries]
        self.arrived.set()
        self.heard(len(self.events))

    async def blob(self, data: bytes) -> str:
        self.blobs.append(data)
        return ""

    def values(self) -> list[Any]:
        return [event["value"] for event in self.events if event["kind"] == "told"]


Do = Callable[..., Awaitable[tuple[Outcome, Recorder]]]


@pytest.fixture
def do(processes: Spawner, labs: dict[str, Lab]) -> Do:
    async def do(deed: str, cancel_at: int = 0, **limits: Any) -> tuple[Outcome, Recorder]:
        """Do it, and ask it to stop once it has told so many events."""
        recorder, cancelled = Recorder(), asyncio.get_running_loop().create_future()
        recorder.heard = lambda events: events == cancel_at and cancelled.set_result("Asked to stop.")
        sink = Sink(recorder.entries, recorder.blob)
        limits = replace(LIMITS, **limits)
        outcome = await supervise(processes, labs["bad/deed"], {"deed": deed}, limits, sink, cancelled)
        return outcome, recorder

    return do


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # it may end while its file is read
        return False


def gone(path: str) -> bool:
    return not Path(path).exists()


async def test_a_well_behaved_lab_ends_ok(processes: Spawner, labs: dict[str, Lab]) -> None:
    recorder = Recorder()
    sink, cancelled = Sink(recorder.entries, recorder.blob), asyncio.get_running_loop().create_future()
    params = {"upto": 200, "pause": 0.0, "seed": 0}
    outcome = await supervise(processes, labs["plain/count"], params, LIMITS, sink, cancelled)
    assert outcome == Outcome("ok")
    assert [event["n"] for event in recorder.events] == list(range(200))


async def test_large_arrays_travel_apart_and_once(processes: Spawner, labs: dict[str, Lab]) -> None:
    recorder = Recorder()
    sink, cancelled = Sink(recorder.entries, recorder.blob), asyncio.get_running_loop().create_future()
    await supervise(processes, labs["plain/arrays"], {"length": 100_000}, LIMITS, sink, cancelled)
    assert len(recorder.blobs) == 1
    assert len(recorder.blobs[0]) == 400_000
    assert [set(event["small"]) for event in recorder.events] == [{"dtype", "shape", "data"}] * 2
    assert [event["large"]["shape"] for event in recorder.events] == [[100_000]] * 2
    assert all(len(event["large"]["blob"]) == 64 for event in recorder.events)


@pytest.mark.parametrize(
    ("deed", "status", "words"),
    [
        ("advise", "failed", "Choose fewer bits: 40 do not fit."),
        ("crash", "failed", "stopped with a ZeroDivisionError"),
        ("segfault", "failed", "killed by SIGSEGV"),
        ("exit", "failed", "exit code 3"),
        ("flood", "failed", "more than 500 events"),
        ("giant_event", "failed", "one event of 2,097"),
        ("giant_array", "failed", "one array of 67,108,864 bytes; 8,388,608 are allowed"),
        ("many_bytes", "failed", "more than 16,777,216 bytes in all"),
        ("hog_memory", "failed", "needed more memory than a run may use"),
        ("hog_files", "failed", "stopped with an OSError"),
        ("not_a_number", "failed", "stopped with a ValueError"),
        ("reserved_kind", "failed", "stopped with a ValueError"),
        ("object_array", "failed", "stopped with a TypeError"),
        ("scribble", "failed", "wrote over the channel"),
    ],
)
async def test_misdeeds_end_with_a_reason(do: Do, deed: str, status: str, words: str) -> None:
    outcome, recorder = await do(deed)
    assert outcome.status == status
    assert words in outcome.reason
    assert "Traceback" not in outcome.reason
    assert not alive(recorder.values()[0])


async def test_a_traceback_goes_to_the_log(do: Do, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "underhood.lab")
    await do("crash")
    assert "bad/deed: ZeroDivisionError: division by zero" in caplog.text


async def test_prints_go_to_the_log_up_to_a_limit(do: Do, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "underhood.lab")
    outcome, recorder = await do("print")
    assert outcome == Outcome("ok")
    assert [event["text"] for event in recorder.events] == ["It begins.", "It was quiet here."]
    assert "bad/deed: noise" in caplog.text
    assert "the rest is dropped" in caplog.text
    assert len(caplog.records) < 20_000


@pytest.mark.parametrize(
    ("deed", "events"), [("sleep", 1), ("stubborn", 2), ("stubborn_c_loop", 2), ("breed_and_stay", 2)]
)
async def test_cancel_ends_everything_within_its_grace(do: Do, deed: str, events: int) -> None:
    began = time.monotonic()
    outcome, recorder = await do(deed, cancel_at=events)
    assert time.monotonic() - began < LIMITS.grace + SLACK
    assert outcome == Outcome("cancelled", "Asked to stop.")
    pids = [pid for value in recorder.values() if value for pid in ([value] if isinstance(value, int) else value)]
    assert len(pids) == (6 if deed == "breed_and_stay" else 1)
    assert not [pid for pid in pids if alive(pid)]


async def test_no_child_of_a_lab_outlives_it(do: Do) -> None:
    outcome, recorder = await do("breed_and_leave")
    assert outcome == Outcome("ok")
    assert not [pid for pid in recorder.values()[1] if alive(pid)]


async def test_the_time_limit(do: Do) -> None:
    began = time.monotonic()
    outcome, recorder = await do("stubborn", wall=0.5)
    assert 0.5 < time.monotonic() - began < 0.5 + LIMITS.grace + SLACK
    assert outcome.status == "timed_out"
    assert "time limit of 0.5 seconds" in outcome.reason
    assert not alive(recorder.values()[0])


async def test_a_slow_store_holds_the_lab_back(processes: Spawner, labs: dict[str, Lab]) -> None:
    """Nothing piles up in between: while the sink waits, the lab can be only a few buffers ahead."""
    seen, begun, release = 0, asyncio.Event(), asyncio.Event()

    async def entries(batch: list[Entry]) -> None:
        nonlocal seen
        seen += len(batch)
        begun.set()
        await release.wait()

    cancelled = asyncio.get_running_loop().create_future()
    lab, params = labs["plain/count"], {"upto": 100_000, "pause": 0.0, "seed": 0}
    limits, sink = replace(LIMITS, events=200_000), Sink(entries, Recorder().blob)
    running = asyncio.create_task(supervise(processes, lab, params, limits, sink, cancelled))
    await begun.wait()
    stuck = seen
    await asyncio.sleep(0.5)
    assert seen == stuck < 50_000
    cancelled.set_result("Enough.")
    assert (await running).status == "cancelled"


async def test_cancelling_the_supervisor_leaves_no_process(processes: Spawner, labs: dict[str, Lab]) -> None:
    recorder, cancelled = Recorder(), asyncio.get_running_loop().create_future()
    sink, params = Sink(recorder.entries, recorder.blob), {"deed": "stubborn"}
    running = asyncio.create_task(supervise(processes, labs["bad/deed"], params, LIMITS, sink, cancelled))
    await recorder.arrived.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert not alive(recorder.values()[0])


@pytest.mark.parametrize("connected", [0, 1])
async def test_cancelling_the_supervisor_while_it_connects_leaves_nothing_open(
    processes: Spawner, labs: dict[str, Lab], monkeypatch: pytest.MonkeyPatch, connected: int
) -> None:
    """Its process has been forked, and one of its two channels, or none, has been connected."""
    connect, reached, seen = asyncio.open_connection, asyncio.Event(), []

    async def connect_some(sock: socket.socket, limit: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        seen.append(sock)
        if len(seen) <= connected:
            return await connect(sock=sock, limit=limit)
        reached.set()
        return await asyncio.Future()

    monkeypatch.setattr(asyncio, "open_connection", connect_some)
    sink, cancelled = Sink(Recorder().entries, Recorder().blob), asyncio.get_running_loop().create_future()
    task = asyncio.create_task(
        supervise(processes, labs["bad/deed"], {"deed": "stubborn"}, LIMITS, sink, cancelled)
    )
    await reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0)  # a transport closes its socket in the next turn of the loop
    assert len(seen) == connected + 1
    assert [sock.fileno() for sock in seen] == [-1] * len(seen)


async def test_what_a_lab_sees(do: Do, monkeypatch: pytest.MonkeyPatch) -> None:
    _, recorder = await do("look_around")
    seen = recorder.values()[1]
    assert seen["session"]
    assert seen["stdin"] == ""
    assert len(seen["descriptors"]) == 4  # 0, 1, 2 and the channel
    assert set(seen["environ"]) <= {"PATH", "LANG", "LC_CTYPE", "PYTHONHASHSEED", "HOME", "TMPDIR"} | {
        f"{library}_NUM_THREADS" for library in ("OMP", "OPENBLAS", "MKL")
    }
    assert seen["environ"]["HOME"] == seen["directory"]
    assert gone(seen["directory"])


async def test_what_a_lab_may_not_do(do: Do, processes: Spawner) -> None:
    _, recorder = await do("spy")
    done = {name for name, result in recorder.values()[1:] if result == "done"}
    if "landlock" not in processes.layers:
        done -= {
            "read a secret",
            "read a file that all may read",
            "list home",
            "write outside",
            "signal the parent",
            "read the parent's environment",
        }
    if "seccomp" not in processes.layers:
        done -= {"make a TCP socket", "make a UDP socket"}
    assert not done
    assert os.environ["HOME"]  # the server's own is untouched

"""Two web processes and a worker behave as one server."""

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chaos
import httpx
import pytest
from cluster import COMMAND, SEEDS, Cluster, until

New = Callable[..., Cluster]


def test_a_run_started_on_one_streams_from_the_other(cluster: Cluster) -> None:
    first, second = chaos.webs(cluster)
    run = first.count(upto=10, pause=0.1)
    events = second.events(run)
    assert [event["kind"] for event in events] == ["queued", "started", *["counted"] * 10, "end"]
    assert [event["id"] for event in events] == list(range(1, 14))
    arrivals = [event["received"] for event in events]
    assert arrivals[-1] - arrivals[2] > 0.6, "they come as they are made"
    assert first.show(run) == second.show(run)


def test_identical_requests_to_both_are_one_run(cluster: Cluster) -> None:
    async def go() -> list[httpx.Response]:
        body = {"lab": "plain/count", "params": {"upto": 20, "pause": 0.02, "seed": 424_242}}
        async with httpx.AsyncClient(timeout=30) as client:
            asks = (client.post(f"{web.url}/api/runs", json=body) for _ in range(25) for web in chaos.webs(cluster))
            return await asyncio.gather(*asks)

    answers = asyncio.run(go())
    assert sorted(answer.status_code for answer in answers) == [200] * 49 + [201]
    (run,) = {answer.json()["id"] for answer in answers}
    streams = [web.events(run) for web in chaos.webs(cluster)]
    kinds = [[event["kind"] for event in stream] for stream in streams]
    assert kinds[0] == kinds[1]
    assert kinds[0].count("started") == kinds[0].count("end") == 1


def test_cancel_on_the_other_reaches_the_worker_at_once(cluster: Cluster) -> None:
    first, second = chaos.webs(cluster)
    delays = []
    for _ in range(5):
        run = first.count(upto=1000, pause=0.02)
        messages = first.messages(run)
        next(event for event in messages if event["kind"] == "counted")
        began = time.monotonic()
        assert second.client.delete(f"/api/runs/{run}").status_code in (200, 202)
        end = list(messages)[-1]
        assert (end["status"], end["reason"]) == ("cancelled", "It was cancelled.")
        delays.append(end["received"] - began)
    chaos.tell("cancel through Redis", slowest_s=round(max(delays), 3))
    assert sorted(delays)[2] <= 0.5


def test_a_waiting_run_is_cancelled_without_a_worker(cluster: Cluster) -> None:
    first, second = chaos.webs(cluster)
    busy = [first.count(upto=1000, pause=0.02) for _ in range(2)]
    until(lambda: all(first.show(run)["status"] == "running" for run in busy))
    waiting = first.count(upto=1000)
    assert second.client.delete(f"/api/runs/{waiting}").json()["status"] == "cancelled"
    assert [event["kind"] for event in first.events(waiting)] == ["queued", "end"]
    for run in busy:
        second.client.delete(f"/api/runs/{run}")
        first.events(run)


def test_newer_parameters_take_the_place_of_older_ones(cluster: Cluster) -> None:
    """A slider that is moved twenty times, each time at the other web process, leaves one run."""
    webs = chaos.webs(cluster)
    runs = [webs[0].count(upto=1000, pause=0.02)]
    for n in range(20):
        answer = webs[n % 2].post("plain/count", supersedes=runs[-1], upto=1000, pause=0.02, seed=next(SEEDS))
        runs.append(answer.json()["id"])
    for old in runs[:-1]:
        end = webs[0].events(old)[-1]
        assert end["status"] == "cancelled"
        assert "Newer parameters" in end["reason"]
    until(lambda: webs[1].show(runs[-1])["status"] == "running")
    webs[0].client.delete(f"/api/runs/{runs[-1]}")
    webs[0].events(runs[-1])


def test_a_run_that_others_want_is_not_superseded(cluster: Cluster) -> None:
    first, second = chaos.webs(cluster)
    asked = first.count(upto=30, pause=0.02)
    params = first.show(asked)["params"]
    assert second.post("plain/count", **params).status_code == 200
    first.post("plain/count", supersedes=asked, seed=next(SEEDS))
    assert second.events(asked)[-1]["status"] == "ok"


def test_asking_again_for_a_run_that_is_being_cancelled_starts_a_new_one(cluster: Cluster) -> None:
    first, second = chaos.webs(cluster)
    run = first.ask("bad/deed", deed="stubborn")
    next(event for event in first.messages(run) if event["kind"] == "told")
    first.client.delete(f"/api/runs/{run}")
    answer = second.post("bad/deed", deed="stubborn")
    assert (answer.status_code, answer.json()["id"] != run) == (201, True)
    second.client.delete(f"/api/runs/{answer.json()['id']}")
    first.events(answer.json()["id"])


def test_those_who_wait_hear_how_the_line_moves(new_cluster: New) -> None:
    cluster = new_cluster(queue=3)
    web, _ = cluster.start(concurrency=1)
    first = web.count(upto=1000, pause=0.05)
    until(lambda: web.show(first)["status"] == "running")
    runs = [web.count(upto=5, pause=0.05) for _ in range(3)]
    full = web.post("plain/count", seed=next(SEEDS))
    assert full.status_code == 429
    assert 1 <= int(full.headers["Retry-After"]) <= 30
    web.client.delete(f"/api/runs/{first}")
    queued = [[e for e in web.events(run) if e["kind"] == "queued"] for run in (first, *runs)]
    assert [[event["position"] for event in stream] for stream in queued] == [[0], [0], [1, 0], [2, 1, 0]]
    assert queued[1][0]["wait"] is None  # nothing has ended yet
    assert queued[3][-1]["wait"] > 0
    assert web.client.get("/api/health").json()["queue"] == 0


def test_a_run_that_everybody_left_is_cancelled(new_cluster: New) -> None:
    cluster = new_cluster(abandoned=0.3)
    web, _ = cluster.start()
    other = cluster.web()
    run = web.count(upto=1000, pause=0.02)
    here, there = web.messages(run), other.messages(run)
    next(here), next(there)
    here.close()
    time.sleep(0.8)
    assert web.show(run)["status"] == "running"
    there.close()
    until(lambda: web.show(run)["status"] == "cancelled")
    assert web.show(run)["reason"] == "Nobody was watching it any more."


def test_without_a_cuda_worker_it_is_503_at_once(cluster: Cluster) -> None:
    web, _ = chaos.webs(cluster)
    waits = []
    for _ in range(10):
        began = time.monotonic()
        answer = web.post("plain/on_device", device="cuda")
        waits.append(time.monotonic() - began)
        assert (answer.status_code, answer.json()["code"]) == (503, "no_worker")
    chaos.tell("no cuda worker", slowest_503_s=round(max(waits), 3))
    assert sorted(waits)[5] < 0.2


def test_a_segfault_ends_its_run_and_nothing_else(cluster: Cluster) -> None:
    first, second = chaos.webs(cluster)
    other = second.count(upto=20, pause=0.05)
    bad = first.ask("bad/deed", deed="segfault")
    end = first.events(bad)[-1]
    assert end["status"] == "failed"
    assert "SIGSEGV" in end["reason"]
    assert first.show(bad)["attempt"] == 1
    assert second.events(other)[-1]["status"] == "ok"
    assert first.show(other)["attempt"] == 1


def test_a_run_whose_worker_dies_three_times_is_given_up(new_cluster: New) -> None:
    cluster = new_cluster(lease=1)
    web, (worker,) = cluster.start()
    run = web.count(upto=1000, pause=0.1)
    for attempt in (1, 2, 3):
        until(lambda attempt=attempt: web.show(run)["attempt"] == attempt)
        worker.stop(signal.SIGKILL)
        worker.start()
    end = web.events(run)[-1]
    assert end["status"] == "failed"
    assert "stopped 3 times" in end["reason"]


def test_workers_say_what_they_are(cluster: Cluster) -> None:
    (device,) = chaos.webs(cluster)[1].client.get("/api/devices").json()
    assert (device["device"], device["concurrency"], device["gpu"]) == ("cpu", 2, None)
    assert device["cpu"]["cores"] >= 1
    assert {"python", "numpy"} <= device["versions"].keys()
    assert {"id", "host", "name", "running"} <= device.keys()


def test_the_health_check_of_a_worker(cluster: Cluster) -> None:
    def check(queue: str) -> int:
        command = [*COMMAND, "worker", "--check", "--queue", queue]
        return subprocess.run(command, env=cluster.env, timeout=30, check=False).returncode

    assert check("cpu") == 0
    assert check("cuda") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["--concurrency", "0"], "at least 1"), (["--queue", "cuda"], "no GPU"), (["--queue", "tpu"], "tpu")],
)
def test_a_worker_that_cannot_work_says_why(
    arguments: list[str], words: str, cluster: Cluster, tmp_path: Path
) -> None:
    command = [*COMMAND, "worker", *arguments]
    env = cluster.env | {"PATH": str(tmp_path)}  # without nvidia-smi, there is no GPU anywhere
    done = subprocess.run(command, env=env, timeout=30, check=False, capture_output=True, text=True)
    assert done.returncode in (1, 2)
    assert words in done.stderr


def test_a_worker_that_loses_its_gpu_exits(new_cluster: New) -> None:
    cluster = new_cluster()
    code = """
import asyncio, itertools, sys
from labs import discover
from underhood.workers import worker
from underhood.settings import Settings
worker.PROBE = 0.3
answers = itertools.chain([True, True], itertools.repeat(False))
settings = Settings.from_env()
made = worker.Worker
async def go():
    return await made(settings, discover.find(settings.labs), "cpu", 1, lambda: next(answers)).work()
sys.exit(asyncio.run(go()))
"""
    done = subprocess.run([sys.executable, "-c", code], env=cluster.env, timeout=30, check=False)
    assert done.returncode == 1
    assert cluster.announced() == []


def test_only_json_lies_in_redis_and_only_an_id_travels(cluster: Cluster) -> None:
    web, _ = chaos.webs(cluster)
    run = web.count(upto=1000, pause=0.02)
    until(lambda: web.show(run)["status"] == "running")
    task = json.loads(cluster.command("GET", f"streaq:underhood-cpu:task:data:{run}"))
    assert (task["f"], task["a"], task["k"]) == ("run", [run], {})
    web.client.delete(f"/api/runs/{run}")
    web.events(run)


def test_a_finished_run_and_its_notes_do_not_stay_for_ever(cluster: Cluster) -> None:
    web, _ = chaos.webs(cluster)
    run = web.ask("plain/arrays", length=70_000)
    events = web.events(run)
    digest = next(event for event in events if event["kind"] == "filled")["large"]["blob"]
    assert web.client.get(f"/api/blobs/{digest}").status_code == 200
    for key in (f"run:{run}", f"log:{run}", f"blob:{digest}", f"users:{digest}", f"blobs:{run}"):
        assert int(cluster.command("TTL", f"underhood:{key}")) > 3600, key
    until(lambda: cluster.command("XLEN", "streaq:underhood-cpu:queues:normal").strip() == "0")
    assert cluster.command("KEYS", "streaq:*:task:*").strip() == ""


def test_without_the_variable_nothing_of_redis_is_imported(tmp_path: Path) -> None:
    code = """
import asyncio, pathlib, sys
from underhood.web.app import create_app
from underhood.settings import Settings
async def go():
    app = create_app(Settings(data=pathlib.Path(sys.argv[1]), preload=()))
    async with app.router.lifespan_context(app):
        await app.state.engine.dispatch.load()
asyncio.run(go())
print(*{"coredis", "streaq"} & {*sys.modules})
"""
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("processor\t: 0\nflags\t\t: fpu sse2 sse4_2 avx avx2 avx512f\n", "AVX-512"),
        ("flags\t\t: fpu sse2 sse4_2 avx avx2\n", "AVX2"),
        ("Features\t: fp asimd evtstrm\n", "NEON"),
        ("processor\t: 0\n", None),
    ],
)
def test_the_simd_level_is_read_off_the_flags(tmp_path: Path, text: str, level: Any) -> None:
    from underhood.machine.hardware import simd

    (tmp_path / "cpuinfo").write_text(text)
    assert simd(tmp_path / "cpuinfo") == level
    assert simd(tmp_path / "nowhere") is None


def test_what_a_worker_measured_is_remembered_for_all(cluster: Cluster) -> None:
    first, second = chaos.webs(cluster)
    run = first.ask("plain/measure")
    events = second.events(run)
    for web in (first, second):
        found = httpx.get(f"{web.url}/api/history/plain/measure").json()
        assert found["results"][0]["run"] == run
        assert found["results"][0]["provenance"] == events[1]["provenance"]

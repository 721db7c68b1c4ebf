"""What goes wrong with many processes, done on purpose. The quick tests and the long ones differ in numbers only.

Each function returns what it measured and prints it, so that the README can quote it.
"""

import itertools
import json
import random
import signal
import statistics
import subprocess
import threading
import time
from typing import Any

import httpx
from cluster import Cluster, Web, until


def tell(name: str, **measured: Any) -> dict[str, Any]:
    print(f"\n{name}: " + ", ".join(f"{key} {value}" for key, value in measured.items()))  # noqa: T201
    return measured


def kill_workers(cluster: Cluster, jobs: int, kills: int, seed: int, feed: float) -> dict[str, Any]:
    """T9: runs of 0.3 s are asked for over ``feed`` seconds; every 1.5 s one of two workers dies by SIGKILL."""
    dice = random.Random(seed)
    web, workers = cluster.start(workers=2)
    runs: list[str] = []

    def ask() -> None:
        for _ in range(jobs):
            runs.append(web.count(upto=3, pause=0.1))
            time.sleep(feed / jobs)

    asking = threading.Thread(target=ask)
    asking.start()
    for _ in range(kills):
        time.sleep(1.5)
        victim = dice.choice(workers)
        victim.stop(9)
        victim.start()
    asking.join()
    drain = until(lambda: cluster.command("ZCARD", "underhood:live").strip() == "0", 60)
    again = sum(check_complete(cluster, run, 3) - 1 for run in runs)
    assert len(runs) == jobs
    return tell(
        f"worker chaos, seed {seed}", runs=jobs, kills=kills, lost=0, rerun=again, drained_s=round(drain, 1)
    )


def check_complete(cluster: Cluster, run: str, upto: int) -> int:
    """Check that a log is whole: one end, ok, and after the last start every event once. How often it started."""
    events = log_of(cluster, run)
    kinds = [event["kind"] for event in events]
    assert kinds.count("end") == 1, (run, kinds)
    assert events[-1] == {"kind": "end", "status": "ok", "reason": ""}, (run, events[-1])
    attempts = [event["attempt"] for event in events if event["kind"] == "started"]
    assert attempts == sorted(set(attempts)), (run, attempts)
    last = len(kinds) - kinds[::-1].index("started")
    assert [event["n"] for event in events[last:-1]] == list(range(upto)), (run, kinds)
    return len(attempts)


def log_of(cluster: Cluster, run: str) -> list[dict[str, Any]]:
    """The events as they lie in Redis."""
    command = ["redis-cli", "-p", str(cluster.redis.port), "--json", "XRANGE", f"underhood:log:{run}", "-", "+"]
    entries = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert [entry[0] for entry in entries] == [f"{n}-0" for n in range(1, len(entries) + 1)]
    return [json.loads(entry[1][3]) for entry in entries]


def kill_on_quiet_queue(cluster: Cluster, lease: float) -> dict[str, Any]:
    """T10: the only run's worker dies; nothing else is asked for; the other worker takes over."""
    web, workers = cluster.start(workers=2, concurrency=1)
    run = web.count(upto=20, pause=0.1)
    messages = web.messages(run)
    next(event for event in messages if event["kind"] == "counted")
    busy = next(each for each in web.client.get("/api/devices").json() if each["running"])
    victim = next(worker for worker in workers if f"-{worker.process.pid}-" in busy["id"])
    victim.stop(9)
    killed = time.monotonic()
    again = next(event for event in messages if event["kind"] == "started")
    delay = again["received"] - killed
    assert again["attempt"] == 2
    assert delay <= 2 * lease + 5, delay  # else nobody would have noticed
    assert list(messages)[-1]["status"] == "ok"
    check_complete(cluster, run, 20)
    return tell("crash on a quiet queue", lease_s=lease, rerun_after_s=round(delay, 2))


def outlast_the_lease(cluster: Cluster, lease: float, factor: int) -> dict[str, Any]:
    """T11: a run that says nothing for several leases, while others come and go around it."""
    web, _ = cluster.start(workers=2)
    silent = web.count(upto=1, pause=lease * factor)
    others = 0
    while web.show(silent)["status"] in ("queued", "running"):
        web.events(web.count(upto=2, pause=0.02))
        others += 1
    starts = [event["kind"] for event in log_of(cluster, silent)].count("started")
    assert starts == 1
    return tell("longer than the lease", lease_s=lease, run_s=lease * factor, other_runs=others, starts=starts)


def kill_redis(cluster: Cluster, kills: int, gap: float, pause: float) -> dict[str, Any]:
    """T12: Redis dies by SIGKILL while runs are asked for; who gets a 503 asks again."""
    web, workers = cluster.start(workers=2)
    stop = threading.Event()
    guards = [threading.Thread(target=cluster.keep_alive, args=(worker, stop)) for worker in workers]
    accepted: list[str] = []
    refused = itertools.count()

    def ask() -> None:
        for seed in itertools.count(1_000_000):
            if stop.is_set():
                return
            while True:
                answer = web.post("plain/count", upto=3, pause=0.05, seed=seed)
                if answer.status_code in (200, 201):
                    accepted.append(answer.json()["id"])
                    break
                assert answer.status_code == 503, answer.text
                next(refused)
                time.sleep(0.2)
            time.sleep(0.1)

    asking = threading.Thread(target=ask)
    for thread in (*guards, asking):
        thread.start()
    for _ in range(kills):
        time.sleep(gap)
        cluster.redis.stop(9)
        time.sleep(pause)
        cluster.redis.start()
    time.sleep(gap)
    stop.set()
    for thread in (*guards, asking):
        thread.join()
    drain = until(lambda: cluster.command("ZCARD", "underhood:live").strip() == "0", 60)
    again = sum(check_complete(cluster, run, 3) - 1 for run in accepted)
    return tell(
        "Redis killed",
        kills=kills,
        accepted=len(accepted),
        lost=0,
        refused_503=next(refused),
        rerun=again,
        drained_s=round(drain, 1),
    )


def take_redis_away(cluster: Cluster, seconds: float) -> dict[str, Any]:
    """T13: every call is refused within a second, what needs no Redis goes on, and all is well soon after."""
    web, _ = cluster.start()
    run = web.count(upto=5)
    web.events(run)
    stream = web.messages(web.count(upto=20, pause=0.1))
    next(stream)
    cluster.redis.stop(9)
    began = time.monotonic()
    calls = {
        "POST /api/runs": lambda: web.post("plain/count", seed=7_000_000),
        "GET /api/runs/{id}": lambda: web.client.get(f"/api/runs/{run}"),
        "DELETE /api/runs/{id}": lambda: web.client.delete(f"/api/runs/{run}"),
        "GET /api/runs/{id}/events": lambda: web.client.get(f"/api/runs/{run}/events"),
        "GET /api/devices": lambda: web.client.get("/api/devices"),
    }
    waits = []
    while time.monotonic() - began < seconds:
        for name, call in calls.items():
            asked = time.monotonic()
            answer: httpx.Response = call()
            waits.append(time.monotonic() - asked)
            assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2"), name
            assert "keeps trying" in answer.json()["detail"]
        assert web.client.get("/api/labs").status_code == 200
        assert web.client.get("/api/health").json()["status"] == "store_away"
        time.sleep(0.1)
    assert statistics.median(waits) <= 1 and max(waits) <= 5, max(waits)  # the machine may hold up one of many
    cluster.redis.start()
    recovery = until(lambda: web.post("plain/count", seed=7_000_001).status_code in (200, 201), 10)
    back = time.monotonic()
    assert web.events(web.post("plain/count", seed=7_000_001).json()["id"])[-1]["status"] == "ok"
    worked = recovery + time.monotonic() - back
    assert worked <= 10, worked
    end = list(stream)[-1]  # the stream that was open all the time gets its end, too
    assert end["status"] == "ok", end
    return tell(
        "Redis away",
        seconds=seconds,
        slowest_503_s=round(max(waits), 2),
        accepts_after_s=round(recovery, 2),
        completes_after_s=round(worked, 2),
    )


def hang_redis(cluster: Cluster, seconds: float) -> dict[str, Any]:
    """Redis answers nobody and hangs up on nobody, as when its machine or the network between is stuck."""
    web, _ = cluster.start()
    run = web.count(upto=20, pause=0.1)
    stream = web.messages(run)
    next(stream)
    cluster.redis.process.send_signal(signal.SIGSTOP)
    slowest, began = 0.0, time.monotonic()
    while time.monotonic() - began < seconds:
        asked = time.monotonic()
        assert web.post("plain/count", seed=7_000_000).status_code == 503
        assert web.client.get(f"/api/runs/{run}").status_code == 503
        slowest = max(slowest, (time.monotonic() - asked) / 2)
    assert slowest <= 1, slowest
    cluster.redis.process.send_signal(signal.SIGCONT)
    recovery = until(lambda: web.post("plain/count", seed=7_000_001).status_code in (200, 201), 10)
    assert list(stream)[-1]["status"] == "ok"
    return tell("Redis hangs", seconds=seconds, slowest_503_s=round(slowest, 2), accepts_after_s=round(recovery, 2))


def empty_redis(cluster: Cluster) -> dict[str, Any]:
    """Redis comes back without anything, even without streaQ's functions: what was is lost, what comes works."""
    web, _ = cluster.start()
    web.events(web.count())
    cluster.command("FLUSHALL")
    cluster.command("FUNCTION", "FLUSH")
    began = time.monotonic()
    until(lambda: web.post("plain/count", seed=7_000_002).status_code in (200, 201))
    events = web.events(web.post("plain/count", seed=7_000_002).json()["id"])
    assert events[-1]["status"] == "ok"
    return tell("Redis emptied", completes_after_s=round(time.monotonic() - began, 2))


def webs(cluster: Cluster) -> tuple[Web, Web]:
    first, second = (process for process in cluster.processes if isinstance(process, Web))
    return first, second

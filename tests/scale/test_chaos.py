"""Processes die, and nobody who was told "accepted" notices more than a delay. The long versions: tests/soak."""

from collections.abc import Callable
from typing import Any

import chaos
from cluster import Cluster

New = Callable[..., Cluster]


def test_killed_workers_lose_no_run(new_cluster: New) -> None:
    cluster = new_cluster(queue=500, attempts=10)
    assert chaos.kill_workers(cluster, jobs=40, kills=3, seed=7, feed=4)["drained_s"] <= 15


def test_a_crash_on_a_quiet_queue_is_noticed(new_cluster: New) -> None:
    chaos.kill_on_quiet_queue(new_cluster(lease=1), lease=1)


def test_a_run_that_outlasts_the_lease_starts_once(new_cluster: New) -> None:
    chaos.outlast_the_lease(new_cluster(lease=1), lease=1, factor=4)


def test_killing_redis_loses_no_accepted_run(new_cluster: New) -> None:
    chaos.kill_redis(new_cluster(queue=500, attempts=10), kills=2, gap=1.2, pause=0.5)


def test_redis_away_is_a_quick_503(new_cluster: New) -> None:
    chaos.take_redis_away(new_cluster(attempts=1), seconds=3)  # nor is it held against a run


def test_a_worker_that_is_stopped_hands_its_run_back(new_cluster: New) -> None:
    cluster = new_cluster(drain=2)
    web, (first,) = cluster.start()
    short, long = web.count(upto=10, pause=0.1), web.count(upto=1000, pause=0.1)
    messages = web.messages(long)
    next(event for event in messages if event["kind"] == "counted")
    cluster.worker()
    assert first.stop() <= 2 + 5
    assert first.process.returncode == 0
    assert [event["kind"] for event in chaos.log_of(cluster, short)].count("started") == 1
    assert web.show(short)["status"] == "ok"
    again: Any = next(event for event in messages if event["kind"] == "started")
    assert again["attempt"] == 2
    web.client.delete(f"/api/runs/{long}")

"""Wall clocks that are wrong by hours and jump: no lease, no heartbeat and no reader hangs on them."""

import time
from collections.abc import Callable
from pathlib import Path

import chaos
from clocks import Clock
from cluster import Cluster, until

New = Callable[..., Cluster]
HOUR = 3600


def test_clocks_that_are_wrong_and_jump(new_cluster: New, tmp_path: Path) -> None:
    cluster = new_cluster(lease=2, abandoned=0.5)
    clocks = [Clock(tmp_path / f"clock{n}", shift * HOUR) for n, shift in enumerate((5, -5, 3, -3))]
    env = cluster.env
    processes = []
    for clock, start in zip(clocks, (cluster.worker, cluster.worker, cluster.web, cluster.web), strict=True):
        cluster.env = clock.environment(env)
        processes.append(start())
    _, victim, ahead, behind = processes

    def all_are_served() -> None:
        runs = [web.count(upto=3, pause=0.05) for _ in range(4) for web in (ahead, behind)]
        assert len(ahead.client.get("/api/devices").json()) == len(behind.client.get("/api/devices").json()) == 2
        for run in runs:
            behind.events(run)
            assert chaos.check_complete(cluster, run, 3) == 1

    all_are_served()
    read = behind.count(upto=1000, pause=0.02)
    here, there = behind.messages(read), ahead.messages(read)
    next(here), next(there)
    for clock, shift in zip(clocks, (-7, 7, -9, 9), strict=True):
        clock.set(shift * HOUR)
    here.close()
    all_are_served()
    time.sleep(0.8)
    assert ahead.show(read)["status"] == "running", "the other still reads it"
    there.close()
    until(lambda: ahead.show(read)["status"] == "cancelled")
    long = [behind.count(upto=40, pause=0.1) for _ in range(4)]
    until(lambda: all(ahead.show(run)["status"] == "running" for run in long))
    victim.stop(9)
    ahead.stop(9)
    for run in long:
        behind.events(run)
    assert sorted(chaos.check_complete(cluster, run, 40) for run in long) == [1, 1, 2, 2]

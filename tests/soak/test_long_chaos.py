"""The chaos of tests/scale for longer: `make soak`. Not a part of `make test`, as it takes minutes."""

from collections.abc import Callable

import chaos
import pytest
from cluster import Cluster

New = Callable[..., Cluster]


@pytest.mark.parametrize("seed", [7, 11, 23])
def test_two_hundred_runs_and_twelve_killed_workers(new_cluster: New, seed: int) -> None:
    cluster = new_cluster(queue=500, attempts=10, lease=3)
    assert chaos.kill_workers(cluster, jobs=200, kills=12, seed=seed, feed=20)["drained_s"] <= 15


@pytest.mark.parametrize("lease", [2, 3, 5])
def test_a_crash_on_a_quiet_queue_is_noticed(new_cluster: New, lease: int) -> None:
    chaos.kill_on_quiet_queue(new_cluster(lease=lease), lease=lease)


def test_a_run_that_outlasts_the_lease_starts_once(new_cluster: New) -> None:
    chaos.outlast_the_lease(new_cluster(lease=3), lease=3, factor=8)


def test_killing_redis_loses_no_accepted_run(new_cluster: New) -> None:
    chaos.kill_redis(new_cluster(queue=500, attempts=10, lease=3), kills=3, gap=8, pause=4)


def test_redis_away_for_half_a_minute(new_cluster: New) -> None:
    chaos.take_redis_away(new_cluster(), seconds=30)


def test_a_redis_that_hangs_is_a_quick_503(new_cluster: New) -> None:
    chaos.hang_redis(new_cluster(), seconds=10)


def test_a_redis_that_comes_back_empty_is_used_again(new_cluster: New) -> None:
    chaos.empty_redis(new_cluster())

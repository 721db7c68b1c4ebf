"""Clusters as fixtures, for the quick tests and for the long ones."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cluster import Cluster


@pytest.fixture
def new_cluster(start_redis: Callable[[], Any], tmp_path: Path) -> Iterator[Callable[..., Cluster]]:
    """A cluster without processes yet, around a Redis of its own; settings by name."""
    clusters: list[Cluster] = []

    def new(**settings: Any) -> Cluster:
        clusters.append(Cluster(start_redis(), tmp_path, **settings))
        return clusters[-1]

    yield new
    for cluster in clusters:
        cluster.close()
        if cluster.redis.process.poll() is None:
            cluster.redis.stop()


@pytest.fixture(scope="session")
def cluster(start_redis: Callable[[], Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Two web processes and a worker with two places, for tests that leave them as they found them."""
    cluster = Cluster(start_redis(), tmp_path_factory.mktemp("cluster"))
    cluster.start()
    cluster.web()
    yield cluster
    cluster.close()

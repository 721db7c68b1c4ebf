"""The load of tests/api for longer and with more readers."""

from collections.abc import Callable
from typing import Any

import load

Serve = Callable[..., Any]


def test_a_reader_that_never_reads_is_dropped_after_a_minute(serve: Serve) -> None:
    measured = load.never_read(serve())
    assert measured["grew_mb"] <= 8
    assert measured["closed_after_s"] <= 62


def test_four_hundred_readers(serve: Serve) -> None:
    measured = load.many_streams(serve(), readers=400, seconds=20)
    assert measured["delivered"] >= 0.99
    assert measured["p99_ms"] <= 250
    assert measured["grew_mb"] <= 60


def test_a_thousand_readers_come_and_go(serve: Serve) -> None:
    measured = load.come_and_go(serve(), cycles=20, clients=50)
    assert abs(measured["files_after"] - measured["files_before"]) <= 2


def test_only_the_newest_value_counts_every_time(serve: Serve) -> None:
    server = serve()
    for _ in range(3):
        measured = load.move_slider(server, commits=50, seconds=5)
        assert (measured["started"] <= 6, measured["finished"]) == (True, 1)
        assert measured["last_result_after_s"] <= 1.5

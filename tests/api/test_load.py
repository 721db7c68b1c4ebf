"""The server under load, in little; tests/soak does the same at length."""

from collections.abc import Callable
from typing import Any

import load
import pytest

pytestmark = pytest.mark.alone  # it measures
Serve = Callable[..., Any]


def test_a_reader_that_never_reads_costs_little_memory(serve: Serve) -> None:
    measured = load.never_read(serve(send_timeout=2))
    assert measured["grew_mb"] <= 8
    assert measured["closed_after_s"] <= 10


def test_a_hundred_readers_get_everything_in_time(serve: Serve) -> None:
    measured = load.many_streams(serve(), readers=100, seconds=5)
    assert measured["delivered"] == 1
    assert measured["usual_ms"] <= 250


def test_readers_that_come_and_go_leave_no_file_open(serve: Serve) -> None:
    measured = load.come_and_go(serve(), cycles=5, clients=50)
    assert measured["files_after"] - measured["files_before"] <= 2


def test_only_the_newest_value_of_a_slider_counts(serve: Serve) -> None:
    measured = load.move_slider(serve(), commits=50, seconds=5)
    assert measured["started"] <= 6
    assert measured["finished"] == 1
    assert measured["last_result_after_s"] <= 4  # a second of its own, and none of those that it replaced

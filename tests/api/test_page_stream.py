"""The stream of a page: several runs on one connection, resumed anywhere, nothing lost and nothing doubled."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest


def messages(server: Any, cursors: dict[str, int]) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Run, number and event of each message of one stream over these runs."""
    runs = ",".join(f"{run}:{after}" for run, after in cursors.items())
    with server.client.stream("GET", "/api/events", params={"runs": runs}) as answer:
        assert answer.status_code == 200, answer.read()
        message: dict[str, str] = {}
        for line in answer.iter_lines():
            name, _, value = line.partition(": ")
            message[name] = value
            if not line and "data" in message:
                run, _, number = message["id"].partition(":")
                yield run, int(number), json.loads(message["data"])
                message = {}


def test_fifty_drops_over_three_runs_lose_and_double_nothing(server: Any) -> None:
    dice = random.Random(20260202)
    cursors = {server.count(upto=330, pause=0.001): 0 for _ in range(3)}
    seen: dict[str, list[dict[str, Any]]] = {run: [] for run in cursors}
    drops = 0
    while cursors:
        cut = dice.randint(1, 20) if drops < 50 else 10_000
        for run, number, event in messages(server, cursors):
            assert number == cursors[run] + 1
            cursors[run] = number
            seen[run].append(event)
            if event["kind"] == "end":
                del cursors[run]
            cut -= 1
            if not cut:
                drops += 1
                break
    assert drops == 50
    for events in seen.values():
        assert [event["n"] for event in events if event["kind"] == "counted"] == list(range(330))
        assert [event["kind"] for event in events].count("end") == 1


def test_a_quick_run_does_not_wait_for_a_slow_one(server: Any) -> None:
    slow, quick = server.count(upto=200, pause=0.05), server.count(upto=2)
    ended = next(run for run, _, event in messages(server, {slow: 0, quick: 0}) if event["kind"] == "end")
    assert ended == quick
    server.client.delete(f"/api/runs/{slow}")


def test_nothing_left_to_say_is_204(server: Any) -> None:
    run = server.count(upto=1)
    last = [number for _, number, _ in messages(server, {run: 0})][-1]
    assert server.client.get("/api/events", params={"runs": f"{run}:{last}"}).status_code == 204


@pytest.mark.parametrize(
    ("runs", "status"),
    [("nobody:0", 404), ("", 404), ("a:b", 422), ("a:-1", 422), (",".join(f"{n}:0" for n in range(40)), 422)],
)
def test_what_cannot_be_streamed_is_said_before_the_stream_opens(server: Any, runs: str, status: int) -> None:
    answer = server.client.get("/api/events", params={"runs": runs})
    assert answer.status_code == status
    assert answer.json()["detail"]

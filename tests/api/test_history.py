"""What the server remembers of runs: to be read by everybody, to be written by runs alone."""

import json
from collections.abc import Callable
from typing import Any

import pytest

Serve = Callable[..., Any]
PATH = "/api/history/plain/measure"


def history(server: Any, **how: Any) -> dict[str, Any]:
    answer = server.client.get(PATH, params=how)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def measured(server: Any, **params: Any) -> tuple[str, list[dict[str, Any]]]:
    """A run to its end, and its events."""
    run = server.ask("plain/measure", **params)
    return run, server.events(run)


def test_a_run_that_ended_well_is_remembered_with_its_machine(serve: Serve) -> None:
    server = serve()
    assert history(server) == {"machines": [], "results": [], "next": None}
    run, events = measured(server)
    found = history(server)
    (result,) = found["results"]
    assert result["run"] == run
    assert result["params"] == {"pause": 0.0, "wrong": False}
    assert result["provenance"] == events[1]["provenance"]
    assert result["event"] == events[-2], "the last picture of the run"
    assert found["machines"] == [{"name": result["provenance"]["machine"], "results": 1}]


def test_pages_and_machines(serve: Serve) -> None:
    server = serve()
    runs = [measured(server)[0] for _ in range(5)]
    first = history(server, limit=2)
    second = history(server, limit=2, before=first["next"])
    third = history(server, limit=2, before=second["next"])
    assert [each["run"] for page in (first, second, third) for each in page["results"]] == runs[::-1]
    assert third["next"] is None
    name = first["machines"][0]["name"]
    assert len(history(server, machine=name)["results"]) == 5
    assert history(server, machine="another")["results"] == []
    assert history(server, limit=5)["next"] is None


def test_what_cannot_be_is_refused_reported_and_not_remembered(serve: Serve) -> None:
    server = serve(metrics=1, log_format="json")
    run, events = measured(server, wrong=True)
    assert events[-1] == {"kind": "end", "status": "failed", "reason": "That was faster than light."}
    assert history(server)["results"] == []
    assert 'underhood_impossible_total{lab="plain/measure"} 1.0' in server.client.get("/metrics").text
    server.stop()
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    (report,) = [line for line in lines if line["level"] == "WARNING" and line.get("run") == run]
    assert report["lab"] == "plain/measure"
    assert report["reason"] == "That was faster than light."


def test_neither_a_cancelled_run_nor_one_without_history_is_remembered(serve: Serve) -> None:
    server = serve()
    run = server.ask("plain/measure", pause=20.0)
    server.client.delete(f"/api/runs/{run}")
    assert server.events(run)[-1]["status"] == "cancelled"
    server.events(server.count())
    assert history(server)["results"] == []


def test_it_outlives_its_runs_and_the_server(serve: Serve) -> None:
    server = serve(keep_runs=0)
    run, _ = measured(server)
    server.until(lambda: server.client.get(f"/api/runs/{run}").status_code == 404)
    before = history(server)
    assert [each["run"] for each in before["results"]] == [run]
    server.stop()
    server.client.close()
    server.start()
    assert history(server) == before


def test_the_oldest_of_a_machine_make_room(serve: Serve) -> None:
    server = serve(keep_results=2)
    runs = [measured(server)[0] for _ in range(4)]
    assert [each["run"] for each in history(server)["results"]] == runs[:1:-1]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/history/plain/count", 404),
        ("/api/history/plain/none", 404),
        (f"{PATH}?limit=0", 422),
        (f"{PATH}?limit=101", 422),
        (f"{PATH}?before=0", 422),
        (f"{PATH}?before=soon", 422),
        (f"{PATH}?machine={'m' * 301}", 422),
    ],
)
def test_what_is_asked_wrongly_is_said(server: Any, path: str, status: int) -> None:
    answer = server.client.get(path)
    assert answer.status_code == status
    assert answer.json()["detail"]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_nobody_writes_it_from_outside(server: Any, method: str) -> None:
    assert server.client.request(method, PATH, json={"run": "mine"}).status_code == 405

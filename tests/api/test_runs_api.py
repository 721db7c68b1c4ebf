"""The HTTP API: what each request is answered, right or wrong."""

import hashlib
import json
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

Serve = Callable[..., Any]


def post(server: Any, body: Any) -> httpx.Response:
    answer: httpx.Response = server.client.post("/api/runs", json=body)
    return answer


def test_a_run_is_created_then_found(server: Any) -> None:
    body = {"lab": "plain/count", "params": {"upto": 7, "seed": 123_456}}
    first = post(server, body)
    assert first.status_code == 201
    ticket = first.json()
    assert ticket == {"id": ticket["id"], "status": "queued", "events": f"/api/runs/{ticket['id']}/events"}
    server.events(ticket["id"])
    second = post(server, body)
    assert second.status_code == 200
    assert second.json() == ticket | {"status": "ok"}


def test_the_wire_format(server: Any) -> None:
    messages = list(server.messages(server.count(upto=2)))
    assert [message["id"] for message in messages] == [1, 2, 3, 4, 5]
    assert [message["event"] for message in messages] == ["queued", "started", "counted", "counted", "end"]
    assert all(message["data"]["kind"] == message["event"] for message in messages)
    assert messages[2]["data"] == {"text": "Counted to 0.", "kind": "counted", "n": 0}
    assert messages[-1]["data"] == {"kind": "end", "status": "ok", "reason": ""}
    provenance = messages[1]["data"]["provenance"]
    assert provenance["at"].endswith("Z")
    assert {"python", "numpy"} <= set(provenance["versions"])
    assert "core" in provenance["machine"]


def test_a_run_is_shown(server: Any) -> None:
    run = server.count()
    server.events(run)
    shown = server.client.get(f"/api/runs/{run}").json()
    assert shown["lab"] == "plain/count"
    assert shown["params"]["upto"] == 3
    assert (shown["status"], shown["attempt"], shown["last"]) == ("ok", 1, 6)
    assert server.client.get("/api/runs/nothing").status_code == 404


def test_an_unknown_lab_is_404_with_the_nearest_name(server: Any) -> None:
    answer = post(server, {"lab": "plain/cuont"})
    assert answer.status_code == 404
    assert answer.json()["detail"] == "There is no lab called plain/cuont. Did you mean plain/count?"


@pytest.mark.parametrize(
    ("params", "param", "words"),
    [
        ({"upto": -1}, "upto", "from 0 to 100000, not -1"),
        ({"upto": "3"}, "upto", "a whole number"),
        ({"pause": None}, "pause", "a number"),
        ({"sed": 1}, "sed", "did you mean seed?"),
    ],
)
def test_a_wrong_parameter_is_422_and_named(server: Any, params: dict[str, Any], param: str, words: str) -> None:
    answer = post(server, {"lab": "plain/count", "params": params})
    assert answer.status_code == 422
    (problem,) = answer.json()["detail"]
    assert problem["param"] == param
    assert words in problem["message"]


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ("[", "body"),
        ("", "body"),
        ("3", "body"),
        ("{}", "lab"),
        ('{"lab": 3}', "lab"),
        ('{"lab": "plain/count", "params": []}', "params"),
        ('{"lab": "plain/count", "supersedes": 3}', "supersedes"),
        ('{"lab": "plain/count", "param": {}}', "param"),
    ],
)
def test_a_malformed_body_is_422_and_names_the_field(server: Any, body: str, param: str) -> None:
    answer = server.client.post("/api/runs", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    (problem,) = answer.json()["detail"]
    assert problem["param"] == param
    assert problem["message"]


def test_a_body_that_is_not_json_is_422(server: Any) -> None:
    assert server.client.post("/api/runs", data={"lab": "plain/count"}).status_code == 422


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(
    lab=st.sampled_from(["plain/count", "bad/deed", "nothing"]) | JSON,
    params=st.dictionaries(st.sampled_from(["upto", "pause", "seed", "deed", "x"]), JSON) | JSON,
)
def test_nothing_that_can_be_sent_is_a_server_error(server: Any, lab: Any, params: Any) -> None:
    body = json.dumps({"lab": lab, "params": params})
    answer = server.client.post("/api/runs", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (200, 201, 404, 422, 429)
    if answer.status_code == 201:
        server.client.delete(f"/api/runs/{answer.json()['id']}")


@pytest.mark.parametrize(
    "body", ["[" * 60_000, '{"lab": ' + "9" * 9000 + "}", '{"lab": "\\ud800"}', '{"lab": NaN}']
)
def test_hostile_json_is_refused(server: Any, body: str) -> None:
    answer = server.client.post("/api/runs", content=body, headers={"Content-Type": "application/json"})
    assert 400 <= answer.status_code < 500
    assert answer.json()["detail"]


def test_no_worker_is_503_at_once(server: Any) -> None:
    waits = []
    for _ in range(5):
        began = time.monotonic()
        answer = post(server, {"lab": "plain/on_device", "params": {"device": "cuda"}})
        waits.append(time.monotonic() - began)
    assert min(waits) < 0.2
    assert answer.status_code == 503
    assert answer.json()["code"] == "no_worker"
    assert "cuda" in answer.json()["detail"]
    assert post(server, {"lab": "plain/on_device", "params": {"device": "cpu"}}).status_code in (200, 201)


def test_a_full_queue_is_429_with_retry_after(serve: Serve) -> None:
    server = serve(concurrency=1, queue=2)
    runs = [server.count(upto=1000, pause=0.05) for _ in range(3)]
    answer = post(server, {"lab": "plain/count", "params": {"seed": 99}})
    assert answer.status_code == 429
    assert 1 <= int(answer.headers["Retry-After"]) <= 30
    health = server.client.get("/api/health").json()
    assert (health["running"], health["queue"]) == (1, 2)
    replaced = {"lab": "plain/count", "params": {"seed": 99}, "supersedes": runs[0]}
    assert post(server, replaced).status_code in (201, 429)


def test_cancel(server: Any) -> None:
    run = server.count(upto=1000, pause=0.05)
    answer = server.client.delete(f"/api/runs/{run}")
    assert answer.status_code in (200, 202)
    assert server.events(run)[-1]["status"] == "cancelled"
    again = server.client.delete(f"/api/runs/{run}")
    assert (again.status_code, again.json()["status"]) == (200, "cancelled")
    assert server.client.delete("/api/runs/nothing").status_code == 404


def test_supersede(server: Any) -> None:
    old = server.count(upto=1000, pause=0.05)
    answer = post(server, {"lab": "plain/count", "params": {"seed": 77_777}, "supersedes": old})
    assert answer.status_code == 201
    assert server.events(old)[-1]["status"] == "cancelled"
    assert server.events(answer.json()["id"])[-1]["status"] == "ok"


def test_a_large_array_is_a_blob(server: Any) -> None:
    events = server.events(server.ask("plain/arrays", length=70_000))
    large = next(event for event in events if event["kind"] == "filled")["large"]
    assert set(large) == {"dtype", "shape", "blob"}
    answer = server.client.get(f"/api/blobs/{large['blob']}")
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert "immutable" in answer.headers["Cache-Control"]
    assert hashlib.sha256(answer.content).hexdigest() == large["blob"]
    assert len(answer.content) == 4 * 70_000
    assert server.client.get("/api/blobs/nothing").status_code == 404


def test_labs_devices_and_health(server: Any) -> None:
    labs = {lab["id"]: lab for lab in server.client.get("/api/labs").json()}
    assert labs["plain/measure"]["measures"]
    assert labs["plain/on_device"]["runs_on"] == ["cpu", "cuda"]
    assert set(labs["plain/count"]) == {
        "id",
        "title",
        "summary",
        "runs_on",
        "front",
        "asks",
        "measures",
        "shows_python",
        "version",
        "params",
        "events",
    }
    assert [device["device"] for device in server.client.get("/api/devices").json()] == ["cpu"]
    health = server.client.get("/api/health").json()
    assert health["status"] == "ok"
    assert "rlimits" in health["sandbox"]


def test_unknown_addresses_are_json(server: Any) -> None:
    for path in ("/api", "/api/", "/api/nothing", "/api/runs/a/b"):
        answer = server.client.get(path)
        assert answer.status_code == 404
        assert answer.json()["detail"]
    assert server.client.put("/api/runs").status_code == 405


def test_a_failed_lab_says_why(server: Any) -> None:
    end = server.events(server.ask("bad/deed", deed="advise"))[-1]
    assert end == {"kind": "end", "status": "failed", "reason": "Choose fewer bits: 40 do not fit."}
    end = server.events(server.ask("bad/deed", deed="segfault"))[-1]
    assert "SIGSEGV" in end["reason"]

"""What an operator sees: the log, and the numbers for Prometheus."""

import json
import re
from collections.abc import Callable
from typing import Any

Serve = Callable[..., Any]

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = rf'{NAME}="(?:[^"\\\n]|\\["\\n])*"'
COMMENT = rf"# (HELP {NAME} [^\n]*|TYPE {NAME} (counter|gauge|histogram))"
SAMPLE = rf"{NAME}(\{{{LABEL}(,{LABEL})*\}})? \d+\.\d+(e[+-]\d+)?"
LINE = re.compile(rf"({COMMENT}|{SAMPLE})\n")


def test_the_log_as_json(serve: Serve) -> None:
    server = serve(log_format="json", concurrency=1)
    run = server.count(upto=2, pause=0.1)
    waiting = server.count(upto=1000, pause=0.05)
    server.client.delete(f"/api/runs/{waiting}")
    server.events(run)
    server.client.get("/api/runs/%0A%22no such?secret=1")
    server.client.get("/")
    failed = server.ask("bad/deed", deed="segfault")
    server.events(failed)
    server.stop()
    lines = [json.loads(line) for line in server.log.read_text().splitlines()]
    assert all({"at", "level", "logger", "message"} <= set(line) for line in lines)
    runs = {line["run"]: line for line in lines if "status" in line and "run" in line}
    assert {(name, line["lab"], line["status"]) for name, line in runs.items()} == {
        (run, "plain/count", "ok"),
        (waiting, "plain/count", "cancelled"),
        (failed, "bad/deed", "failed"),
    }
    assert 0.2 <= runs[run]["seconds"] < 5
    calls = [line for line in lines if line["logger"] == "underhood.access"]
    assert all(line["path"].startswith("/api/") and line["ms"] >= 0 for line in calls)
    posts = [line for line in calls if line["method"] == "POST"]
    assert [(line["path"], line["status"]) for line in posts] == [("/api/runs", 201)] * 3
    (missing,) = (line for line in calls if "no" in line["path"] and line["status"] == 404)
    assert missing["path"] == "/api/runs/%0A%22no%20such"
    assert "secret" not in server.log.read_text()
    streams = [line for line in calls if line["path"] == f"/api/runs/{run}/events"]
    assert [line["status"] for line in streams] == [200]


def test_the_log_for_people(serve: Serve) -> None:
    server = serve()
    run = server.count()
    server.events(run)
    server.stop()
    lines = server.log.read_text().splitlines()
    assert (
        len([line for line in lines if re.search(rf"^\d\d:\d\d:\d\d INFO .* run {run} of plain/count: ok", line)])
        == 1
    )
    assert not [line for line in lines if "underhood.access" in line]


def test_metrics(serve: Serve) -> None:
    server = serve(metrics=1, concurrency=1)
    server.events(server.count())
    going, _ = server.count(upto=1000, pause=0.05), server.count()
    server.client.get("/api/runs/nothing")
    stream = server.messages(going)
    next(stream)
    answer = server.client.get("/metrics")
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    text = answer.text
    assert "".join(match[0] for match in LINE.finditer(text)) == text
    samples = [line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")]
    values = {name: float(value) for name, value in samples}
    assert values['underhood_runs_total{lab="plain/count",status="ok"}'] == 1
    assert values['underhood_refusals_total{status="404"}'] == 1
    assert (values["underhood_running"], values["underhood_queued"], values["underhood_streams"]) == (1, 1, 1)
    assert values['underhood_run_seconds_bucket{le="+Inf"}'] == values["underhood_run_seconds_count"] == 1
    assert 20e6 < values["underhood_resident_bytes"] < 1e9
    assert server.client.get("/metrics", headers={"X-Forwarded-For": "192.0.2.1"}).status_code == 404


def test_metrics_are_not_public(server: Any) -> None:
    answer = server.client.get("/metrics")
    assert (answer.status_code, answer.json()["detail"]) == (404, "There is nothing at this address.")

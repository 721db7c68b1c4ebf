"""What the article on a server five ways says, asked of its labs, of their recordings, and of arithmetic."""

from __future__ import annotations

from typing import Any

import pytest
from article import Article, recorded
from labs.speed import request_scheduler
from native.speed.http_servers.http import BODY
from native.speed.http_servers.load import OUTCOMES

says = Article("speed/03-a-server-five-ways.mdx").says


def servers(name: str = "default") -> dict[str, dict[str, Any]]:
    """What each server of a recording came to."""
    last = recorded("speed/http_servers", name)[-1]
    return {
        way: {
            "rate": last["rate"][n],
            "answers": dict(zip(OUTCOMES, last["answers"][n].tolist(), strict=True)),
            "p50": last["latency"][n, 0],
            "p99": last["latency"][n, 1],
            "client": last["from_sent"][n, 1],
        }
        for n, way in enumerate(last["ways"])
    }


def test_the_opening_and_who_waits_for_whom() -> None:
    says("answers with 18 bytes", "the most that any server can answer is 1,600 a second")
    assert len(BODY) == 18
    all_of_them = servers()
    assert all(each["rate"] <= 16 / 0.01 for each in all_of_them.values())
    assert all_of_them["asyncio"]["rate"] > 5 * all_of_them["asyncio, blocking"]["rate"]
    assert all_of_them["asyncio, blocking"]["rate"] <= 100 and all_of_them["one at a time"]["rate"] <= 100
    says("one client is served and fifteen are not", "the other eight wait until somebody hangs up")
    assert all_of_them["one at a time"]["answers"]["unanswered"] == 15
    assert all_of_them["thread pool"]["answers"]["unanswered"] == 8
    assert all_of_them["thread pool"]["rate"] <= 800
    says("all sixteen wait in line")
    assert all_of_them["asyncio, blocking"]["p50"] > 150
    says("uvicorn, a complete server on the same loop")
    assert all_of_them["asyncio"]["rate"] > 0.8 * all_of_them["uvicorn"]["rate"]


def test_an_answer_without_a_length() -> None:
    says("the client waits for more bytes that never come", "requests to such a server, not one counts as answered")
    closed = servers("no_length")["asyncio"]["answers"]
    assert closed["no length"] > 100 and closed["ok"] == 0
    kept = servers("kept_no_length")["asyncio"]["answers"]
    assert (kept["ok"], kept["no length"], kept["unanswered"]) == (0, 0, 16)


def test_two_sends() -> None:
    says("delays its acknowledgement by about 40 ms")
    slow, fast = (servers(name)["asyncio"]["p50"] for name in ("two_sends", "one_send"))
    assert 38 < slow < 60 and slow > 50 * fast


def test_a_load_test_that_looks_away() -> None:
    says("The stall hit only four requests", "99 of a hundred answers need up to … ms")
    closed, opened = (servers(name)["asyncio"] for name in ("closed_stall", "open_stall"))
    assert closed["p99"] < 100 < 200 < opened["p99"]
    says("200 a second", "Now 60 requests, one in ten, fall due during the stall")
    assert opened["answers"]["ok"] == 600 == 200 * 3 and round(200 * 0.3) == 60
    assert opened["client"] < 100  # a timer that starts when a request is sent sees nothing either


def test_the_scheduler() -> None:
    says("C3 has waited 22 s at the step that the figure opens on, and is passed again")
    poster = recorded("speed/request_scheduler")[request_scheduler.POSTER - 1]
    waiting = 3 - 1
    assert poster["classes"][waiting] == 2 and waiting in poster["queue"]
    assert round(poster["now"] - poster["arrived"][waiting]) == 22
    assert list(poster["queue"]).index(waiting) > list(poster["queue"]).index(poster["who"])
    urgent, middle, patient = recorded("speed/request_scheduler")[-1]["waits"][0]
    assert urgent < middle < patient
    says("First in, first out makes everybody wait")
    everybody = recorded("speed/request_scheduler", "fifo")[-1]["waits"][0]
    assert everybody == pytest.approx([everybody.mean()] * 3, rel=0.05)
    says("so that nobody starves", "Over twenty thousand requests")
    fair = request_scheduler.many(request_scheduler.Params(policy="fair")).waits[0]
    assert fair[2] < patient and request_scheduler.MANY == 20_000


def test_shortest_first() -> None:
    says("so the mean falls for every class", "The longest waits become longer")
    last = {
        policy: request_scheduler.many(request_scheduler.Params(sizes="alike", policy=policy))  # type: ignore[arg-type]
        for policy in ("fifo", "shortest", "priority")
    }
    assert (last["shortest"].waits[0] < last["fifo"].waits[0]).all()
    assert min(last, key=lambda policy: float(last[policy].waits[0, 2])) == "shortest"
    assert last["shortest"].waits[2].max() > last["fifo"].waits[2].max()
    says("$8 / 0.02 = 400$ and $40 / 0.02 = 2000$")
    assert (round(8 / 0.02), round(40 / 0.02)) == (400, 2000)

"""A run that measures has its worker alone."""

import time

import chaos
from cluster import Cluster, until


def test_who_measures_has_the_worker_alone(cluster: Cluster) -> None:
    web = chaos.webs(cluster)[0]
    before = web.count(upto=1000, pause=0.02)
    until(lambda: web.show(before)["status"] == "running")
    measure, given_up = web.ask("plain/measure", pause=1.5), web.ask("plain/measure", pause=0.6)
    after = web.count()
    time.sleep(0.5)  # the second place is free all the while
    assert [web.show(run)["status"] for run in (measure, given_up, after)] == ["queued"] * 3
    web.client.delete(f"/api/runs/{given_up}")
    web.client.delete(f"/api/runs/{before}")
    until(lambda: web.show(measure)["status"] == "running")
    time.sleep(0.3)
    assert web.show(after)["status"] == "queued"
    ends = [web.events(run)[-1] for run in (measure, after)]
    assert [end["status"] for end in ends] == ["ok", "ok"]
    assert ends[0]["received"] <= ends[1]["received"]
    assert [event["kind"] for event in web.events(given_up)] == ["queued", "end"]

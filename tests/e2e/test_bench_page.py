"""The bench page: a run is measured, joins the history of its machine, is compared with others and taken along."""

import csv
import io
import json
import os
import re
import time
from pathlib import Path
from typing import Any

import pytest
from checks.accessible import ALL, AXE, FIND
from labs.contract import unpack
from measure.serving import Server
from playwright.sync_api import Locator, Page, Route, expect
from reader import PHONE, Figure, Open, Reader

PATH = "/bench/"
LAB = "speed/bench"
QUICK = {"sizes": "16, 48", "repetitions": 3, "numpy": False, "torch": False}
RECORDED = json.loads(
    (Path(__file__).parents[2] / "content/recordings/speed/bench/default.json").read_text("utf-8")
)["events"][0]["provenance"]
CORES = len(os.sched_getaffinity(0))


def measured(server: Server, **params: Any) -> str:
    """A run of the bench to its end, by the API; its id."""
    run = server.api("/runs", {"lab": LAB, "params": QUICK | params})["id"]
    while (shown := server.api(f"/runs/{run}"))["status"] in ("queued", "running"):
        time.sleep(0.05)
    assert shown["status"] == "ok", shown["reason"]
    return str(run)


def opened(reader: Reader) -> Locator:
    """The history, once it has heard from the server or not."""
    history = reader.page.locator("[data-history]")
    history.scroll_into_view_if_needed()
    expect(history).to_have_attribute("data-live", "")
    expect(history.locator(".history")).not_to_have_attribute("data-busy", "")
    return history


def listed(history: Locator) -> Locator:
    return history.get_by_role("region", name="Runs on all machines")


def rows(history: Locator, origin: str) -> Locator:
    return history.locator("tbody tr", has=history.page.locator(f".origin.{origin}"))


def run_quick(figure: Figure) -> None:
    serial = figure.serial
    figure.field("Sizes").fill("16, 48")
    figure.field("Sizes").press("Enter")
    figure.settled(serial)


def test_a_run_joins_the_history(read: Open, server: Server) -> None:
    reader = read(PATH)
    history = opened(reader)
    before = rows(history, "server").count()
    assert before == min(25, len(server.api(f"/history/{LAB}?limit=100")["results"]))
    run_quick(reader.figure("bench"))
    expect(rows(history, "server")).to_have_count(before + 1)
    newest = server.api(f"/history/{LAB}")["results"][0]
    assert newest["params"]["sizes"] == "16, 48"
    first = listed(history).locator("tbody tr").first
    expect(first).to_contain_text(newest["provenance"]["machine"])
    expect(first.locator("time")).to_have_attribute("datetime", newest["provenance"]["at"])
    expect(first).to_contain_text(re.compile(r"[\d.,]+ GFLOP/s\s*\w+, n = (16|48)"))


def test_what_is_wrong_is_said_and_not_kept(read: Open, server: Server) -> None:
    reader = read(PATH)
    history, figure = opened(reader), reader.figure("bench")
    before = len(server.api(f"/history/{LAB}?limit=100")["results"])
    shown = rows(history, "server").count()
    figure.field("Sizes").fill("16, many")
    figure.field("Sizes").press("Enter")
    expect(figure.host.get_by_role("alert")).to_contain_text(
        "“many” is no size: type whole numbers from 16 to 4,096"
    )
    assert len(server.api(f"/history/{LAB}?limit=100")["results"]) == before
    assert rows(history, "server").count() == shown


def test_its_place_in_the_line_is_shown_while_it_waits(read: Open, server: Server) -> None:
    slow = [
        {"lab": "learning/post_training_quantization", "params": {"epochs": 20, "seed": 700 + n}}
        for n in range(CORES + 1)
    ]
    figure = read(PATH).figure("bench")
    ahead = [server.api("/runs", each)["id"] for each in slow]
    try:
        figure.field("Sizes").fill("16, 48")
        figure.field("Sizes").press("Enter")
        expect(figure.badge).to_have_text(re.compile(r"^Waiting, 1 ahead(, about \d+ s)?$"))
        server.api(f"/runs/{ahead.pop()}", method="DELETE")
        expect(figure.badge).to_have_text(re.compile(r"^Waiting, 0 ahead(, about \d+ s)?$"))
    finally:
        for run in ahead:
            server.api(f"/runs/{run}", method="DELETE")
    figure.settled()
    expect(figure.badge).to_have_text("On this server")


def choose(history: Locator, *places: int) -> None:
    for place in places:
        listed(history).get_by_role("checkbox").nth(place).check()


def test_runs_are_compared_as_ratios_and_what_differs_is_named(read: Open, server: Server) -> None:
    measured(server)
    measured(server, repetitions=5)
    history = opened(read(PATH))
    choose(history, 0)
    expect(history.get_by_role("status").last).to_have_text("Choose one more run to compare.")
    choose(history, 1)
    newer, older = server.api(f"/history/{LAB}?limit=2")["results"]
    table = history.get_by_role("region", name="Compared with the first")
    expect(table.get_by_role("row")).to_have_count(1 + 2 * (1 + len(newer["event"]["kernels"])))
    line = table.get_by_role("row", name=re.compile(r"^16 packed")).inner_text()
    one, other, ratio = [float(each.replace(",", "")) for each in re.findall(r"[\d.,]+(?=\s|$)", line)[1:4]]
    assert ratio == pytest.approx(other / one, rel=0.02)
    packed = newer["event"]["kernels"].index("packed")
    assert one == pytest.approx(speed(newer, packed), rel=0.01)
    assert other == pytest.approx(speed(older, packed), rel=0.01)
    expect(history.locator(".differs")).to_have_text("What differs: repetitions: 5 → 3.")
    history.get_by_role("button", name="Choose none").click()
    expect(table).to_have_count(0)


def speed(result: dict[str, Any], kernel: int) -> float:
    """Of its first size, in the middle."""
    return float(unpack(result["event"])["speed"][kernel, 0, 1])


def test_another_software_is_marked(read: Open, server: Server) -> None:
    measured(server)
    reader = read()
    older = server.api(f"/history/{LAB}?limit=1")
    older["results"][0]["provenance"]["versions"]["numpy"] = "1.0"
    provenance = older["results"][0]["provenance"] | {"lab_version": "old", "machine": "Another"}
    less = provenance["hardware"] | {"vectors": "SSE2"}
    older["results"][0]["provenance"] = provenance
    weaker = {"number": 0, "run": "weaker", "provenance": provenance | {"hardware": less, "machine": "Weaker"}}
    older["results"].append(older["results"][0] | weaker)
    reader.page.route("**/api/history/**", lambda route: route.fulfill(json=older))
    reader.go(PATH)
    history = opened(reader)
    bench = listed(history).get_by_role("row").filter(has_text="fp32")
    for row in (
        bench.nth(0),
        bench.nth(1),
        bench.filter(has_text=RECORDED["machine"]),
    ):  # the server's, a recorded one
        row.get_by_role("checkbox").check()
    assert provenance["hardware"]["vectors"]
    expect(history.locator(".differs").first).to_have_text(
        f"What differs: Vector extensions: {provenance['hardware']['vectors']} → SSE2."
    )
    words = history.locator(".differs").last.inner_text()
    assert words.startswith(f"What differs: Machine: Another → {RECORDED['machine']} (vector extensions, caches")
    assert f"numpy: 1.0 → {RECORDED['versions']['numpy']}" in words
    assert f"Lab code: old → {RECORDED['lab_version']}" in words


def test_one_machine_alone_and_older_pages(read: Open, server: Server) -> None:
    reader = read()
    measured(server)
    one = server.api(f"/history/{LAB}?limit=1")["results"][0]

    def many(route: Route) -> None:
        """Sixty runs on two machines."""
        query = dict(re.findall(r"(\w+)=([^&]+)", route.request.url))
        all_ = [
            one | {"number": n, "run": f"r{n}", "provenance": one["provenance"] | {"machine": f"M{n % 2}"}}
            for n in range(60, 0, -1)
        ]
        found = [
            each
            for each in all_
            if each["number"] < int(query.get("before", 100))
            and query.get("machine", each["provenance"]["machine"]) == each["provenance"]["machine"]
        ]
        limit = int(query["limit"])
        after = found[limit - 1]["number"] if len(found) > limit else None
        machines = [{"name": "M0", "results": 30}, {"name": "M1", "results": 30}]
        route.fulfill(json={"machines": machines, "results": found[:limit], "next": after})

    reader.page.route("**/api/history/**", many)
    reader.go(PATH)
    history = opened(reader)
    expect(rows(history, "server")).to_have_count(25)
    history.get_by_role("button", name="Show older runs").click()
    expect(rows(history, "server")).to_have_count(50)
    history.get_by_role("button", name="Show older runs").click()
    expect(rows(history, "server")).to_have_count(60)
    expect(history.get_by_role("button", name="Show older runs")).to_have_count(0)
    history.get_by_role("combobox", name="Machine").select_option("M1 (30 runs)")
    expect(rows(history, "server")).to_have_count(25)
    assert {*rows(history, "server").locator("th").all_inner_texts()} == {"M1 this server"}
    assert rows(history, "recorded").count() == 0


def take(history: Locator, name: str) -> str:
    with history.page.expect_download() as coming:
        history.get_by_role("button", name=name).click()
    return Path(coming.value.path()).read_text("utf-8")


def test_the_history_is_taken_along(read: Open, server: Server) -> None:
    measured(server)
    history = opened(read(PATH))
    choose(history, 0)
    newest = server.api(f"/history/{LAB}?limit=1")["results"][0]
    (entry,) = json.loads(take(history, "JSON of 1 run"))
    assert entry["provenance"] == newest["provenance"]
    assert entry["params"] == newest["params"]
    table = list(csv.DictReader(io.StringIO(take(history, "CSV of 1 run"))))
    assert len(table) == len(entry["rows"]) == 2 * len(newest["event"]["kernels"])
    for line, row in zip(table, entry["rows"], strict=True):
        assert (line["kernel"], int(line["n"])) == (row["kernel"], row["n"])
        assert float(line["median_gflops"]) == row["speed"][1] > 0
        assert float(line["roof_gflops"]) == row["roof"]
        assert line["machine"] == newest["provenance"]["machine"]
        assert json.loads(line["params"]) == newest["params"]


def test_it_can_all_be_done_by_keyboard(read: Open, server: Server) -> None:
    for _ in range(2):
        measured(server)
    reader = read(PATH)
    history = opened(reader)
    page = reader.page
    history.get_by_text("The numbers as a table").focus()
    page.keyboard.press("Tab")
    expect(listed(history)).to_be_focused()
    for place in range(2):
        page.keyboard.press("Tab")
        box = listed(history).get_by_role("checkbox").nth(place)
        expect(box).to_be_focused()
        page.keyboard.press("Space")
        expect(box).to_be_checked()
    table = history.get_by_role("region", name="Compared with the first")
    expect(table).to_be_visible()
    for _ in range(200):
        page.keyboard.press("Tab")
        if table.evaluate("(each) => each === document.activeElement"):
            break
    expect(table).to_be_focused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_comparison_fits_a_phone_and_satisfies_axe(scheme: str, read: Open, server: Server) -> None:
    measured(server)
    measured(server)
    reader = read(PATH, color_scheme=scheme, **PHONE)
    page: Page = reader.page
    page.set_viewport_size({"width": 360, "height": 740})
    choose(opened(reader), 0, 1, 2)
    expect(page.get_by_role("region", name="Compared with the first")).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    page.evaluate(AXE)
    assert page.evaluate(FIND, ["html", ALL]) == []


def test_the_page_is_linked_and_found(read: Open) -> None:
    page = read("/").page
    assert page.locator('a[href="/bench/"]').count() >= 2
    page.locator("footer").get_by_role("link", name="Bench").click()
    expect(page.get_by_role("heading", name="Bench", level=1)).to_be_visible()

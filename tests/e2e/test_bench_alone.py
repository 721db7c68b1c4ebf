"""The bench page without a GPU, without its server, without any, without scripts; and what a browser measured."""

import json
import re

from measure.serving import Server
from playwright.sync_api import expect
from reader import Open, Reader
from test_bench_page import PATH, RECORDED, measured, opened, rows


def recorded_only(reader: Reader) -> None:
    """The page as if no server had ever measured anything."""
    nothing = {"machines": [], "results": [], "next": None}
    reader.page.route("**/api/history/**", lambda route: route.fulfill(json=nothing))


def test_what_this_browser_measured_stands_beside_the_others(read: Open) -> None:
    """As lab/Figure keeps it, of a lab that yields what the ladders yield."""
    speed = {"dtype": "float32", "shape": [2, 3], "data": "AACAPwAAAEAAAEBAAACgQAAAwEAAAOBA"}  # 1 2 3, 5 6 7
    own = {
        "params": {"n": 512, "threads": 2},
        "provenance": RECORDED | {"where": "browser", "machine": "Chromium 999, 2 cores, WebAssembly"},
        "event": {
            "kind": "ways",
            "text": "Measured.",
            "names": ["JavaScript", "WASM threads"],
            "n": 512,
            "speed": speed,
            "cores": [1, 2],
            "peak": 6,
        },
    }
    reader = read()
    reader.page.add_init_script(
        f"localStorage.setItem('underhood.measured.speed/matmul_device', {json.dumps(json.dumps(own))})"
    )
    reader.go(PATH)
    history = opened(reader)
    mine = rows(history, "browser")
    expect(mine).to_contain_text("Chromium 999, 2 cores, WebAssembly this browser")
    expect(mine).to_contain_text("6 GFLOP/s")
    expect(mine).to_contain_text("WASM threads, n = 512")
    expect(mine).to_contain_text("50 %")
    mine.get_by_role("checkbox").check()
    recorded = rows(history, "recorded").filter(has_text=RECORDED["machine"])
    recorded.filter(has_text="fp32").get_by_role("checkbox").check()
    line = history.get_by_role("region", name="Compared with the first").get_by_role(
        "row", name=re.compile("^512 the fastest kernel")
    )
    expect(line).to_contain_text("6 (WASM threads)")


def test_a_gpu_is_offered_and_its_absence_explained(read: Open) -> None:
    reader = read(PATH)
    figure = reader.figure("bench")
    figure.host.get_by_role("button", name="Run on").click()
    gpu = figure.host.get_by_role("button", name="This server’s GPU")
    expect(gpu).to_have_attribute("aria-disabled", "true")
    expect(gpu).to_have_accessible_description("No machine with a GPU is connected to this server.")
    recorded = rows(opened(reader), "recorded").filter(has_text="NVIDIA")
    expect(recorded.filter(has_text="bf16").first).to_be_visible()


def test_a_server_that_is_away_leaves_what_was_seen_last(read: Open, server: Server) -> None:
    measured(server)
    reader = read(PATH)
    history = opened(reader)
    count = rows(history, "server").count()
    assert count
    reader.page.route("**/api/history/**", lambda route: route.abort())
    reader.go(PATH)
    history = opened(reader)
    expect(history.locator(".state")).to_contain_text("as this browser saw it last, 20")
    assert rows(history, "server").count() == count
    reader.page.unroute("**/api/history/**")
    history.get_by_role("button", name="Ask again").click()
    expect(history.locator(".state")).to_have_text("")
    reader.hears("history|ERR_FAILED")


def test_a_server_that_was_never_reached_is_said(read: Open) -> None:
    reader = read()
    reader.page.route("**/api/history/**", lambda route: route.abort())
    reader.go(PATH)
    history = opened(reader)
    expect(history.locator(".state")).to_contain_text("this browser has not seen its history before")
    assert rows(history, "recorded").count() >= 1
    reader.hears("history|ERR_FAILED")


def test_files_alone_show_what_was_recorded(read: Open) -> None:
    reader = read()
    reader.page.route(
        "**/api/**", lambda route: route.fulfill(status=404, body="<h1>No</h1>", content_type="text/html")
    )
    reader.go(PATH)
    history = opened(reader)
    expect(history.locator(".state")).to_contain_text("no server that could remember runs")
    expect(rows(history, "recorded").filter(has_text=RECORDED["machine"]).first).to_be_visible()
    reader.hears("404")


def test_without_scripts_the_recorded_runs_are_there(read: Open) -> None:
    page = read(PATH, java_script_enabled=False).page
    history = page.locator("[data-history]")
    expect(rows(history, "recorded").filter(has_text=RECORDED["machine"]).first).to_be_visible()
    assert all(each.is_disabled() for each in history.locator("button, input, select").all())

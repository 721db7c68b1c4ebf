"""A file that a reader brings to the bench: chosen, pasted, dropped or in a link, and in this browser only."""

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect
from reader import Open, Reader
from test_bench_alone import recorded_only
from test_bench_page import PATH, opened, rows
from underhood.measure import dumps, fragment

RECORDED = Path(__file__).parents[2] / "content/recordings/speed/bench/gpu_bf16.json"
FUTURE = "2040-01-01T00:00:00Z"
NAME = "<img src=x onerror=alert(1)> & <b>GPU</b>"


def file(name: str = "Rented RTX 9090", **provenance: Any) -> str:
    """As bench_this_machine.py writes it, of a machine that never was."""
    recording = json.loads(RECORDED.read_text("utf-8"))
    origin = recording["events"][0]["provenance"] | {"machine": name, "hardware": {"gpu": name}} | provenance
    run = {key: recording[key] for key in ("lab", "params")}
    return dumps([run | {"provenance": origin, "event": recording["events"][-2]}])


def place(reader: Reader) -> Locator:
    recorded_only(reader)
    reader.go(PATH)
    opened(reader)
    found = reader.page.get_by_role("region", name="Your file")
    found.scroll_into_view_if_needed()
    return found


def choose(found: Locator, text: str) -> None:
    given = {"name": "bench.json", "mimeType": "application/json", "buffer": text.encode()}
    found.get_by_label("Choose a file").set_input_files(given)  # type: ignore[arg-type]


def test_a_file_stands_beside_the_others_until_it_is_removed(read: Open) -> None:
    reader = read()
    found = place(reader)
    history = reader.page.locator("[data-history]")
    choose(found, file())
    expect(found.get_by_role("status")).to_contain_text("1 run is now in the charts and the list below")
    mine = rows(history, "brought")
    expect(mine).to_contain_text("Rented RTX 9090 your file")
    expect(mine).to_contain_text("GFLOP/s")
    history.locator(".charts").scroll_into_view_if_needed()
    names = history.get_by_role("list", name=re.compile("^Series"))
    expect(names).to_contain_text("Rented RTX 9090, bf16")
    expect(names).to_contain_text("NVIDIA H200, bf16")
    choose(found, file())
    expect(found.get_by_role("status")).to_contain_text("in the list already")
    expect(mine).to_have_count(1)
    reader.page.reload()
    expect(rows(opened(reader), "brought")).to_have_count(1)
    found.get_by_role("button", name="Remove the run on Rented RTX 9090").click()
    expect(rows(history, "brought")).to_have_count(0)
    assert reader.page.evaluate("() => localStorage.getItem('underhood.brought')") is None
    assert not [path for path in reader.requests if "9090" in path]


def test_what_is_removed_leaves_neither_a_link_nor_the_focus_behind(read: Open) -> None:
    found = place(read())
    for name in ("A", "B"):
        choose(found, file(name * 180))
    found.get_by_role("button", name="Copy a link that carries them").click()
    expect(found.get_by_label("Link", exact=True)).to_be_visible()
    remove = found.get_by_role("button", name="Remove the run on")
    assert (box := remove.first.bounding_box()) and box["height"] < 48  # its word stays on one line
    remove.first.click()
    expect(found.get_by_label("Link", exact=True)).to_have_count(0)
    expect(remove).to_be_focused()
    remove.click()
    expect(found.get_by_label("Choose a file")).to_be_focused()
    expect(found.get_by_role("status")).to_have_text("")


def test_two_runs_of_one_moment_are_two_series(read: Open) -> None:
    found = place(read())
    other = json.loads(file())
    other["runs"][0]["params"]["seed"] = 1
    history = found.page.locator("[data-history]")
    boxes = rows(history, "brought").get_by_role("checkbox")
    for count, text in enumerate((file(), json.dumps(other)), 1):
        choose(found, text)
        expect(boxes).to_have_count(count)
    for box in boxes.all():
        box.check()
    history.locator(".charts").scroll_into_view_if_needed()
    names = history.get_by_role("list", name=re.compile("^Series")).get_by_role("button")
    expect(names).to_have_count(2)
    one, again = names.all_inner_texts()
    assert again == f"{one} (2)"


def test_it_can_be_pasted_and_dropped(read: Open) -> None:
    reader = read()
    found = place(reader)
    found.get_by_label("or paste its contents").fill(file("Pasted"))
    found.get_by_role("button", name="Show it").click()
    transfer = reader.page.evaluate_handle(
        "(text) => { const all = new DataTransfer(); all.items.add(new File([text], 'b.json')); return all; }",
        file("Dropped"),
    )
    found.dispatch_event("drop", {"dataTransfer": transfer})
    mine = rows(reader.page.locator("[data-history]"), "brought")
    expect(mine).to_have_count(2)
    assert {"Pasted", "Dropped"} == {words.split(" your")[0] for words in mine.locator("th").all_inner_texts()}


@pytest.mark.parametrize("by_hand", [True, False])
def test_a_link_carries_it_to_another_browser_which_keeps_it_only_if_asked(read: Open, by_hand: bool) -> None:
    if by_hand:
        one = read()
        found = place(one)
        choose(found, file())
        found.get_by_role("button", name="Copy a link that carries them").click()
        link = found.get_by_label("Link", exact=True).input_value()
    else:
        link = f"{PATH}#{fragment(file())}"  # as the script prints it
    other = read()
    recorded_only(other)
    other.go(link)
    expect(other.page.get_by_text("The link brought 1 run.")).to_be_in_viewport()
    mine = rows(opened(other), "brought")
    expect(mine).to_contain_text("Rented RTX 9090")
    assert other.page.evaluate("() => localStorage.getItem('underhood.brought')") is None
    other.page.get_by_role("button", name="Keep them here").click()
    other.go(PATH)
    opened(other)
    expect(mine).to_have_count(1)
    assert not [path for path in other.requests if "measured=" in path and "#" not in path]


def test_names_are_text_wherever_they_stand(read: Open) -> None:
    reader = read()
    found = place(reader)
    choose(found, file(NAME, versions={"numpy": "<script>alert(2)</script>"}))
    history = reader.page.locator("[data-history]")
    expect(found).to_contain_text(NAME)
    expect(rows(history, "brought")).to_contain_text(NAME)
    charts = history.locator(".charts")
    charts.scroll_into_view_if_needed()
    expect(charts.locator(".main-svg").first).to_be_visible()
    charts.locator(".frame").focus()
    reader.page.keyboard.press("ArrowRight")
    expect(charts.locator(".hoverlayer")).to_contain_text("<img src=x")
    rows(history, "brought").get_by_role("checkbox").check()
    with reader.page.expect_download() as coming:
        history.get_by_role("button", name="Report on 1 run").click()
    report = Path(coming.value.path()).read_text("utf-8")
    assert "<img src=x" not in report and "<script" not in report
    assert reader.page.locator("img[src=x], .plotly a").count() == 0


def test_what_is_hostile_or_wrong_does_nothing_and_is_told_why(read: Open) -> None:
    reader = read()
    found = place(reader)
    alert = found.get_by_role("alert")
    run = json.loads(file())
    run["runs"][0]["params"]["threads"] = 10**9
    for text, words in (
        ("[" * 100_000, "Not taken: brackets may be nested 16 deep at most."),
        (" " * 300_000, "Not taken: a file may have 256 KiB at most (bench.json)."),
        ("<html>", "Not taken: it is not JSON."),
        (json.dumps(run), "Not taken: 1000000000 is more than 64 (runs[0].params.threads)."),
        (file(at=FUTURE), f"Not taken: it was measured in the future, {FUTURE} (runs[0])."),
    ):
        choose(found, text)
        expect(alert).to_have_text(words)
    reader.page.goto("about:blank")  # else only what is behind the # would be new
    for carried, words in (
        ("AAAA", "link is damaged"),
        ("%3Cb%3E", "link is damaged"),
        (bomb(), "a file may have"),
    ):
        reader.go(f"{PATH}#measured={carried}")
        opened(reader)
        expect(alert).to_contain_text(words)
        reader.page.goto("about:blank")
    reader.go(PATH)
    assert rows(opened(reader), "brought").count() == 0


def bomb() -> str:
    """A link of some kilobytes that would unpack to 64 MiB."""
    small = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(small.compress(bytes(1 << 26)) + small.flush()).decode().rstrip("=")


def test_the_script_and_the_notebook_are_there(read: Open) -> None:
    page = read(PATH, java_script_enabled=False).page
    for name, start in (("Download the script", "#!/usr/bin/env python3"), ("the same as a notebook", "{")):
        address = page.get_by_role("link", name=name).get_attribute("href")
        answer = page.request.get(page.url.rstrip("/").removesuffix("/bench") + str(address))
        assert answer.ok
        assert answer.text().startswith(start)

"""The charts of the bench: fetched when they are seen, from our own host, and all that a mouse does has keys."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from checks.accessible import ALL, AXE, FIND
from labs.contract import unpack
from playwright.sync_api import Locator, expect
from reader import PHONE, Open, Reader
from test_bench_alone import recorded_only
from test_bench_page import PATH, listed, opened

PLOTLY = re.compile(r"/_astro/plotly[\w.-]*\.js$")
DIST = Path(__file__).parents[2] / "frontend/dist"
RECORDED = Path(__file__).parents[2] / "content/recordings/speed/bench"
RANGE = "(frame) => frame.querySelector('.js-plotly-plot')._fullLayout.xaxis.range"
SHOWN = """(frame) => frame.querySelector(".js-plotly-plot").data
  .filter(({ visible, mode }) => visible && mode !== "lines").map(({ name }) => name)"""
COLOUR = "(frame) => getComputedStyle(frame.querySelector('.main-svg')).backgroundColor"
# Plotly draws in layers: marks, then titles of axes, then the words of a point. One that lies below is cut off.
BELOW = """(frame) => [...frame.querySelectorAll(".main-svg")].filter((layer) => {
  const [inner, outer] = [layer, frame].map((one) => one.getBoundingClientRect());
  return inner.top < outer.top || inner.bottom > outer.bottom;
}).length"""
OTHER = f"([frame, before]) => ({COLOUR})(frame) !== before"


def fetched(reader: Reader) -> list[str]:
    return [path for path in reader.requests if PLOTLY.search(path)]


def charts(reader: Reader) -> Locator:
    """Drawn, of what was recorded alone: other tests' runs come and go."""
    recorded_only(reader)
    reader.go(PATH)
    history = opened(reader)
    found = history.locator(".charts")
    found.scroll_into_view_if_needed()
    expect(found.locator(".frame .main-svg").first).to_be_visible()
    return found


def test_plotly_comes_when_a_chart_is_seen_and_on_no_other_page(read: Open) -> None:
    reader = read(PATH)
    expect(reader.page.locator("[data-history]")).to_have_attribute("data-live", "")
    expect(reader.page.locator(".charts .coming")).to_be_attached()
    assert fetched(reader) == []
    reader.page.locator(".charts").scroll_into_view_if_needed()
    expect(reader.page.locator(".charts .main-svg").first).to_be_visible()
    assert len(fetched(reader)) == 1
    bundle = DIST / fetched(reader)[0].lstrip("/")
    assert not re.search(r"\beval\(|new Function\b", bundle.read_text("utf-8"))  # our policy would refuse it
    # No page names it, nor does what a browser stores for later.
    files = (*DIST.rglob("index.html"), *DIST.rglob("offline.json"), DIST / "sw.js")
    assert [path.name for path in files if bundle.name in path.read_text("utf-8")] == []


def test_a_legend_shows_the_marks_of_the_chart(read: Open) -> None:
    found = charts(read())
    frame = found.get_by_role("application", name="Over the size")
    symbols = frame.evaluate(
        "(frame) => frame.querySelector('.js-plotly-plot').data.map((one) => one.marker.symbol)"
    )
    paths = found.locator("figure").first.locator("li svg path")
    marks = paths.evaluate_all("(paths) => paths.map((one) => one.getAttribute('d'))")
    assert len(set(marks)) == len(set(symbols)) > 1


def test_titles_of_axes_and_the_words_of_a_point_can_be_seen(read: Open) -> None:
    frame = charts(read()).get_by_role("application", name="Over the size")
    expect(frame.locator(".main-svg")).to_have_count(3)
    assert frame.evaluate(BELOW) == 0
    frame.focus()
    frame.page.keyboard.press("ArrowRight")
    outer = frame.bounding_box()
    assert outer
    for words in (".xtitle", ".ytitle", ".hovertext"):
        box = frame.locator(words).first.bounding_box()
        assert box, words
        assert outer["y"] <= box["y"] <= box["y"] + box["height"] <= outer["y"] + outer["height"], words


def test_a_chart_can_be_dug_in_by_keyboard_alone(read: Open) -> None:
    found = charts(read())
    frame, page = found.get_by_role("application", name="Over the size"), found.page
    whole = frame.evaluate(RANGE)
    frame.focus()
    expect(found.locator(".keys")).to_contain_text("left and right go from point to point")
    page.keyboard.press("+")
    low, high = frame.evaluate(RANGE)
    assert whole[0] < low < high < whole[1]
    page.keyboard.press("Shift+ArrowRight")
    assert frame.evaluate(RANGE)[0] > low
    page.keyboard.press("0")
    assert frame.evaluate(RANGE) == pytest.approx(whole)
    said = found.get_by_role("status")
    page.keyboard.press("ArrowRight")
    first = said.inner_text()
    expect(frame.locator(".hoverlayer")).to_contain_text(first.split(". ")[0])
    words = frame.locator(".hovertext")
    for _ in range(4):  # the first point goes out of sight, and so do its words
        page.keyboard.press("+")
    expect(words).to_have_count(0)
    expect(said).to_have_text(first)
    page.keyboard.press("0")
    expect(words).to_contain_text(first.split(". ")[0])
    page.keyboard.press("ArrowRight")
    expect(said).not_to_have_text(first)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    (only,) = frame.evaluate(SHOWN)
    expect(found.get_by_role("button", name=only, exact=True)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    assert len(frame.evaluate(SHOWN)) > 1


def test_a_mouse_zooms_isolates_and_takes_a_picture(read: Open) -> None:
    found = charts(read())
    frame, mouse = found.locator(".frame"), found.page.mouse
    before = frame.evaluate(RANGE)
    frame.scroll_into_view_if_needed()
    box = frame.bounding_box()
    assert box
    mouse.move(box["x"] + 300, box["y"] + 100)
    mouse.down()
    mouse.move(box["x"] + 600, box["y"] + 250, steps=3)
    mouse.up()
    low, high = frame.evaluate(RANGE)
    assert before[0] < low < high < before[1]
    found.get_by_role("button", name="All of it").click()
    assert frame.evaluate(RANGE) == pytest.approx(before)
    names = found.get_by_role("list", name=re.compile("^Series")).get_by_role("button")
    assert names.count() >= 3  # a processor, and a GPU in several precisions
    names.nth(1).click()
    assert frame.evaluate(SHOWN) == [names.nth(1).inner_text()]
    with found.page.expect_download() as coming:
        found.get_by_role("button", name="PNG").click()
    assert Path(coming.value.path()).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_charts_show_what_is_chosen_and_say_it_as_a_table(read: Open) -> None:
    found = charts(read())
    page = found.page
    frame = found.locator(".frame")
    gpu = listed(page.locator("[data-history]")).get_by_role("row").filter(has_text="bf16, 1 thread")
    gpu.get_by_role("checkbox").check()
    found.get_by_role("checkbox", name="Every kernel").check()
    assert frame.evaluate(SHOWN) == ["WMMA bf16", "WGMMA bf16", "Triton bf16", "cuBLAS bf16"]
    found.get_by_text("The numbers as a table").click()
    rows = found.get_by_role("region", name="Over the size").locator("tbody tr")
    expect(rows).to_have_count(24)
    expect(rows.last).to_contain_text(re.compile(r"cuBLAS bf16.*8,?192.*694,000.*H200.*torch"))
    for name in ("Below the roofs", "Over time"):
        found.get_by_role("button", name=name).click()
        expect(frame.locator(".main-svg").first).to_be_visible()
        assert frame.evaluate(SHOWN) == ["NVIDIA H200, bf16"]


def test_findings_below_a_chart_are_those_of_its_runs(read: Open) -> None:
    event = json.loads((RECORDED / "gpu_bf16.json").read_text("utf-8"))["events"][-2]
    speed, peaks, bandwidths = (unpack(event[name]) for name in ("speed", "peaks", "bandwidths"))
    fastest = np.nanmax(speed[:, :, 1], axis=0)
    half = event["sizes"][int(np.argmax(fastest >= fastest.max() / 2))]
    ridge = float(f"{peaks[1] / bandwidths[0]:.2g}")
    found = charts(read())
    gpu = found.locator(".findings dl > div").filter(has_text="NVIDIA H200, bf16").locator("dd")
    expect(gpu).to_have_text(f"{half:,}")
    found.get_by_role("button", name="Below the roofs").click()
    expect(gpu).to_have_text(f"{ridge:,.0f}")


@pytest.mark.parametrize("phone", [False, True])
def test_charts_follow_the_theme_fit_and_satisfy_axe(phone: bool, read: Open) -> None:
    reader = read(color_scheme="light", **(PHONE if phone else {}))
    found = charts(reader)
    page, frame = reader.page, found.locator(".frame")
    light = frame.evaluate(COLOUR)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(OTHER, arg=[frame.element_handle(), light])
    assert page.evaluate("() => document.documentElement.scrollWidth") <= page.viewport_size["width"]
    page.evaluate(AXE)
    assert page.evaluate(FIND, [".charts", ALL]) == []


def test_a_report_is_one_file_that_needs_nobody(read: Open) -> None:
    reader = read()
    found = charts(reader)
    page = reader.page
    history = page.locator("[data-history]")
    gpu = listed(history).get_by_role("row").filter(has_text="tf32")
    gpu.get_by_role("checkbox").check()
    with page.expect_download() as coming:
        history.get_by_role("button", name="Report on 1 run").click()
    text = Path(coming.value.path()).read_text("utf-8")
    assert "<script" not in text
    assert not re.search(r"(src|href)=\"(?!data:)", text)
    alone = page.context.new_page()
    alone.set_content(text)
    expect(alone.get_by_role("heading", level=1)).to_have_text("Bench: 1 run")
    assert alone.locator("img").count() == 3
    assert alone.evaluate("() => [...document.images].every((one) => one.naturalWidth > 0)")
    expect(alone.locator("dl")).to_contain_text("NVIDIA H200, driver")
    expect(alone.get_by_role("row").last).to_contain_text("cuBLAS tf32")
    assert found

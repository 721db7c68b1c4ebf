"""The flame chart of a trace: twenty thousand spans while it zooms, keys, a mouse, and a search."""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

import numpy as np
from labs.contract import pack, unpack
from measure.flames import ZOOM
from playwright.sync_api import Locator, Route, expect
from reader import MOVING, Figure, Open, Reader

LAB = "pytorch/profiler_trace"
RECORDING = Path(__file__).parents[2] / "content" / "recordings" / LAB / "default.json"
SPANS = 20_000
FRAME_MS = 16


def many() -> dict[str, Any]:
    """Nested spans as a long recording has them: of each row some are long, and most are not a pixel wide."""
    chance = np.random.default_rng(5)
    start, took, depth = [0], [10_000_000], [0]
    while len(start) < SPANS:
        at = int(chance.integers(0, len(start)))
        if depth[at] > 9 or took[at] < 400:
            continue
        start.append(start[at] + int(took[at] * chance.uniform(0, 0.5)))
        took.append(int(took[at] * chance.uniform(0.02, 0.5)))
        depth.append(depth[at] + 1)
    rows = []
    free: dict[int, int] = {}
    for n in sorted(range(SPANS), key=lambda n: (start[n], depth[n])):
        begin = max(start[n], free.get(depth[n], 0))  # those of a row do not overlap
        free[depth[n]] = begin + took[n]
        rows.append((begin, took[n], depth[n]))
    table = np.array(rows, np.int32).T
    return {"start": table[0].copy(), "took": table[1].copy(), "depth": table[2].astype(np.uint8)}


def opened(read: Open, **how: Any) -> tuple[Reader, Figure, Locator]:
    reader = read(**how)
    reader.go(f"/labs/{LAB}/")
    figure = reader.figure()
    return reader, figure, figure.host.get_by_role("application")


def test_twenty_thousand_spans_while_it_zooms(read: Open) -> None:
    run = json.loads(RECORDING.read_text("utf-8"))
    spans = many()
    end = int((spans["start"].astype(int) + spans["took"]).max())
    for event in run["events"]:
        if event.get("stage") in ("trace", "self", "cost"):
            count = len(event["names"])
            of = {**spans, "own": spans["took"], "name": np.arange(SPANS, dtype=np.int32) % count}
            of |= {"thread": np.zeros(SPANS, np.uint8), "shape": np.zeros(SPANS, np.int32)}
            event |= {name: pack(array) for name, array in of.items()} | {"end": end}
    reader = read(**MOVING)

    def answer(route: Route) -> None:
        route.fulfill(body=json.dumps(run), content_type="application/json")

    reader.page.route("**/recordings/**", answer)
    reader.go(f"/labs/{LAB}/")
    figure = reader.figure()
    figure.scrubber.press("End")
    figure.at(4)
    took = figure.host.get_by_role("application").evaluate(ZOOM)
    own, apart = (statistics.median(took[each]) for each in ("own", "apart"))
    words = f"{len(took['own'])} frames drawn in {own:.1f} ms each, {apart:.1f} ms from frame to frame"
    assert len(took["own"]) > 40, f"drawn anew while it zoomed: {words}"
    rows = int(spans["depth"].max()) + 1
    for each in took["drawn"]:  # a pixel of a row is filled once, and nothing outside of what is seen
        assert 0 < each["fills"] <= rows * (took["width"] + 1), each
        assert each["left"] >= 0 and each["right"] <= took["width"] + 1, each
    fills = [each["fills"] for each in took["drawn"]]
    assert max(fills) < SPANS / 2 and min(fills) < max(fills) / 3, "near by there are few spans to fill"
    assert own < FRAME_MS, words


def test_keys_move_zoom_and_choose(read: Open) -> None:
    _, figure, area = opened(read)
    axis = figure.host.locator(".axis")
    whole = axis.text_content() or ""
    status = figure.host.locator("p.said")
    area.press("+")
    expect(axis).not_to_have_text(whole)
    near = axis.text_content() or ""
    area.press("ArrowRight")
    expect(axis).not_to_have_text(near)
    area.press("0")
    expect(axis).to_have_text(whole)
    area.press("Escape")
    area.press("n")
    expect(status).to_contain_text("self time")
    first = status.text_content() or ""
    area.press("n")
    expect(status).not_to_have_text(first)
    area.press("Enter")
    expect(axis).not_to_have_text(whole)
    area.press("Escape")
    expect(status).not_to_contain_text("self time")


def test_a_search_finds_spans_by_name(read: Open) -> None:
    _, figure, area = opened(read)
    area.press("/")
    field = figure.host.get_by_role("textbox", name="Search spans")
    expect(field).to_be_focused()
    field.fill("ADDMM")
    status = figure.host.locator("p.said")
    expect(status).to_contain_text("spans have this")
    field.press("Enter")
    expect(status).to_contain_text("ddmm")
    field.fill("nothing like it")
    field.press("Escape")
    expect(field).to_have_value("")


def test_a_range_is_summed(read: Open) -> None:
    reader, figure, area = opened(read)
    box = area.bounding_box()
    assert box
    y = box["y"] + 30
    reader.page.mouse.move(box["x"] + 40, y)
    reader.page.mouse.down()
    reader.page.mouse.move(box["x"] + 220, y, steps=4)
    reader.page.mouse.up()
    expect(figure.host.get_by_text("Self time in the range")).to_be_visible()
    expect(figure.host.locator("p.said")).to_contain_text("From")
    reader.page.mouse.click(box["x"] + 200, y)
    expect(figure.host.get_by_text("Self time in the range")).to_be_hidden()
    expect(figure.host.locator("p.said")).to_contain_text("self time")


def test_the_download_is_what_perfetto_reads(read: Open) -> None:
    reader, figure, _ = opened(read)
    with reader.page.expect_download() as waiting:
        figure.host.get_by_text("Trace as JSON").click()
    trace = json.loads(Path(waiting.value.path()).read_text("utf-8"))
    events = trace["traceEvents"]
    log = [each for each in json.loads(RECORDING.read_text("utf-8"))["events"] if each.get("stage") == "cost"]
    shown = unpack(log[0])
    assert {"forward", "backward", "aten::addmm"} <= {each["name"] for each in events}
    # What the trace event format demands of a complete event: https://github.com/catapult-project/catapult
    for each in events:
        assert each["ph"] == "X" and isinstance(each["pid"], int) and isinstance(each["tid"], int)
        assert isinstance(each["cat"], str) and min(each["ts"], each["dur"]) >= 0
    spans = zip(shown["name"], shown["start"], shown["took"], shown["thread"], strict=True)
    assert [(each["name"], round(1e3 * each["ts"]), round(1e3 * each["dur"]), each["tid"]) for each in events] == [
        (shown["names"][name], start, took, thread + 1) for name, start, took, thread in spans
    ]
    assert trace["displayTimeUnit"] == "ms"
    assert within(events), "viewers draw no span that ends after the one that it begins in"


def within(events: list[dict[str, Any]]) -> bool:
    """Whether the spans of a thread are nested or apart."""
    for thread in {each["tid"] for each in events}:
        ends: list[float] = []
        for each in sorted((e for e in events if e["tid"] == thread), key=lambda e: (e["ts"], -e["dur"])):
            while ends and ends[-1] <= each["ts"] + 1e-4:
                ends.pop()
            if ends and each["ts"] + each["dur"] > ends[-1] + 1e-4:
                return False
            ends.append(each["ts"] + each["dur"])
    return True

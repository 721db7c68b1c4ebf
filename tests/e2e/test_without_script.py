"""Without scripts an article is still complete: its text, each figure's first picture and its sentence."""

import json
import re
from pathlib import Path

import pytest
from labs.contract import Sentence
from playwright.sync_api import Locator, expect
from reader import Open

RECORDINGS = Path(__file__).parents[2] / "content" / "recordings"
DRAWN = """(figure) => [...figure.querySelectorAll(".picture svg :is(path, rect, line)")].filter((shape) => {
  const style = getComputedStyle(shape), box = shape.getBoundingClientRect();
  const painted = [style.fill, style.stroke].some((paint) => paint !== "none");
  return painted && style.visibility === "visible" && box.width + box.height > 0;
}).length"""


@pytest.mark.parametrize(("path", "figures", "words"), [("/", 0, 100), ("/learning/quantization/", 4, 1500)])
def test_a_page_is_complete(path: str, figures: int, words: int, read: Open) -> None:
    reader = read(path, java_script_enabled=False)
    page = reader.page
    assert len(page.locator("main").inner_text().split()) > words
    hosts = page.locator("[data-lab]").all()
    assert len(hosts) >= figures
    for host in hosts:
        check(host)
    assert not any(request.endswith(".js") and "theme" not in request for request in reader.requests)


def check(host: Locator) -> None:
    props = json.loads(host.locator("[data-props]").text_content() or "")
    recording = json.loads((RECORDINGS / f"{props['first']['recording']}.json").read_text("utf-8"))
    events = [event for event in recording["events"] if event["kind"] not in ("started", "end")]
    shown = events[props["first"]["index"]]
    figure = host.locator("figure")
    host.scroll_into_view_if_needed()  # far below, a figure is not laid out yet
    expect(figure.locator(".sentence")).to_have_text(Sentence.unpacked(shown["text"]), use_inner_text=True)
    assert figure.get_attribute("aria-label")
    assert figure.evaluate(DRAWN) >= 4, "the picture is empty"
    made = recording["events"][0]["provenance"]
    assert figure.locator("details.badge summary").inner_text() == f"Recorded on {made['at'][:10]}"
    assert made["machine"] in (figure.locator("details.badge dl").text_content() or "")
    assert re.fullmatch(rf"step \d+ of {len(events)}", figure.locator(".timeline output").inner_text())
    caption = host.locator(".caption")
    assert not caption.is_visible() or caption.inner_text().strip()
    controls = figure.locator("button, input, select")
    assert controls.count() > 5
    assert all(control.is_disabled() for control in controls.all()), "it cannot be used, and must not look usable"

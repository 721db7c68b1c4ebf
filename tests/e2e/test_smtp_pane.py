"""What somebody on the wire sees, and a long message: its pane shows the dots that were added, and alone moves."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect
from reader import PHONE, Open

SEEN = """(line) => {
  const pane = line.parentElement.getBoundingClientRect(), { top, bottom } = line.getBoundingClientRect();
  return { inside: pane.top <= top && bottom <= pane.bottom, page: scrollY };
}"""


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
def test_an_added_dot_is_in_view(read: Open, phone: bool) -> None:
    page = read("/labs/tools/smtp_roundtrip/?smtp_roundtrip.step=12", **(PHONE if phone else {})).page
    line = page.locator(".stuffed").first
    line.wait_for()
    page.wait_for_function(f"() => ({SEEN})(document.querySelector('.stuffed')).inside")
    assert line.evaluate(SEEN) == {"inside": True, "page": 0}


def test_the_wire_shows_words_in_the_clear_and_records_once_it_is_sealed(read: Open) -> None:
    kept = Path(__file__).parents[2] / "content/recordings/tools/smtp_roundtrip/default.json"
    exchanges = [each for each in json.loads(kept.read_text())["events"] if each["kind"] == "sent"][-1]["exchanges"]
    rows = read("/labs/tools/smtp_roundtrip/?smtp_roundtrip.step=15").page.locator(".columns li:not(.rest)")
    expect(rows).to_have_count(len(exchanges))
    assert {each["sealed"] for each in exchanges} == {True, False}
    for row, each in zip(rows.all(), exchanges, strict=True):
        wire = row.locator(".wire")
        if each["sealed"]:
            expect(wire.locator("i")).to_have_count(len(each["up"]) + len(each["down"]))
            expect(wire).not_to_contain_text(each["client"].split("\n")[0] or each["server"])
        else:
            expect(wire).to_have_text(each["client"] or each["server"])
            expect(wire.locator("i")).to_have_count(0)

"""The home page: its figure moves when seen, can be changed, broken and stopped; its map says what is written."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect
from reader import MOVING, PHONE, PYTHON_MS, Open

RECORDINGS = Path(__file__).parents[2] / "content" / "recordings" / "learning" / "xor_seeds"


def solved(name: str) -> int:
    events = json.loads((RECORDINGS / f"{name}.json").read_text("utf-8"))["events"]
    return int(next(event["solved"] for event in reversed(events) if event["kind"] == "picture"))


def sentence(hero: Locator) -> str:
    return hero.locator(".sentence").inner_text()


def test_it_moves_when_it_is_seen_and_stops_when_it_is_told(read: Open) -> None:
    page = read("/", **MOVING).page
    hero = page.locator("[data-hero]")
    hero.scroll_into_view_if_needed()
    expect(hero).to_have_attribute("data-live", "")
    before = sentence(hero)
    expect(hero.locator(".sentence")).not_to_have_text(before)
    hero.get_by_role("button", name="Pause").click()
    expect(hero.get_by_role("button", name="Play")).to_be_visible()
    still = sentence(hero)
    page.wait_for_timeout(1200)
    assert sentence(hero) == still


def test_it_can_be_broken_and_put_right_without_waiting(read: Open) -> None:
    reader = read("/")
    hero = reader.page.locator("[data-hero]")
    hero.scroll_into_view_if_needed()
    expect(hero).to_have_attribute("data-live", "")
    said = hero.locator(".sentence")
    switch = hero.get_by_role("switch", name=re.compile("^Break it"))
    switch.check()
    expect(said).to_have_text(re.compile(rf"with 2 it was {solved('mse_bias_mean')}\.$"))
    expect(hero.locator(".origin")).to_have_text(re.compile("^Recorded on"))
    switch.uncheck()
    expect(said).to_have_text(re.compile(rf"with 2 it was {solved('default')}\.$"))
    assert reader.workers == 0, "both were recorded"


def test_its_one_control_computes(read: Open) -> None:
    reader = read("/")
    hero = reader.page.locator("[data-hero]")
    hero.scroll_into_view_if_needed()
    expect(hero).to_have_attribute("data-live", "")
    hero.get_by_role("slider").fill("1")
    expect(hero.locator(".origin")).to_have_text("In your browser", timeout=PYTHON_MS)
    expect(hero.locator(".sentence")).to_have_text(re.compile(r"with 1 it was 0\.$"))  # one unit draws one line
    assert reader.workers == 1


@pytest.mark.parametrize("how", [{}, PHONE])
def test_it_is_complete_without_a_script(how: dict[str, object], read: Open) -> None:
    page = read("/", java_script_enabled=False, **how).page
    hero = page.locator("[data-hero]")
    assert sentence(hero)
    assert all(each.is_disabled() for each in hero.locator("button, input").all())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_is_written_stands_first_and_what_is_planned_in_one_line(read: Open) -> None:
    page = read("/").page
    empty = page.locator(".map > li").evaluate_all("(all) => all.map((one) => one.classList.contains('empty'))")
    assert empty == sorted(empty)
    for planned in page.locator(".map .planned").all():
        lines = "(one) => one.clientHeight / parseFloat(getComputedStyle(one).lineHeight)"
        assert planned.evaluate(lines) < 1.5, planned.inner_text()

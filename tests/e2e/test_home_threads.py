"""The threads of the home page's figure: from level to level, and through nothing that is written on a phone."""

import re

import pytest
from extent import chosen
from hero import awake
from playwright.sync_api import expect
from reader import PHONE, Open


def test_threads_lead_from_level_to_level(read: Open) -> None:
    hero = awake(read("/").page.locator("[data-hero]"))
    paths = hero.locator("svg > path[data-strand]")
    expect(paths).to_have_count(8)  # three numbers of x, three of w, one of b, and the result
    assert all((each.get_attribute("d") or "").count("M") >= 5 for each in paths.all())
    hero.locator("[data-level='3'] [data-thread='x3']").hover()
    expect(hero.locator("svg > path.lit")).to_have_count(1)


def test_the_thread_of_the_chosen_element_is_above_the_cards_and_reaches_the_last_level(read: Open) -> None:
    hero = awake(read("/").page.locator("[data-hero]"))
    above = hero.locator("svg.above > path")
    expect(above).to_have_count(1)
    expect(above).to_have_attribute("style", re.compile("series-2"))
    (line, clock) = (hero.locator(each).bounding_box() for each in ("svg.above > path", "[data-level='9'] .bar"))
    assert line and clock and abs(line["y"] + line["height"] - clock["y"]) < 8  # the browser adds 6 for its joints
    hero.locator("[data-level='3'] [data-thread='w6']").hover()
    expect(above).to_have_attribute("style", re.compile("series-7"))


BLOCKED = """(hero) => {
  const [way] = hero.querySelectorAll("svg.above > path");
  const { x, y } = way.ownerSVGElement.getBoundingClientRect();
  const boxes = [...hero.querySelectorAll("[data-cell]")].map((each) => [each, each.getBoundingClientRect()]);
  const crossed = new Set();
  for (let at = 0; at < way.getTotalLength(); at += 1) {
    const point = way.getPointAtLength(at);
    for (const [each, box] of boxes)
      if (x + point.x > box.left + 1.5 && x + point.x < box.right - 1.5 && y + point.y > box.top + 1.5
        && y + point.y < box.bottom - 1.5) crossed.add(each);
  }
  return [...crossed].map((each) => each.closest("[data-level]")?.dataset.level + each.outerHTML.slice(0, 120));
}"""


STRUCK = """(hero) => {
  const [way] = hero.querySelectorAll("svg.above > path");
  const { x, y } = way.ownerSVGElement.getBoundingClientRect();
  for (const level of hero.querySelectorAll("[data-level]")) level.style.contentVisibility = "visible";
  const texts = document.createTreeWalker(hero, NodeFilter.SHOW_TEXT);
  const struck = new Set();
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (!text.textContent.trim() || text.parentElement.closest("[data-thread~=y], .said, .unseen")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const boxes = [...range.getClientRects()];
    for (let at = 0; at < way.getTotalLength(); at += 2) {
      const point = way.getPointAtLength(at);
      if (boxes.some((box) => x + point.x > box.left && x + point.x < box.right
        && y + point.y > box.top && y + point.y < box.bottom)) struck.add(text.textContent.trim());
    }
  }
  return [...struck];
}"""


@pytest.mark.parametrize("element", chosen(["y[0, 0]", "y[0, 2]", "y[1, 2]", "y[1, 3]"], ["y[0, 0]", "y[1, 3]"]))
@pytest.mark.parametrize("how", [{}, PHONE])
def test_the_thread_of_the_chosen_element_goes_around_cells(
    how: dict[str, object], element: str, read: Open
) -> None:
    hero = awake(read("/", reduced_motion="reduce", **how).page.locator("[data-hero]"))
    chosen = hero.get_by_role("button", name=re.compile(rf"^{re.escape(element)}"))
    chosen.click()
    expect(chosen).to_have_attribute("aria-pressed", "true")
    hero.page.mouse.move(1, 1)
    expect(hero.locator("svg.above > path")).to_have_count(1)
    hero.page.wait_for_timeout(500)  # threads are drawn after the picture
    assert not hero.evaluate(BLOCKED)
    if how:
        assert not hero.evaluate(STRUCK)


def test_on_a_phone_the_threads_go_down_beside_the_levels(read: Open) -> None:
    hero = awake(read("/", reduced_motion="reduce", **PHONE).page.locator("[data-hero]"))
    threads = hero.locator("svg > path[data-strand]")
    expect(threads).to_have_count(8)
    left = min(each.bounding_box()["x"] for each in hero.locator("[data-level]").all())  # type: ignore[index]
    for each in [*threads.all(), hero.locator("svg.above > path")]:
        way = each.bounding_box()
        assert way and way["x"] + way["width"] <= left + 8  # the browser adds 6 for its joints
    (tall, cut) = (hero.locator(each).bounding_box() for each in ("svg.above > path", ".cut"))
    assert tall and cut and tall["height"] > 0.8 * cut["height"]  # from the chosen element down to the clock
    assert hero.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    line, given = (hero.locator(each).bounding_box() for each in ("div.given .written", "div.given"))
    assert line and given and line["x"] + line["width"] <= given["x"] + given["width"] + 1

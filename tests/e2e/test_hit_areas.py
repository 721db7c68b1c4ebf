"""A finger hits what it is meant for: 40 px each way for controls of figures, 24 for whatever else stands alone."""

import pytest
from labs.discover import find
from reader import PHONE, Open
from test_pages import PAGES

# The controls whose hit area is smaller than that, measured through its middle as the browser finds what is hit, so
# that what lies over it counts against it. Words within other words are as high as their line, and are let be.
SMALL = """async (host, least) => {
  await document.fonts.ready;
  const within = (each) => {
    if (each.closest("code")) return true;
    const line = each.closest("p, li, dd, td, div, figcaption") ?? each;
    return getComputedStyle(each).display === "inline" && line.innerText.trim() !== each.innerText.trim();
  };
  const hidden = (each) => !each.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    || each.matches(".skip:not(:focus)") || getComputedStyle(each).pointerEvents === "none";
  const hit = (each) => {
    each.scrollIntoView({ block: "center", inline: "center" });
    const box = (each.closest("label") ?? each).getClientRects()[0]; // of a link over several lines, the first
    const hits = (dx, dy) => {
      const found = document.elementFromPoint(box.x + box.width / 2 + dx, box.y + box.height / 2 + dy);
      return found && (each.contains(found) || found.closest("label")?.control === each);
    };
    const reach = (dx, dy) => {
      let n = 0;
      while (n <= least && hits(dx * n, dy * n)) n++;
      return n;
    };
    return [reach(1, 0) + reach(-1, 0), reach(0, 1) + reach(0, -1)];
  };
  return [...host.querySelectorAll("a[href], button, input, select, textarea, summary, [role=slider]")]
    .filter((each) => !hidden(each) && !within(each))
    .map((each) => [hit(each), each])
    .filter(([sides]) => Math.min(...sides) < least)
    .map(([[wide, high], each]) => `${wide} x ${high}: ${each.outerHTML.slice(0, 160)}`);
}"""


@pytest.mark.parametrize("lab", find())
def test_every_control_of_a_figure_can_be_hit(lab: str, read: Open) -> None:
    figure = read(f"/labs/{lab}/", saving=True, **PHONE).figure()
    small = figure.host.evaluate(SMALL, 40)
    assert not small, "\n".join(small)


@pytest.mark.parametrize("panel", ["Compare", "Data", "Source", "Take away"])
def test_every_control_of_a_panel_can_be_hit(panel: str, read: Open) -> None:
    figure = read("/labs/learning/number_line/", saving=True, **PHONE).figure()
    figure.button(panel).click()
    figure.host.get_by_role("region", name=panel).locator("> :not(.quiet)").first.wait_for()
    small = figure.host.evaluate(SMALL, 40)
    assert not small, "\n".join(small)


@pytest.mark.parametrize("path", PAGES)
def test_what_stands_alone_on_a_page_can_be_hit(path: str, read: Open) -> None:
    reader = read(path, saving=True, **PHONE)
    reader.wake()  # nothing moves any more
    small = reader.page.locator("body").evaluate(SMALL, 24)
    assert not small, "\n".join(small)

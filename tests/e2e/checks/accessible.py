"""axe has nothing to complain of at the width of the visit; by night it looks at what colours alone can change.

What stands in several places is looked at in one: a listing's many colours on the first lab's page and in articles,
a figure on the page of its lab or in its frame, whichever is visited at this width. And of what is written in the
same colours on the same ground, as most of an article is, the first is looked at.
"""

from pathlib import Path
from typing import Any

from pages import PAGES
from visit import Visit

AXE = (Path(__file__).parents[3] / "frontend" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
# Frames hold pages of the site, which are looked at by themselves.
ALL: dict[str, Any] = {"iframes": False, "resultTypes": ["violations"]}
COLOURS: dict[str, Any] = ALL | {"runOnly": ["color-contrast", "link-in-text-block"]}
REST = ALL | {"rules": {rule: {"enabled": False} for rule in COLOURS["runOnly"]}}
FIND = """async ([where, options]) => (await axe.run(where, options)).violations.flatMap(
  ({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.any[0]?.message}`))"""
# Marks what has words of its own, once for each way in which it is coloured. What is drawn, or lies over something,
# may have another ground than what it is within: that is looked at everywhere.
MARK = """(without) => {
  const style = getComputedStyle, seen = new Set();
  const ground = new Map([[document.documentElement, ""]]);
  const under = (each) => {
    if (!ground.has(each)) {
      const { backgroundColor, backgroundImage, opacity, position, transform } = style(each);
      const apart = !["static", "relative"].includes(position) || transform !== "none" || each.matches("svg");
      const own = `${backgroundColor} ${backgroundImage} ${opacity} ${apart ? ground.size : ""}`;
      ground.set(each, `${under(each.parentElement)}/${own}`);
    }
    return ground.get(each);
  };
  const words = (each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  for (const each of document.body.querySelectorAll("*")) {
    if (!(words(each) || each.matches("input, select, textarea")) || (without && each.closest(without))) continue;
    if (!each.checkVisibility({ visibilityProperty: true })) continue;
    const { color, fontSize, fontWeight, textDecorationLine, display } = style(each);
    const drawn = each.closest("svg") ? seen.size : "";
    const key = [each.tagName, each.className, color, fontSize, fontWeight, textDecorationLine, display,
      style(each.parentElement).color, under(each), drawn].join();
    each.toggleAttribute("data-unlike", !seen.has(key));
    seen.add(key);
  }
}"""
# It would write out the source of all that it looks at.
BRIEF = """() => axe.configure({
  noHtml: true, rules: [{ id: "color-contrast", selector: "[data-unlike]" }],
})"""
# axe walks through what it leaves out, too: of a lab's page most is its listing.
EMPTY = "(parts) => parts.forEach((part) => part.replaceChildren())"
LISTED = min(path for path in PAGES if path.startswith("/labs/"))
FIGURE, LISTING = "[data-lab] figure", "pre"


def accessible(visit: Visit) -> list[str]:
    return _found(visit, ALL, MARK)


def operable(visit: Visit) -> list[str]:
    """All but its colours."""
    return _found(visit, REST)


def legible(visit: Visit) -> list[str]:
    return _found(visit, COLOURS, MARK)


def _found(visit: Visit, options: dict[str, Any], mark: str = "") -> list[str]:
    page, without = visit.reader.page, _seen_elsewhere(visit)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
        page.evaluate(BRIEF)
    if without:
        page.locator(", ".join(without)).evaluate_all(EMPTY)
    if mark:
        page.evaluate(mark, ", ".join(without))
    found: list[str] = page.evaluate(FIND, [{"include": ["html"], "exclude": without}, options])
    return found


def _seen_elsewhere(visit: Visit) -> list[str]:
    if visit.path.startswith("/labs/"):
        return [] if visit.path == LISTED else [LISTING]
    return [] if visit.path.startswith("/embed/") else [FIGURE]

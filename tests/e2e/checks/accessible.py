"""axe has nothing to complain of at the width of the visit; by night it looks at what colours alone can change.

What stands in several places is looked at in one: a listing's many colours on the first lab's page and in articles,
a figure on the page of its lab or in its frame, whichever is visited at this width.
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
BRIEF = "() => axe.configure({ noHtml: true })"  # it would write out the source of all that it looks at
# axe walks through what it leaves out, too: of a lab's page most is its listing.
EMPTY = "(parts) => parts.forEach((part) => part.replaceChildren())"
LISTED = min(path for path in PAGES if path.startswith("/labs/"))
FIGURE, LISTING = "[data-lab] figure", "pre"


def accessible(visit: Visit) -> list[str]:
    return _found(visit, ALL, *_seen_elsewhere(visit))


def operable(visit: Visit) -> list[str]:
    """All but its colours."""
    return _found(visit, REST, *_seen_elsewhere(visit))


def legible(visit: Visit) -> list[str]:
    return _found(visit, COLOURS, *_seen_elsewhere(visit))


def _seen_elsewhere(visit: Visit) -> list[str]:
    if visit.path.startswith("/labs/"):
        return [] if visit.path == LISTED else [LISTING]
    return [] if visit.path.startswith("/embed/") else [FIGURE]


def _found(visit: Visit, options: dict[str, object], *without: str) -> list[str]:
    page = visit.reader.page
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
        page.evaluate(BRIEF)
    if without:
        page.locator(", ".join(without)).evaluate_all(EMPTY)
    found: list[str] = page.evaluate(FIND, [{"include": ["html"], "exclude": list(without)}, options])
    return found

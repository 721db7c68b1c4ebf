"""axe has nothing to complain of at the width of the visit; by night it looks at what colours alone can change."""

from pathlib import Path
from typing import Any

from visit import Visit

AXE = (Path(__file__).parents[3] / "frontend" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
# Frames hold pages of the site, which are looked at by themselves.
ALL: dict[str, Any] = {"iframes": False, "resultTypes": ["violations"]}
COLOURS: dict[str, Any] = ALL | {"runOnly": ["color-contrast", "link-in-text-block"]}
REST = ALL | {"rules": {rule: {"enabled": False} for rule in COLOURS["runOnly"]}}
FIND = """async (options) => (await axe.run(document, options)).violations.flatMap(
  ({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.any[0]?.message}`))"""


def accessible(visit: Visit) -> list[str]:
    return _found(visit, ALL)


def operable(visit: Visit) -> list[str]:
    """All but its colours."""
    return _found(visit, REST)


def legible(visit: Visit) -> list[str]:
    return _found(visit, COLOURS)


def _found(visit: Visit, options: dict[str, object]) -> list[str]:
    if not visit.reader.page.evaluate("'axe' in window"):
        visit.reader.page.evaluate(AXE)
    found: list[str] = visit.reader.page.evaluate(FIND, options)
    return found

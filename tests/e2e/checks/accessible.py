"""axe finds nothing to complain of, in the theme and at the width of the visit."""

from pathlib import Path

from visit import Visit

AXE = (Path(__file__).parents[3] / "frontend" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
# Frames hold pages of the site, which are looked at by themselves.
FIND = """async () => (await axe.run(document, { iframes: false, resultTypes: ["violations"] })).violations.flatMap(
  ({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.any[0]?.message}`))"""


def accessible(visit: Visit) -> list[str]:
    if not visit.reader.page.evaluate("'axe' in window"):
        visit.reader.page.evaluate(AXE)
    found: list[str] = visit.reader.page.evaluate(FIND)
    return found

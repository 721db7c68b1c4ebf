"""axe finds nothing to complain of: on every page, by day and by night, on a desk and on a phone, figures awake."""

from pathlib import Path

import pytest
from reader import Open
from test_pages import PAGES

AXE = Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
# Frames hold pages of the site, which are looked at by themselves.
FIND = """async () => (await axe.run(document, { iframes: false, resultTypes: ["violations"] })).violations.flatMap(
  ({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.any[0]?.message}`))"""


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_no_violation(path: str, read: Open) -> None:
    reader = read(path, saving=True, reduced_motion="reduce")
    page = reader.page
    for host in page.locator("[data-lab]").all():
        reader.figure(host.get_attribute("id") or "")
    page.evaluate(AXE.read_text("utf-8"))
    found: dict[str, str] = {}  # what is wrong, and where it was seen first
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 844})
            found |= {wrong: f"{scheme}, {width} px" for wrong in page.evaluate(FIND) if wrong not in found}
    assert not found, "\n".join(f"{where}: {wrong}" for wrong, where in found.items())

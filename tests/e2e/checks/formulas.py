"""Formulas are MathML, which the browser draws by itself, in one small font that has every letter of theirs."""

import re
from collections.abc import Iterator
from pathlib import Path

from pages import html
from visit import Visit

CONTENT = Path(__file__).parents[3] / "content"
FORMULA = re.compile(r"^\$\$$.+?^\$\$|\$[^$\n]+\$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^(```|---).+?^\1$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
LEAVES = "math :not(:has(*), mspace)"
UNFOLDED = """async () => {
  document.querySelectorAll("details").forEach((one) => (one.open = true));
  await document.fonts.ready;
}"""
ROOTS = """() => [...document.querySelectorAll("msqrt:last-child")].map((root) => {
  const [whole, within, around] = [root, root.lastElementChild, root.closest("math")]
    .map((one) => one.getBoundingClientRect());
  return [root.firstElementChild.getBoundingClientRect().left - whole.left, around.right - within.right];
})"""


def is_article(path: str) -> bool:
    return "data-read=" in html(path)


def source(path: str) -> str:
    """The text of the article at this address."""
    *language, series, slug = path.strip("/").split("/")
    ending = "".join(f".{one}" for one in language)
    (file,) = CONTENT.glob(f"{series}/[0-9][0-9]-{slug}{ending}.mdx")
    return CODE.sub("", file.read_text("utf-8"))


def formulas(visit: Visit) -> Iterator[str]:
    """Each formula of an article is drawn, with its concepts and in the font made for it; a root has its sign."""
    if not is_article(visit.path):
        return
    page = visit.reader.page
    page.evaluate(UNFOLDED)
    written = FORMULA.findall(source(visit.path))
    if not (drawn := page.locator("math").count()) == len(written) > 0:
        yield f"{len(written)} formulas are written, {drawn} drawn"
    blocks = sum(one.startswith("$$") for one in written)
    if (drawn := page.locator("math[display=block]").count()) != blocks:
        yield f"{blocks} formulas have lines of their own, {drawn} are drawn so"
    marked = [concept for one in written for concept in re.findall(r"\\of\{(\w+)\}", one)]
    shown = page.locator("math [data-concept]").evaluate_all("(all) => all.map((one) => one.dataset.concept)")
    if shown != marked:
        yield f"concepts are {marked}, drawn {shown}"
    yield from foreign(visit)
    # No page writes the sign, so the font could lack it, and the browser would leave it out.
    roots = page.evaluate(ROOTS)
    if len(roots) == 0 and "<msqrt" in html(visit.path):
        yield "no root was looked at"
    yield from (f"a root with {sides} px" for sides in roots if not (sides[0] > 5 and 0 <= sides[1] < 3))


def foreign(visit: Visit) -> Iterator[str]:
    """Letters that the font lacks."""
    page = visit.reader.page
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    for leaf in session.send("DOM.querySelectorAll", {"nodeId": root, "selector": LEAVES})["nodeIds"]:
        used = session.send("CSS.getPlatformFontsForNode", {"nodeId": leaf})["fonts"]
        if any((font["familyName"], font["isCustomFont"]) != ("STIX Two Math", True) for font in used):
            yield str(session.send("DOM.getOuterHTML", {"nodeId": leaf})["outerHTML"])
    session.detach()

"""Formulas are MathML, which the browser draws by itself, in one small font that has every letter of theirs."""

import re
from pathlib import Path

import pytest
from pages import PAGES, html
from reader import Open

CONTENT = Path(__file__).parents[2] / "content"
FORMULA = re.compile(r"^\$\$$.+?^\$\$$|\$[^$\n]+\$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^(```|---).+?^\1$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
PRELOADED = re.compile(r'<link rel="preload" href="(/_astro/stix-two-math-[^"]+)" as="font"[^>]* crossorigin')
LEAVES = "math :not(:has(*), mspace)"


def source(path: str) -> str:
    """The text of the article at this address."""
    *language, series, slug = path.strip("/").split("/")
    ending = "".join(f".{one}" for one in language)
    (file,) = CONTENT.glob(f"{series}/[0-9][0-9]-{slug}{ending}.mdx")
    return CODE.sub("", file.read_text("utf-8"))


ARTICLES = [path for path in PAGES if "data-read=" in html(path)]


def test_pages_with_formulas_ask_for_their_font_early_and_no_others_do() -> None:
    fonts = {path: PRELOADED.findall(html(path)) for path in PAGES}
    assert len({font for found in fonts.values() for font in found}) == 1
    for path, found in fonts.items():
        assert len(found) == ("<math" in html(path)), path


@pytest.mark.parametrize("path", ARTICLES)
def test_every_formula_is_drawn_with_its_font_and_its_concepts(path: str, read: Open) -> None:
    formulas = FORMULA.findall(source(path))
    page = read(path).page
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => (one.open = true))")
    page.evaluate("() => document.fonts.ready")
    assert page.locator("math").count() == len(formulas) > 0
    assert page.locator("math[display=block]").count() == sum(one.startswith("$$") for one in formulas)
    marked = [concept for one in formulas for concept in re.findall(r"\\of\{(\w+)\}", one)]
    shown = "(all) => all.map((one) => one.dataset.concept)"
    assert page.locator("math [data-concept]").evaluate_all(shown) == marked

    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    leaves = session.send("DOM.querySelectorAll", {"nodeId": root, "selector": LEAVES})["nodeIds"]
    for leaf in leaves:
        used = session.send("CSS.getPlatformFontsForNode", {"nodeId": leaf})["fonts"]
        foreign = [font for font in used if (font["familyName"], font["isCustomFont"]) != ("STIX Two Math", True)]
        assert not foreign, session.send("DOM.getOuterHTML", {"nodeId": leaf})["outerHTML"]


def test_the_font_can_stretch(read: Open) -> None:
    """Its MATH table says how; a font that lost it draws every bracket as high as the text."""
    page = read("/bits/hash-tables/").page
    page.evaluate("() => document.fonts.ready")
    heights = """(all) => all.map((one) =>
      one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).fontSize))"""
    bracket, plain = (page.locator(f".formula mo{kind}") for kind in ("[minsize]", "[stretchy=false]"))
    assert min(bracket.evaluate_all(heights)) > 1.15 * max(plain.evaluate_all(heights))


ROOTS = """() => [...document.querySelectorAll("msqrt:last-child")].map((root) => {
  const [whole, within, around] = [root, root.lastElementChild, root.closest("math")]
    .map((one) => one.getBoundingClientRect());
  return [root.firstElementChild.getBoundingClientRect().left - whole.left, around.right - within.right];
})"""


@pytest.mark.parametrize("path", [path for path in ARTICLES if "<msqrt" in html(path)])
def test_a_root_has_its_sign(path: str, read: Open) -> None:
    """No page writes it, so the font could lack it, and the browser would leave it out. What follows is as near as
    behind a letter."""
    page = read(path).page
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => (one.open = true))")
    page.evaluate("() => document.fonts.ready")
    roots = page.evaluate(ROOTS)
    assert roots and all(before > 5 and 0 <= behind < 3 for before, behind in roots), roots

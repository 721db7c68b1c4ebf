"""The font of formulas: pages with formulas ask for it early, and it can stretch. Visits look at every formula."""

import re

from pages import PAGES, html
from reader import Open

PRELOADED = re.compile(r'<link rel="preload" href="(/_astro/stix-two-math-[^"]+)" as="font"[^>]* crossorigin')


def test_pages_with_formulas_ask_for_their_font_early_and_no_others_do() -> None:
    fonts = {path: PRELOADED.findall(html(path)) for path in PAGES}
    assert len({font for found in fonts.values() for font in found}) == 1
    for path, found in fonts.items():
        assert len(found) == ("<math" in html(path)), path


def test_the_font_can_stretch(read: Open) -> None:
    """Its MATH table says how; a font that lost it draws every bracket as high as the text."""
    page = read("/bits/hash-tables/").page
    page.evaluate("() => document.fonts.ready")
    heights = """(all) => all.map((one) =>
      one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).fontSize))"""
    bracket, plain = (page.locator(f".formula mo{kind}") for kind in ("[minsize]", "[stretchy=false]"))
    assert min(bracket.evaluate_all(heights)) > 1.15 * max(plain.evaluate_all(heights))

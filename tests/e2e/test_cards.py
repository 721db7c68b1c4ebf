"""Who shares an article's address shows its card: the title over a real picture of its first figure.

`make shots` writes the cards anew, into the site's public folder.
"""

import re
from pathlib import Path

import png
import pytest
from measure.paint import SAVE_DATA
from measure.serving import Server
from playwright.sync_api import Browser, expect
from test_shots import FONTS, SHARE, STILL, WRITE, difference, small

ROOT = Path(__file__).parents[2]
CARDS = ROOT / "frontend" / "public" / "cards"
SIZE = {"width": 1200, "height": 630}  # what those that show cards ask for
ARTICLES = {
    f"{path.parent.name}/{re.sub(r'^[0-9]+-', '', path.stem)}": path
    for path in ROOT.glob("content/*/[0-9]*.mdx")
    if len(path.suffixes) == 1
}

# The title stands where a figure's own would; the picture is as large as the card lets it be.
COMPOSE = """([series, title]) => {
  document.documentElement.style.fontSize = "20px";
  document.body.style.cssText = "height: 630px; overflow: hidden; padding: 44px 56px 0";
  const head = document.createElement("header");
  head.innerHTML = '<p style="margin:0;font:500 26px var(--sans);color:var(--ink-soft)"></p>'
    + '<p style="margin:0 0 28px;font:700 52px/1.15 var(--sans);letter-spacing:-.02em"></p>';
  head.firstChild.textContent = `Underhood · ${series}`;
  head.lastChild.textContent = title;
  document.body.prepend(head);
  const picture = document.querySelector(".picture");
  document.querySelector("main").replaceChildren(picture);
}"""


@pytest.mark.parametrize("article", ARTICLES)
def test_an_article_has_a_card_of_its_figure(article: str, browser: Browser, server: Server) -> None:
    lab = re.search(r'<Lab\s[^>]*?id="([^"]+)"', ARTICLES[article].read_text("utf-8"))
    assert lab, "an article has a figure"
    context = browser.new_context(
        viewport=SIZE,  # type: ignore[arg-type]
        color_scheme="light",
        reduced_motion="reduce",
        service_workers="block",
    )
    context.add_init_script(SAVE_DATA)
    page = context.new_page()
    page.goto(f"{server.url}/{article}/")
    title, series = (
        page.locator("h1").inner_text(),
        page.locator("nav[aria-label='Where you are'] a").last.inner_text(),
    )
    image = page.locator("meta[property='og:image']").get_attribute("content") or ""
    assert image.endswith(f"/cards/{article}.png")
    assert page.request.get(f"{server.url}/cards/{article}.png").ok or WRITE
    page.goto(f"{server.url}/embed/{lab[1]}/")
    page.evaluate(FONTS)
    page.reload()
    expect(page.locator("[data-lab]")).to_have_attribute("data-live", "")
    page.evaluate(COMPOSE, [series, title])
    page.evaluate(STILL)
    shot = page.screenshot(animations="disabled", caret="hide")
    path = CARDS / f"{article}.png"
    if WRITE:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(shot)
    kept, seen = small(png.read(page, path.read_bytes())), small(png.read(page, shot))
    context.close()
    assert difference(kept, seen) <= SHARE, "the figure looks otherwise now: make shots"

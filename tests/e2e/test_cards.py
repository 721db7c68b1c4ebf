"""Who shares an article's address shows its card: the title over a real picture of its first figure.

`make shots` writes the cards that are no longer like those kept anew, into the site's public folder.
"""

import re
from html import unescape
from pathlib import Path

import pytest
from measure.serving import Server
from pages import html
from pictures import SHARE, difference, small
from playwright.sync_api import BrowserContext
from studio import LABS, STILL, WRITE, pose, show

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
  scrollTo(0, 0);
}"""


def found(pattern: str, text: str) -> str:
    match = re.search(pattern, text, re.DOTALL)
    assert match, f"nothing is like {pattern}"
    return unescape(match[1]).strip()


def telling(lab: str, count: int) -> int:
    """The step that a card shows: the figure opens on it. Of a run that was frozen with its pictures, the last."""
    shown = LABS[lab]
    whole = not (shown.measures or shown.shows_python)
    return shown.poster - 1 if shown.poster and whole and shown.poster <= count else count - 1


@pytest.mark.parametrize("article", ARTICLES)
def test_an_article_has_a_card_of_its_figure(article: str, studio: BrowserContext, server: Server) -> None:
    lab = found(r'<Lab\s[^>]*?id="([^"]+)"', ARTICLES[article].read_text("utf-8"))
    text = html(f"/{article}/")
    title = found(r"<h1[^>]*>(.*?)</h1>", text)
    series = found(r"Where you are(.*?)</nav>", text).rpartition("</a>")[0].rpartition(">")[2]
    assert found(r'<meta property="og:image" content="([^"]*)"', text).endswith(f"/cards/{article}.png")
    page, count = pose(studio, server, lab, SIZE)
    assert WRITE or page.request.get(f"{server.url}/cards/{article}.png").ok
    page.emulate_media(color_scheme="light")
    show(page, telling(lab, count), count)
    page.evaluate(COMPOSE, [series, title])
    page.evaluate(STILL)
    shot = page.screenshot(animations="disabled", caret="hide")
    page.close()
    path = CARDS / f"{article}.png"
    if WRITE and not (path.is_file() and difference(small(path.read_bytes()), small(shot)) <= SHARE):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(shot)
    assert difference(small(path.read_bytes()), small(shot)) <= SHARE, "the figure looks otherwise now: make shots"

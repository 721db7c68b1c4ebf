"""Every page of the site: opens without a complaint, fits every screen, and leads nowhere that is not there."""

import re
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from measure.serving import Server
from playwright.sync_api import expect
from reader import Open

DIST = Path(__file__).parents[2] / "frontend" / "dist"
# Copies for a disk, and the frame that a reader's code runs in, are tested by themselves.
FILES = [path for path in DIST.rglob("*.html") if not {"copies", "sandbox.html"} & {*path.parts}]
PAGES = sorted("/" + str(path.relative_to(DIST)).removesuffix("index.html") for path in FILES)
WIDTHS = (1280, 390, 360)

FACTS = """() => ({
  title: document.title,
  headings: document.querySelectorAll("h1").length,
  lang: document.documentElement.lang,
  csp: document.querySelector('meta[http-equiv="content-security-policy" i]')?.content ?? "",
  ids: [...document.querySelectorAll("[id]")].map((one) => one.id),
  links: [...document.querySelectorAll("a[href]")].map((one) => one.href),
  unnamed: [...document.querySelectorAll("img:not([alt])")].length,
  colour: getComputedStyle(document.body).backgroundColor,
})"""
WIDTH = "() => document.documentElement.scrollWidth"


@pytest.fixture(scope="module")
def seen() -> dict[str, dict[str, Any]]:
    """What the pages said of themselves, for the check of links between them."""
    return {}


def test_there_are_pages() -> None:
    assert {"/", "/404.html", "/learning/quantization/"} <= {*PAGES}


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_whole(path: str, read: Open, seen: dict[str, dict[str, Any]]) -> None:
    reader = read(path, saving=True, color_scheme="light")
    page = reader.page
    for figure in page.locator("[data-lab]").all()[:1]:
        expect(figure).to_have_attribute("data-live", "")
    facts = seen[path] = page.evaluate(FACTS)
    assert facts["title"]
    assert facts["headings"] == 1
    assert facts["lang"] == ("de" if path.startswith("/de/") else "en")
    assert facts["unnamed"] == 0
    assert len(set(facts["ids"])) == len(facts["ids"]), "an id is used twice"
    assert "default-src 'self'" in facts["csp"]
    assert not re.search(r"'unsafe-(inline|eval)'", re.sub(r"style-src-attr[^;]*", "", facts["csp"]))
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate(WIDTH) <= width, f"the page scrolls sideways at {width} px"
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(FACTS)["colour"] != facts["colour"], "it looks the same at night"


def test_every_link_within_the_site_leads_somewhere(
    read: Open, server: Server, seen: dict[str, dict[str, Any]]
) -> None:
    for path in {*PAGES} - seen.keys():  # those that the test above was not asked for
        seen[path] = read(path, saving=True).page.evaluate(FACTS)
    wrong = []
    targets = {(urljoin(server.url + path, link), path) for path in seen for link in seen[path]["links"]}
    ours = {(link, path) for link, path in targets if link.startswith(server.url)}
    for address in {urldefrag(link).url for link, _ in ours}:
        try:
            with urllib.request.urlopen(address, timeout=20) as answer:
                assert answer.status == 200
        except urllib.error.HTTPError as error:
            error.close()
            wrong.append(f"{address} answers {error.code}, linked from {[p for a, p in ours if a == address]}")
    for link, path in ours:
        target, anchor = urlsplit(link).path, unquote(urldefrag(link).fragment)
        if anchor and target in seen and anchor not in seen[target]["ids"]:
            wrong.append(f"{path} links to {link}, but nothing there has that id")
    assert not wrong, wrong


def test_a_page_that_is_not_there_says_so(read: Open, server: Server) -> None:
    reader = read()
    answer = reader.page.goto(f"{server.url}/learning/nothing-here/")
    assert answer is not None
    assert answer.status == 404
    assert reader.page.locator("h1").count() == 1
    assert reader.page.get_by_role("link", name="Underhood").get_attribute("href") == "/"
    reader.hears("404")


def test_the_theme_button_is_remembered(read: Open) -> None:
    reader = read("/", saving=True, color_scheme="light")
    before = reader.page.evaluate(FACTS)["colour"]
    reader.page.get_by_role("button", name="Dark").click()
    night = reader.page.evaluate(FACTS)["colour"]
    assert night != before
    reader.page.reload()
    assert reader.page.evaluate(FACTS)["colour"] == night

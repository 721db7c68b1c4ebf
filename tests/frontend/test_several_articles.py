"""A site with articles in several series: what comes before and after, the feed, and where a term is used."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import small_site

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent  # node stands beside python
ORIGIN = "https://book.example.org"
ARTICLE = """---
title: {title}
summary: In short.
layer: The bits
sources:
  - key: one2017
    title: "One, On it (2017)"
    href: https://example.org/one
  - key: two2018
    title: "Two, On two (2018)"
    href: https://example.org/two
  - key: read2019
    title: "Three, To read on (2019)"
    href: https://example.org/three
---

It has a <Gloss term="scale">scale</Gloss>, as is known.<Cite key="one2017" /> By all.<Cite key="two2018" />

Once more.<Cite key="one2017" />
"""

GERMAN = ("bits/01-first.de.mdx", "Erster")
NEW = {"bits/01-first.mdx": "First", "learning/01-before.mdx": "Before", "tools/01-last.mdx": "Last"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("several")
    small_site.copy(root)
    for path, title in NEW.items():
        (root / "content" / path).write_text(ARTICLE.format(title=title), "utf-8")
    (root / "content" / GERMAN[0]).write_text(ARTICLE.format(title=GERMAN[1]), "utf-8")
    done = subprocess.run(
        [BIN / "npm", "run", "--silent", "build"],
        cwd=root / "frontend",
        env=os.environ
        | {"PATH": f"{BIN}:{os.environ['PATH']}", "ASTRO_TELEMETRY_DISABLED": "1", "UNDERHOOD_ORIGIN": ORIGIN},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return root / "frontend" / "dist"


def links(page: Path, rel: str) -> list[str]:
    """Addresses of the links of a page with this relation."""
    tags = re.findall(r"<a [^>]*>", page.read_text("utf-8"))
    return [href[1] for tag in tags if f'rel="{rel}"' in tag and (href := re.search(r'href="([^"]*)"', tag))]


def test_before_and_after_lead_through_all_series(site: Path) -> None:
    order = ["bits/first", "learning/before", "learning/quantization", "tools/last"]
    for at, address in enumerate(order):
        page = site / address / "index.html"
        assert links(page, "prev") == ([f"/{order[at - 1]}/"] if at else [])
        assert links(page, "next") == ([f"/{order[at + 1]}/"] if at + 1 < len(order) else [])


def test_the_feed_has_whole_addresses(site: Path) -> None:
    feed = (site / "rss.xml").read_text("utf-8")
    found = re.findall(r"<item><title>(.*?)</title><link>(.*?)</link>", feed)
    assert [title for title, _ in found] == ["First", "Before", "Quantization", "Last"]
    assert all(link.startswith(f"{ORIGIN}/") for _, link in found)
    assert "127.0.0.1" not in feed


def test_a_translation_and_its_original_name_each_other(site: Path) -> None:
    for address, lang in (("bits/first", "en"), ("de/bits/first", "de")):
        page = (site / address / "index.html").read_text("utf-8")
        assert f'<html lang="{lang}"' in page
        assert re.findall(r'<link rel="alternate" hreflang="([^"]*)" href="([^"]*)"', page) == [
            ("en", f"{ORIGIN}/bits/first/"),
            ("de", f"{ORIGIN}/de/bits/first/"),
            ("x-default", f"{ORIGIN}/bits/first/"),
        ]
        assert f'<link rel="canonical" href="{ORIGIN}/{address}/">' in page
    alone = (site / "tools/last/index.html").read_text("utf-8")
    assert 'rel="alternate" hreflang' not in alone
    assert not (site / "de/tools").exists()
    listed = (site / "sitemap-0.xml").read_text("utf-8")
    assert f'<xhtml:link rel="alternate" hreflang="de" href="{ORIGIN}/de/bits/first/"/>' in listed


def test_no_list_has_an_article_twice(site: Path) -> None:
    for page in ("index.html", "bits/index.html", "glossary/index.html", "rss.xml", "learning/before/index.html"):
        assert "/de/bits/" not in (site / page).read_text("utf-8"), page
    home = (site / "index.html").read_text("utf-8")
    assert re.findall(r'data-article="(bits/[^"]*)"', home) == ["bits/first"]


def test_a_translated_page_leads_on_in_its_language_as_far_as_there_is_one(site: Path) -> None:
    german = (site / "de/learning/quantization/index.html").read_text("utf-8")
    nearby = re.search(r'<nav class="neighbours".*?</nav>', german, re.S)
    assert nearby
    assert re.findall(r'href="([^"]*)"(?: hreflang="([^"]*)")?', nearby[0]) == [
        ("/learning/before/", "en"),
        ("/tools/last/", "en"),
    ]
    first = (site / "de/bits/first/index.html").read_text("utf-8")
    listed = re.search(r'<li data-article="bits/first"[^>]*> *<a [^>]*href="([^"]*)"', first)
    assert listed
    assert listed[1] == "/de/bits/first/"
    foreign = [tag for tag in re.findall(r"<a [^>]*>", german) if re.search(r'href="/(?!de/|copies/)', tag)]
    assert foreign
    assert [tag for tag in foreign if "hreflang=" not in tag] == []


def test_the_map_of_the_site_has_every_article_and_no_frame(site: Path) -> None:
    listed = re.findall(r"<loc>(.*?)</loc>", (site / "sitemap-0.xml").read_text("utf-8"))
    assert {f"{ORIGIN}/bits/first/", f"{ORIGIN}/learning/quantization/", f"{ORIGIN}/glossary/"} <= {*listed}
    assert all(address.startswith(f"{ORIGIN}/") for address in listed)
    assert not [address for address in listed if "/embed/" in address]
    assert f"Sitemap: {ORIGIN}/sitemap-index.xml" in (site / "robots.txt").read_text("utf-8")


def test_a_page_says_what_it_is_to_those_who_link_to_it(site: Path) -> None:
    page = (site / "bits/first/index.html").read_text("utf-8")
    for name, content in (
        ("og:title", "First · Underhood"),
        ("og:description", "In short."),
        ("og:type", "article"),
        ("og:url", f"{ORIGIN}/bits/first/"),
        ("og:image", f"{ORIGIN}/cards/bits/first.png"),
    ):
        assert f'<meta property="{name}" content="{content}">' in page
    assert f'<link rel="canonical" href="{ORIGIN}/bits/first/">' in page


def test_the_glossary_lists_every_article_that_uses_a_term(site: Path) -> None:
    entry = re.search(r'<div id="scale".*?</dd>', (site / "glossary/index.html").read_text("utf-8"), re.S)
    assert entry
    assert re.findall(r'href="(/[^"]+)"', entry[0]) == ["/bits/first/", "/learning/before/", "/tools/last/"]


def test_the_home_page_begins_with_the_first(site: Path) -> None:
    start = re.search(r'<a id="start"[^>]*>', (site / "index.html").read_text("utf-8"))
    assert start
    assert 'href="/bits/first/"' in start[0]


def test_a_source_leads_back_to_each_of_its_citations(site: Path) -> None:
    page = (site / "bits/first/index.html").read_text("utf-8")
    back = re.findall(r'<a class="back"[^>]* href="#([^"]*)" aria-label="([^"]*)"[^>]*>\s*(\S*)\s*</a>', page)
    assert back == [
        ("cite-one2017-1", "Back to citation a of source 1", "a"),
        ("cite-one2017-2", "Back to citation b of source 1", "b"),
        ("cite-two2018-1", "Back to citation of source 2", "↩"),
    ]
    assert re.findall(r'<button type="button" id="(cite-[^"]*)"', page) == [
        "cite-one2017-1", "cite-two2018-1", "cite-one2017-2",
    ]  # fmt: skip

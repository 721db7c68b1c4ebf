"""What a page remembers of a reader: the place, and what was read."""

import json
import re

import pytest
from measure.paint import ARTICLE
from playwright.sync_api import expect
from reader import Open, Reader, contents

ID = ARTICLE.strip("/")
KEPT = "() => JSON.parse(localStorage.getItem('underhood.progress') ?? '{}')"
STOPPED = {"last": {"article": ID, "title": "Quantization", "hash": "#sources", "words": "Sources"}, "read": {}}


def finish(reader: Reader) -> None:
    reader.page.locator("[data-end]").scroll_into_view_if_needed()
    expect(reader.page.locator(f"[data-article='{ID}']").first).to_have_attribute("data-read", "")


def test_the_home_page_knows_where_the_reader_stopped(read: Open) -> None:
    reader = read("/")
    page = reader.page
    start = page.locator("#start")
    expect(start).to_contain_text("Start reading")
    reader.go(ARTICLE)
    page.locator("#rounding-a-whole-matrix").evaluate("(heading) => heading.scrollIntoView()")
    expect(contents(page).locator("[aria-current]")).to_have_text("Rounding a whole matrix")
    reader.go("/")
    expect(start).to_contain_text("Continue reading")
    expect(start).to_contain_text("Rounding a whole matrix")
    start.click()
    page.wait_for_url(f"**{ARTICLE}#rounding-a-whole-matrix")


def test_what_is_remembered_moves_nothing_on_the_home_page(read: Open) -> None:
    reader = read("/")
    page = reader.page
    page.evaluate(f"localStorage.setItem('underhood.progress', {json.dumps(json.dumps(STOPPED))})")
    reader.go("/")
    start = page.locator("#start")
    expect(start).to_contain_text("Continue reading")
    # Within one load: the next one may come with other fonts, if those of this one were late.
    below = "document.querySelector('[data-hero]').getBoundingClientRect().top + scrollY"
    before = page.evaluate(below)
    page.get_by_role("button", name="Forget what I have read").click()
    expect(start).to_contain_text("Start reading")
    assert abs(page.evaluate(below) - before) <= 1, "it moved the page"


def test_an_article_is_read_when_its_end_was_seen(read: Open) -> None:
    reader = read(ARTICLE)
    page = reader.page
    assert ID not in page.evaluate(KEPT).get("read", {})
    finish(reader)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", page.evaluate(KEPT)["read"][ID])
    for path in ("/", "/learning/"):
        reader.go(path)
        mark = page.locator(f"[data-article='{ID}']").last
        expect(mark).to_have_attribute("data-read", "")
        expect(mark.get_by_role("link", name="Quantization (read)")).to_be_visible()
    reader.go("/")
    page.get_by_role("button", name="Forget what I have read").click()
    expect(page.locator("[data-read]")).to_have_count(0)
    expect(page.locator("#start")).to_contain_text("Start reading")
    assert page.evaluate(KEPT) == {}


@pytest.mark.parametrize("kept", ["not json", json.dumps({"read": "x"}), json.dumps([1])])
def test_what_storage_holds_cannot_break_a_page(kept: str, read: Open) -> None:
    for path, sign in (("/", "#search:enabled"), (ARTICLE, "[data-contents] [aria-current]")):
        reader = read()
        reader.page.add_init_script(f"localStorage.setItem('underhood.progress', {json.dumps(kept)})")
        reader.go(f"{path}#exercises")
        expect(reader.page.locator(sign).first).to_be_attached()


def test_without_storage_nothing_breaks(read: Open) -> None:
    reader = read()
    reader.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('no'); } })"
    )
    reader.go("/")
    expect(reader.page.locator("#start")).to_contain_text("Start reading")
    reader.go(ARTICLE)
    contents(reader.page).get_by_role("link", name="Sources").click()
    expect(contents(reader.page).locator("[aria-current]")).to_have_text("Sources")

"""What an article gives a reader besides its figures: contents, notes, cards, progress, paper."""

import json
import re

import pytest
from measure.paint import ARTICLE
from playwright.sync_api import Locator, Page, expect
from reader import Open, Reader

ID = ARTICLE.strip("/")
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
KEPT = "() => JSON.parse(localStorage.getItem('underhood.progress') ?? '{}')"
MOVED = """() => {
  window.moved = new Promise((done) => addEventListener("scroll", done, { once: true }));
  return scrollY;
}"""
OVERLAPS = """() => [...document.querySelectorAll("details.aside > div")].flatMap((note) => {
  const a = note.getBoundingClientRect();
  return [...document.querySelectorAll(".lab figure, details.aside > div")].filter((other) => {
    const b = other.getBoundingClientRect();
    return other !== note && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  }).map(() => note.textContent.trim());
})"""


def card(page: Page) -> Locator:
    return page.locator(".card:popover-open")


def contents(page: Page) -> Locator:
    return page.get_by_role("navigation", name="On this page")


# -- contents and headings ---------------------------------------------------------------------------------


def test_the_contents_follow_the_reader(read: Open) -> None:
    page = read(ARTICLE, saving=True).page
    links = contents(page).get_by_role("link")
    assert links.count() >= 8
    assert links.last.inner_text() == "Sources"
    contents(page).get_by_role("link", name="One scale or many").click()
    page.wait_for_url("**#one-scale-or-many")
    current = contents(page).locator("[aria-current=location]")
    expect(current).to_have_text("One scale or many")
    page.locator("#exercises").evaluate("(heading) => heading.scrollIntoView()")
    expect(current).to_have_text("Exercises")


def test_on_a_phone_the_contents_are_a_disclosure(read: Open) -> None:
    page = read(ARTICLE, saving=True, **PHONE).page
    expect(contents(page)).to_be_hidden()
    page.locator("summary", has_text="On this page").tap()
    link = contents(page).get_by_role("link", name="Symmetric or asymmetric")
    box = link.bounding_box()
    assert box
    assert box["height"] >= 40
    link.tap()
    page.wait_for_url("**#symmetric-or-asymmetric")


def test_the_contents_work_without_scripts(read: Open) -> None:
    page = read(ARTICLE, java_script_enabled=False).page
    contents(page).get_by_role("link", name="Sources").click()
    page.wait_for_url("**#sources")


def test_a_heading_is_a_link_that_can_be_copied(read: Open) -> None:
    page = read(ARTICLE, saving=True, permissions=["clipboard-read", "clipboard-write"]).page
    link = page.get_by_role("heading", name="A network on integers").get_by_role("link")
    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**#a-network-on-integers")
    expect(link).to_have_attribute("data-copied", "")
    assert page.evaluate("navigator.clipboard.readText()") == page.url


# -- notes and cards ---------------------------------------------------------------------------------------


def test_a_note_stands_in_the_margin_where_there_is_room(read: Open) -> None:
    page = read(ARTICLE, saving=True).page
    note = page.locator("details.aside").first
    expect(note.locator("div")).to_be_visible()
    expect(note.locator("summary")).to_be_hidden()
    text, margin = page.locator("article > p").first.bounding_box(), note.locator("div").bounding_box()
    assert text
    assert margin
    assert margin["x"] >= text["x"] + text["width"]
    assert page.evaluate(OVERLAPS) == []


@pytest.mark.parametrize("script", [True, False])
def test_a_note_is_a_disclosure_on_a_phone(script: bool, read: Open) -> None:
    page = read(ARTICLE, saving=True, java_script_enabled=script, **PHONE).page
    note = page.locator("details.aside").first
    expect(note.locator("div")).to_be_hidden()
    note.locator("summary").tap()
    expect(note.locator("div")).to_be_visible()


def test_a_footnote_leads_there_and_back(read: Open) -> None:
    page = read(ARTICLE, saving=True).page
    page.locator("[data-footnote-ref]").first.click()
    page.wait_for_url("**#user-content-fn-images")
    page.get_by_role("link", name="Back to reference 1").click()
    page.wait_for_url("**#user-content-fnref-images")


def test_a_card_by_mouse(read: Open) -> None:
    page = read(ARTICLE, saving=True).page
    word = page.locator("button.gloss").first
    word.hover()
    expect(card(page)).to_contain_text("negative ones become zero")
    card(page).hover()
    expect(card(page)).to_be_visible()  # one can go into it
    page.mouse.move(5, 5)
    expect(card(page)).to_have_count(0)
    word.hover()
    expect(card(page)).to_be_visible()
    word.click()  # a click keeps it
    page.mouse.move(5, 5)
    expect(card(page)).to_be_visible()
    card(page).get_by_role("link", name="In the glossary").click()
    page.wait_for_url("**/glossary/#relu")


def test_a_card_by_keyboard(read: Open) -> None:
    page = read(ARTICLE, saving=True).page
    word = page.locator("button.gloss").first
    word.scroll_into_view_if_needed()
    word.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(word).to_be_focused()
    expect(card(page)).to_be_visible()
    page.keyboard.press("Tab")
    expect(card(page).get_by_role("link", name="In the glossary")).to_be_focused()
    page.keyboard.press("Escape")
    expect(card(page)).to_have_count(0)
    expect(word).to_be_focused()
    page.keyboard.press("Enter")
    expect(card(page)).to_be_visible()
    page.keyboard.press("Enter")
    expect(card(page)).to_have_count(0)


@pytest.mark.parametrize("script", [True, False])
def test_a_card_by_touch_fits_the_screen(script: bool, read: Open) -> None:
    page = read(ARTICLE, saving=True, java_script_enabled=script, **PHONE).page
    for word in page.locator("article button:is(.gloss, .cite)").all():
        word.tap()
        box = card(page).bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        page.keyboard.press("Escape")
        expect(card(page)).to_have_count(0)


def test_a_citation_names_its_source_and_leads_to_the_list(read: Open) -> None:
    page = read(ARTICLE, saving=True).page
    number = page.get_by_role("button", name=re.compile("^Source 1: Jacob"))
    number.hover()
    expect(card(page).get_by_role("link", name=re.compile("^Jacob et al"))).to_have_attribute(
        "href", "https://arxiv.org/abs/1712.05877"
    )
    card(page).get_by_role("link", name="All sources").click()
    page.wait_for_url("**#source-jacob2017")
    expect(page.locator(".sources li").first).to_have_attribute("id", "source-jacob2017")


def test_a_source_leads_back_to_its_citation(read: Open) -> None:
    page = read(ARTICLE, saving=True, **PHONE).page
    back = page.get_by_role("link", name="Back to citation of source 1", exact=True)
    box = back.bounding_box()
    assert box and min(box["width"], box["height"]) >= 40, "too small for a finger"
    back.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**#cite-jacob2017-1")
    number = page.get_by_role("button", name=re.compile("^Source 1: Jacob"))
    expect(number).to_be_in_viewport()
    expect(number).to_have_css("background-color", re.compile(r"^(?!rgba\(0, 0, 0, 0\))"))


def test_a_card_is_dark_at_night(read: Open) -> None:
    page = read(ARTICLE, saving=True, color_scheme="dark").page
    page.locator("button.gloss").first.hover()
    colours = card(page).evaluate(
        "(card) => [getComputedStyle(card).backgroundColor, getComputedStyle(card).color]"
    )
    paper, ink = (sum(int(part) for part in re.findall(r"\d+", colour)[:3]) for colour in colours)
    assert paper < 150 < 600 < ink


def test_the_glossary_says_where_a_term_is_used(read: Open) -> None:
    page = read("/glossary/", saving=True).page
    entry = page.locator("#relu")
    expect(entry.get_by_role("link", name="Quantization")).to_have_attribute("href", ARTICLE)
    terms = page.locator("dt").all_inner_texts()
    assert terms == sorted(terms, key=str.lower)


# -- progress ----------------------------------------------------------------------------------------------


def finish(reader: Reader) -> None:
    reader.page.locator("[data-end]").scroll_into_view_if_needed()
    expect(reader.page.locator(f"[data-article='{ID}']").first).to_have_attribute("data-read", "")


def test_the_home_page_knows_where_the_reader_stopped(read: Open) -> None:
    reader = read("/", saving=True)
    page = reader.page
    start = page.locator("#start")
    expect(start).to_contain_text("Start reading")
    height = page.evaluate("document.documentElement.scrollHeight")
    reader.go(ARTICLE)
    page.locator("#rounding-a-whole-matrix").evaluate("(heading) => heading.scrollIntoView()")
    expect(contents(page).locator("[aria-current]")).to_have_text("Rounding a whole matrix")
    reader.go("/")
    expect(start).to_contain_text("Continue reading")
    expect(start).to_contain_text("Rounding a whole matrix")
    assert abs(page.evaluate("document.documentElement.scrollHeight") - height) <= 1, "it moved the page"
    start.click()
    page.wait_for_url(f"**{ARTICLE}#rounding-a-whole-matrix")


def test_an_article_is_read_when_its_end_was_seen(read: Open) -> None:
    reader = read(ARTICLE, saving=True)
    page = reader.page
    assert ID not in page.evaluate(KEPT).get("read", {})
    finish(reader)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", page.evaluate(KEPT)["read"][ID])
    for path in ("/", "/learning/"):
        reader.go(path)
        mark = page.locator(f"[data-article='{ID}']")
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
        reader = read(saving=True)
        reader.page.add_init_script(f"localStorage.setItem('underhood.progress', {json.dumps(kept)})")
        reader.go(f"{path}#exercises")
        expect(reader.page.locator(sign).first).to_be_attached()


def test_without_storage_nothing_breaks(read: Open) -> None:
    reader = read(saving=True)
    reader.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('no'); } })"
    )
    reader.go("/")
    expect(reader.page.locator("#start")).to_contain_text("Start reading")
    reader.go(ARTICLE)
    contents(reader.page).get_by_role("link", name="Sources").click()
    expect(contents(reader.page).locator("[aria-current]")).to_have_text("Sources")


# -- paper, and a phone ------------------------------------------------------------------------------------


def test_paper_has_the_pictures_and_no_controls(read: Open) -> None:
    page = read(ARTICLE, saving=True, color_scheme="dark").page
    page.emulate_media(media="print", color_scheme="dark")
    figure = page.locator("[data-lab] figure").first
    expect(figure.locator(".picture svg").first).to_be_visible()
    expect(figure.locator(".sentence")).to_be_visible()
    for gone in ("[data-lab] :is(button, input, select, summary + *)", "body > header", "body > footer", ".rail"):
        for each in page.locator(gone).all():
            expect(each).to_be_hidden()
    source = page.locator(".sources li a").first
    assert "arxiv.org/abs/1712.05877" in source.evaluate("(link) => getComputedStyle(link, '::after').content")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(253, 252, 249)"
    expect(page.locator("details.aside > div").first).to_be_visible()


def test_a_finger_on_a_figure_scrolls_the_page(read: Open) -> None:
    page = read(ARTICLE, saving=True, **PHONE).page
    picture = page.locator("[data-lab] .picture").first
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    assert box
    before = page.evaluate(MOVED)
    touch = page.context.new_cdp_session(page)
    x, y = box["x"] + 20, box["y"] + 60
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for way in range(20, 201, 20):
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y - way}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.evaluate("() => window.moved")
    assert page.evaluate("scrollY") > before


def test_what_is_too_wide_scrolls_inside_itself(read: Open) -> None:
    page = read(ARTICLE, saving=True, viewport={"width": 360, "height": 800}).page
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    wide = page.locator(".katex-display[tabindex='0'], .scroll[tabindex='0'], .prose > pre[tabindex='0']")
    expect(wide.first).to_be_attached()
    for box in wide.all():
        assert box.evaluate("(box) => getComputedStyle(box).overflowX") == "auto"
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator(".katex-display[tabindex]")).to_have_count(0)

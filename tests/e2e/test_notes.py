"""What explains an article without leaving it: notes in the margin, footnotes, and cards of words and sources."""

import re

import pytest
from measure.paint import ARTICLE
from playwright.sync_api import Locator, Page, expect
from reader import PHONE, Open

OVERLAPS = """() => [...document.querySelectorAll("details.aside > div")].flatMap((note) => {
  const a = note.getBoundingClientRect();
  return [...document.querySelectorAll(".lab figure, details.aside > div")].filter((other) => {
    const b = other.getBoundingClientRect();
    return other !== note && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  }).map(() => note.textContent.trim());
})"""


def card(page: Page) -> Locator:
    return page.locator(".card:popover-open")


def test_a_note_stands_in_the_margin_where_there_is_room(read: Open) -> None:
    page = read(ARTICLE).page
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
    page = read(ARTICLE, java_script_enabled=script, **PHONE).page
    note = page.locator("details.aside").first
    expect(note.locator("div")).to_be_hidden()
    note.locator("summary").tap()
    expect(note.locator("div")).to_be_visible()


def test_a_footnote_leads_there_and_back(read: Open) -> None:
    page = read(ARTICLE).page
    page.locator("[data-footnote-ref]").first.click()
    page.wait_for_url("**#user-content-fn-images")
    page.get_by_role("link", name="Back to reference 1").click()
    page.wait_for_url("**#user-content-fnref-images")


def test_a_card_by_mouse(read: Open) -> None:
    page = read(ARTICLE).page
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
    page = read(ARTICLE).page
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
    page = read(ARTICLE, java_script_enabled=script, **PHONE).page
    for word in page.locator("article button:is(.gloss, .cite)").all():
        word.tap()
        box = card(page).bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        page.keyboard.press("Escape")
        expect(card(page)).to_have_count(0)


def test_a_citation_names_its_source_and_leads_to_the_list(read: Open) -> None:
    page = read(ARTICLE).page
    number = page.get_by_role("button", name=re.compile("^Source 1: Jacob"))
    number.hover()
    expect(card(page).get_by_role("link", name=re.compile("^Jacob et al"))).to_have_attribute(
        "href", "https://arxiv.org/abs/1712.05877"
    )
    card(page).get_by_role("link", name="All sources").click()
    page.wait_for_url("**#source-jacob2017")
    expect(page.locator(".sources li").first).to_have_attribute("id", "source-jacob2017")


def test_a_source_leads_back_to_its_citation(read: Open) -> None:
    page = read(ARTICLE, **PHONE).page
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
    page = read(ARTICLE, color_scheme="dark").page
    page.locator("button.gloss").first.hover()
    colours = card(page).evaluate(
        "(card) => [getComputedStyle(card).backgroundColor, getComputedStyle(card).color]"
    )
    paper, ink = (sum(int(part) for part in re.findall(r"\d+", colour)[:3]) for colour in colours)
    assert paper < 150 < 600 < ink


def test_the_glossary_says_where_a_term_is_used(read: Open) -> None:
    page = read("/glossary/").page
    entry = page.locator("#relu")
    expect(entry.get_by_role("link", name="Quantization")).to_have_attribute("href", ARTICLE)
    terms = page.locator("dt").all_inner_texts()
    assert terms == sorted(terms, key=str.lower)


# Each term with a mark after it, made the last of its line as often as the width of the page allows.
PARTED = """() => {
  const parted = new Set();
  const holders = [...document.querySelectorAll(".holder:has(.gloss)")].filter(({ childNodes }) =>
    [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && /^[.,:;!?)]/.test(node.data)));
  const body = document.querySelector("article");
  for (let width = 240; width < 340; width += 5) {
    body.style.width = `${width}px`;
    for (const holder of holders) {
      const mark = [...holder.childNodes].find((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
      const range = document.createRange();
      range.selectNode(mark);
      if (range.getBoundingClientRect().top > holder.querySelector("button").getBoundingClientRect().bottom)
        parted.add(holder.firstElementChild.textContent);
    }
  }
  return [holders.length, [...parted]];
}"""


def test_no_line_begins_with_the_mark_after_a_term(read: Open) -> None:
    count, parted = read("/speed/threads/", **PHONE).page.evaluate(PARTED)
    assert count > 2
    assert parted == []

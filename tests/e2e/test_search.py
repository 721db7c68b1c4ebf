"""The full-text search: opened by button or key, driven by keyboard and mouse, and nothing of it loaded before."""

import json
import re
from pathlib import Path

import pytest
from measure.paint import ARTICLE
from playwright.sync_api import Locator, Page, expect
from reader import Open, Reader

ROOT = Path(__file__).parents[2]
# Articles that are not written yet, each with the folder and the title of its series; some day there are none.
PLANNED = [
    (title, path.parent.name, series["title"])
    for path in sorted((ROOT / "content").glob("*/series.json"))
    for series in [json.loads(path.read_text("utf-8"))]
    for title in series["planned"]
]


def finder(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Search")


def search(reader: Reader, words: str) -> list[Locator]:
    """Type into the open dialog and wait for what is found, behind what was found before."""
    finder(reader.page).get_by_role("combobox").fill("")
    expect(finder(reader.page).get_by_role("option")).to_have_count(0)
    finder(reader.page).get_by_role("combobox").fill(words)
    expect(finder(reader.page).get_by_role("status")).to_have_text(re.compile(r"\d+ places? on \d+ pages?|planned"))
    return finder(reader.page).get_by_role("option").all()


@pytest.fixture
def searching(read: Open) -> Reader:
    """The home page with its dialog open."""
    reader = read("/")
    reader.page.keyboard.press("/")
    return reader


@pytest.mark.parametrize("key", ["/", "Control+k", "Meta+k"])
def test_a_key_opens_it_and_nothing_was_loaded_before(key: str, read: Open) -> None:
    reader = read("/")
    expect(reader.page.locator("#search")).to_be_enabled()
    assert not any("pagefind" in path or "/search." in path for path in reader.requests)
    reader.page.keyboard.press(key)
    expect(finder(reader.page).get_by_role("combobox")).to_be_focused()
    assert not any("pagefind" in path for path in reader.requests), "the index waits for words"
    reader.page.keyboard.press("Escape")
    expect(finder(reader.page)).to_be_hidden()


def test_a_slash_in_a_field_is_a_slash(read: Open) -> None:
    reader = read("/labs/learning/number_line/")
    field = reader.figure("number_line").field("Value")
    field.focus()
    reader.page.keyboard.press("/")
    expect(finder(reader.page)).to_be_hidden()
    assert "/" in field.input_value()


def test_arrows_and_enter_lead_to_a_section(read: Open) -> None:
    reader = read("/tools/")
    reader.page.keyboard.press("/")
    found = search(reader, "outlier")
    assert len(found) > 1
    box = finder(reader.page).get_by_role("combobox")
    expect(box).to_have_attribute("aria-expanded", "true")
    places = len(found)
    for key, at in (("", 0), ("ArrowDown", 1), ("ArrowUp", 0), ("ArrowUp", places - 1), ("ArrowDown", 0)):
        if key:
            reader.page.keyboard.press(key)
        expect(box).to_have_attribute("aria-activedescendant", f"found-{at}")
        assert [option.get_attribute("aria-selected") for option in found].index("true") == at
    titles = [option.locator("b").inner_text() for option in found]
    at = titles.index("Quantization › One scale or many")
    for _ in range(at):
        reader.page.keyboard.press("ArrowDown")
    reader.page.keyboard.press("Enter")
    reader.page.wait_for_url("**/learning/quantization/#one-scale-or-many")


def test_an_article_stands_before_the_source_of_a_lab(read: Open) -> None:
    reader = read("/")
    reader.page.keyboard.press("/")
    titles = [option.locator("b").inner_text() for option in search(reader, "quantization zero point")]
    assert titles[0].startswith("Quantization")
    assert any(title.startswith("The number line") for title in titles), titles


def test_the_mouse_chooses_and_a_place_on_the_same_page_closes_it(read: Open) -> None:
    reader = read(ARTICLE)
    reader.page.get_by_role("button", name="Search").click()
    found = search(reader, "decibels signal noise")
    target = next(one for one in found if "#" in (one.get_attribute("href") or ""))
    target.hover()
    expect(target).to_have_attribute("aria-selected", "true")
    target.click()
    expect(finder(reader.page)).to_be_hidden()
    assert "#" in reader.page.url


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("zzzq", r"Nothing was found for “zzzq”\."),
        ("ξψω", r"Nothing was found for “ξψω”\."),
        ("quantizing", r"\d+ places on \d+ pages"),
        ("quantisation", r"\d+ places on \d+ pages for “quantization”"),
        ("asan", r"\d+ places on \d+ pages for “sanitizer”"),
        *((title.lower(), r"(\d+ places? on \d+ pages?, )?1 planned article") for title, _, _ in PLANNED[:1]),
    ],
)
def test_words_are_found_in_other_forms_or_not_at_all(words: str, status: str, searching: Reader) -> None:
    box = finder(searching.page).get_by_role("combobox")
    box.fill(words)
    expect(finder(searching.page).get_by_role("status")).to_have_text(re.compile(f"^{status}$"))
    expect(box).to_have_attribute("aria-expanded", str(not status.startswith("Nothing")).lower())


@pytest.mark.parametrize(("title", "folder", "series"), PLANNED[:1])
def test_a_planned_article_is_found_as_planned(title: str, folder: str, series: str, searching: Reader) -> None:
    option = search(searching, title.lower())[-1]
    expect(option.locator("b")).to_have_text(title)
    expect(option).to_contain_text(f"Planned, not written yet: a chapter of {series}")
    option.click()
    searching.page.wait_for_url(f"**/{folder}/#planned")
    expect(searching.page.locator("#planned")).to_be_in_viewport()


def test_the_dialog_can_be_closed(searching: Reader) -> None:
    finder(searching.page).get_by_role("button", name="Close").click()
    expect(finder(searching.page)).to_be_hidden()
    expect(searching.page.locator("body")).to_be_visible()


def test_what_cannot_be_loaded_is_said_and_can_be_tried_again(read: Open) -> None:
    reader = read("/")
    reader.page.route("**/pagefind/pagefind.js", lambda route: route.abort())
    reader.page.keyboard.press("/")
    finder(reader.page).get_by_role("combobox").fill("scale")
    expect(finder(reader.page).get_by_role("status")).to_contain_text("check the connection")
    reader.hears("pagefind|Failed to (fetch|load)")


def test_only_articles_and_labs_are_found(read: Open) -> None:
    reader = read("/")
    reader.page.keyboard.press("/")
    for option in search(reader, "quantization"):
        path = (option.get_attribute("href") or "").partition("#")[0]
        assert re.fullmatch(r"/(labs/\w+|learning)/[\w-]+/", path), path
    finder(reader.page).get_by_role("combobox").fill("mistyped")
    status = finder(reader.page).get_by_role("status")
    expect(status).to_have_text("Nothing was found for “mistyped”.")  # the page for what is not there says it


def test_the_index_is_small() -> None:
    files = [path for path in (ROOT / "frontend" / "dist" / "pagefind").rglob("*") if path.is_file()]
    assert not [path.name for path in files if "ui" in path.name]

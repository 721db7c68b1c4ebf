"""The contents of an article and its headings: where one is, and a way there."""

from measure.paint import ARTICLE
from playwright.sync_api import expect
from reader import PHONE, Open, contents


def test_the_contents_follow_the_reader(read: Open) -> None:
    page = read(ARTICLE).page
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
    page = read(ARTICLE, **PHONE).page
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
    page = read(ARTICLE, permissions=["clipboard-read", "clipboard-write"]).page
    link = page.get_by_role("heading", name="A network on integers").get_by_role("link")
    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**#a-network-on-integers")
    expect(link).to_have_attribute("data-copied", "")
    assert page.evaluate("navigator.clipboard.readText()") == page.url

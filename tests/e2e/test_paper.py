"""An article on paper."""

from measure.paint import ARTICLE
from playwright.sync_api import expect
from reader import Open


def test_paper_has_the_pictures_and_no_controls(read: Open) -> None:
    page = read(ARTICLE, color_scheme="dark").page
    page.emulate_media(media="print", color_scheme="dark")
    figure = page.locator("[data-lab] figure").first
    expect(figure.locator(".picture svg").first).to_be_visible()
    expect(figure.locator(".sentence")).to_be_visible()
    for gone in (
        "[data-lab] :is(button:not(.choices > *), input, select, summary + *)",  # a choice is part of its picture
        "body > header",
        "body > footer",
        ".rail",
    ):
        for each in page.locator(gone).all():
            expect(each).to_be_hidden()
    source = page.locator(".sources li a").first
    assert "arxiv.org/abs/1712.05877" in source.evaluate("(link) => getComputedStyle(link, '::after').content")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(253, 252, 249)"
    expect(page.locator("details.aside > div").first).to_be_visible()

"""What no visit of a page shows: an address that leads nowhere, and a theme that was chosen."""

from checks.night import COLOUR
from measure.serving import Server
from reader import Open


def test_a_page_that_is_not_there_says_so(read: Open, server: Server) -> None:
    reader = read()
    answer = reader.page.goto(f"{server.url}/learning/nothing-here/")
    assert answer is not None
    assert answer.status == 404
    assert reader.page.locator("h1").count() == 1
    assert reader.page.get_by_role("link", name="Underhood").get_attribute("href") == "/"
    reader.hears("404")


def test_the_theme_button_is_remembered(read: Open) -> None:
    reader = read("/", color_scheme="light")
    before = reader.page.evaluate(COLOUR)
    reader.page.get_by_role("button", name="Dark").click()
    night = reader.page.evaluate(COLOUR)
    assert night != before
    reader.page.reload()
    assert reader.page.evaluate(COLOUR) == night

"""An article opens at once: little to fetch, and every figure drawn before any script has run."""

from measure.paint import ARTICLE, WEIGHT_BAR_KB, cold_load
from measure.serving import Server
from playwright.sync_api import Browser, expect
from reader import Open


def test_an_article_is_light(browser: Browser, server: Server) -> None:
    bytes_ = cold_load(browser, server.url + ARTICLE).bytes
    assert sum(bytes_.values()) / 1000 <= WEIGHT_BAR_KB, bytes_


def test_a_page_carries_no_styles_of_figures_that_it_does_not_show(read: Open) -> None:
    """One script can wake any figure, so without care each page would carry the styles of all."""
    scopes = """(root) => [...document.querySelectorAll(root + " [class*=svelte-]")]
      .flatMap((one) => [...one.classList].filter((name) => name.startsWith("svelte-")))"""
    elsewhere = set(read("/embed/bits/hash_table/").page.evaluate(scopes, ".picture"))
    page = read(ARTICLE).page
    foreign = elsewhere - set(page.evaluate(scopes, "body"))
    assert foreign
    css = page.locator("head style").inner_html()
    assert not [scope for scope in foreign if scope in css]


def test_the_styles_of_a_panel_come_with_it(read: Open) -> None:
    reader = read(ARTICLE)
    figure = reader.figure("number_line")
    sheet = reader.page.locator("link[rel=stylesheet]")
    expect(sheet).to_have_count(0)
    figure.host.get_by_role("button", name="Take away").click()
    expect(figure.host.get_by_role("region", name="Take away").get_by_role("heading").first).to_be_visible()
    expect(sheet).to_have_count(1)
    used = """(panel) => [...[...document.styleSheets].find((one) => one.href).cssRules]
      .filter((rule) => rule.selectorText && panel.querySelector(rule.selectorText)).length"""
    assert figure.host.locator(".panels").evaluate(used) > 5


def test_python_waits_until_the_browser_is_idle(read: Open) -> None:
    """It is never in the way of the text: no byte of it is asked for before the page is complete."""
    reader = read(ARTICLE, saving=False)
    with reader.page.expect_request("**/pyodide/**"):
        reader.figure("number_line")
    paths = reader.requests
    python = next(index for index, path in enumerate(paths) if path.startswith("/pyodide/"))
    figures = [index for index, path in enumerate(paths) if "/Figure." in path]
    assert figures
    assert max(figures) < python

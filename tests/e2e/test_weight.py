"""An article opens at once: little to fetch, and every figure drawn before any script has run."""

from measure.paint import ARTICLE, PAINT_BAR_MS, WEIGHT_BAR_KB, cold_load
from measure.serving import Server
from playwright.sync_api import Browser
from reader import Open


def test_an_article_is_light_and_there_at_once(browser: Browser, server: Server) -> None:
    loads = [cold_load(browser, server.url + ARTICLE) for _ in range(3)]
    weight = sum(loads[0].bytes.values()) / 1000
    assert weight <= WEIGHT_BAR_KB, loads[0].bytes
    # Whatever else this machine does only adds to a time, so the shortest of three is the site's own.
    assert min(load.first_paint for load in loads) <= PAINT_BAR_MS
    assert min(load.pictures for load in loads) <= PAINT_BAR_MS


def test_python_waits_until_the_browser_is_idle(read: Open) -> None:
    """It is never in the way of the text: no byte of it is asked for before the page is complete."""
    reader = read(ARTICLE)
    with reader.page.expect_request("**/pyodide/**"):
        reader.figure("number_line")
    paths = reader.requests
    python = next(index for index, path in enumerate(paths) if path.startswith("/pyodide/"))
    figures = [index for index, path in enumerate(paths) if "/Figure." in path]
    assert figures
    assert max(figures) < python

"""One server and one Chromium for all browser tests; whatever a page complains of fails the test that opened it."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext

# What the benchmark measures with, the tests measure with, too.
sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from measure.browser import UNTUNED, chromium
from measure.paint import ARTICLE
from measure.serving import Server, serving
from reader import Figure, Open, Reader, reading
from studio import studio as open_studio

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if not (ROOT / "frontend" / "dist" / "index.html").is_file():
        pytest.fail("the site has not been built yet: make build")
    with serving(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium(UNTUNED) as started:
        yield started


@pytest.fixture
def read(browser: Browser, server: Server) -> Iterator[Open]:
    """``read(path, …)`` opens a page as a reader with an empty cache."""
    with ExitStack() as stack:

        def go(path: str = "", **how: Any) -> Reader:
            reader = stack.enter_context(reading(browser, server.url, **how))
            if path:
                reader.go(path)
            return reader

        yield go


@pytest.fixture(scope="session")
def studio(browser: Browser) -> Iterator[BrowserContext]:
    """Where figures have their pictures taken."""
    with open_studio(browser) as opened:
        yield opened


@pytest.fixture(scope="session")
def article(browser: Browser, server: Server) -> Iterator[Reader]:
    """The article with all its labs, open for the whole session: Python, which takes seconds, starts in it once."""
    with reading(browser, server.url, saving=False, permissions=["clipboard-read", "clipboard-write"]) as reader:
        reader.go(ARTICLE)
        yield reader


@pytest.fixture
def live(article: Reader) -> Iterator[Reader]:
    """The article, with every figure as it was recorded."""
    for host in article.page.locator("[data-lab]").all():
        figure = article.figure(host.get_attribute("id") or "")
        if figure.button("Reset").is_enabled():
            figure.button("Reset").click()
    article.page.wait_for_url(lambda url: "?" not in url)  # the address follows a moment later
    yield article
    assert not article.complained()


@pytest.fixture
def matrix(live: Reader) -> Figure:
    """The figure of uniform_quantization, showing its recording."""
    return live.figure("uniform_quantization")


@pytest.fixture
def line(live: Reader) -> Figure:
    """The figure of number_line, showing its recording."""
    return live.figure("number_line")

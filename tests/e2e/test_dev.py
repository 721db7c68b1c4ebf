"""`make dev`, in a copy of the tree: what an author breaks is named with file and line, in the terminal and over
the page, and the page comes back when it is fixed, with nothing restarted."""

import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from extent import chosen
from measure.dev import ARTICLE, FIGURE, LAB, PAGE, copy, developing
from playwright.sync_api import Browser, Locator, Page, TimeoutError

SECONDS = 60  # of patience: other tests may run beside these
# Every change of a lab is tried with all labs there are: those of one series say as much as a hundred, and sooner.
KEPT = ("learning", "models")


@dataclass
class Desk:
    """The copy that an author works on, what `make dev` says of it, and the page beside it."""

    root: Path
    page: Page
    since: int = 0

    @property
    def overlay(self) -> Locator:
        return self.page.locator("vite-error-overlay")

    def said(self) -> str:
        return re.sub(r"\x1b\[[0-9;]*m", "", (self.root / "dev.log").read_text("utf-8"))

    @contextmanager
    def breaking(self, path: str, words: str, broken: str) -> Iterator[int]:
        """Save a file with something else in it, and as it was at the end; the line that was changed."""
        file = self.root / path
        text = file.read_text("utf-8")
        assert words in text, f"{path} no longer says {words}"
        self.since = len(self.said())
        file.write_text(text.replace(words, broken, 1), "utf-8")
        try:
            yield text[: text.index(words)].count("\n") + 1
        finally:
            file.write_text(text, "utf-8")

    def shows(self, *words: str) -> None:
        """Wait until the page says so. Astro tells it once, a moment after its answer: a page that is too busy to
        listen by then has to ask again, as its author would."""
        for patience in (SECONDS / 4, SECONDS / 4, SECONDS):
            try:
                for each in words:
                    self.overlay.get_by_text(re.compile(each)).first.wait_for(timeout=patience * 1000)
                return
            except TimeoutError:
                if patience == SECONDS:
                    raise
                self.page.reload(wait_until="commit")

    def hears(self, words: str) -> None:
        """Wait until the terminal has said so since the last change."""
        self.until(lambda: re.search(words, self.said()[self.since :]) is not None, words)

    def until(self, so: Callable[[], bool], words: str = "it") -> None:
        give_up = time.monotonic() + SECONDS
        while not so():
            assert time.monotonic() < give_up, f"{words} did not come about:\n{self.said()[self.since :]}"
            self.page.wait_for_timeout(50)


@pytest.fixture(scope="module")
def desk(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    root = tmp_path_factory.mktemp("desk")
    copy(root)
    for series in (*(root / "wasm/labs").glob("*/"), *(root / "backend/native").glob("*/")):
        if series.name not in KEPT:
            shutil.rmtree(series)
    with developing(root) as (site, _):
        page = browser.new_page()
        page.set_default_timeout(SECONDS * 1000)
        page.goto(site + PAGE)
        page.locator("#number_line").scroll_into_view_if_needed()  # it wakes where it is seen
        page.locator("#number_line[data-live]").wait_for()
        yield Desk(root, page)
        page.close()


# what is broken -> file, words in it, what stands there instead, what terminal and page say of it
NETWORK = "A small network reads"
BROKEN: dict[str, tuple[str, str, str, str]] = {
    "MDX": (ARTICLE, NETWORK, "A <b>small network reads", r"Expected a closing tag for .?<b>"),
    "a lab that is not there": (
        ARTICLE,
        '<Lab id="learning/number_line"',
        '<Lab id="learning/nope"',
        r"no lab is called learning/nope; there are .*learning/number_line",
    ),
    "a source that is not there": (ARTICLE, NETWORK, f'<Cite key="no" /> {NETWORK}', r"the key no; there are "),
    "a number that was not recorded": (
        ARTICLE,
        NETWORK,
        f'<Value of="learning/number_line" at="step.nope" /> {NETWORK}',
        r"learning/number_line has no nope there; it has .*scale",
    ),
    "Svelte": (FIGURE, "<script", "{#if}\n<script", r"Expected whitespace"),
    "Python": (LAB, "def run(", "def run((", r"SyntaxError: "),
    "a lab that cannot be imported": (
        LAB,
        "def run(",
        "ONE = 1 / 0\n\n\ndef run(",
        r"ZeroDivisionError: division by zero",
    ),
    "a signature": (LAB, "run(params: Params)", "run(params: Parms)", r"run cannot be read: name 'Parms'"),
    "an annotation": (LAB, "value: ", "value: LabError | ", r"Params cannot be described: .*LabError"),
}


# One of each who finds it: the compilers, our checks of articles, Python, and the contract.
TYPICAL = ("MDX", "a lab that is not there", "Svelte", "Python", "a signature")


@pytest.mark.parametrize("what", chosen(BROKEN, TYPICAL))
def test_a_mistake_is_named_and_the_page_comes_back(what: str, desk: Desk) -> None:
    path, words, broken, message = BROKEN[what]
    with desk.breaking(path, words, broken) as line:
        desk.hears(rf"{path}:{line}\b[^\n]*{message}")
        desk.shows(message, rf"{Path(path).name}:{line}\b")
    desk.overlay.wait_for(state="detached")
    desk.page.locator("#number_line[data-live]").wait_for()
    desk.page.get_by_text(NETWORK).wait_for()


def test_what_breaks_while_a_figure_is_drawn_is_named_in_the_terminal(desk: Desk) -> None:
    with desk.breaking(FIGURE, "</script>", "  let gone = $derived(event.no.more);\n</script>\n{gone}"):
        desk.hears(r"TypeError: [^\n]*'more'(?s:.){,600}number_line\.svelte:\d+")
    desk.page.locator("#number_line .picture [role=alert]").wait_for(state="detached")


def test_a_lab_that_stops_in_the_browser_is_named_there_and_in_the_terminal(desk: Desk) -> None:
    figure = desk.page.locator("#number_line")
    path, words = LAB, "    rounded = round_to_code("
    with desk.breaking(path, words, f"    1 / 0\n{words}") as line:
        place = f"{path}:{line}: ZeroDivisionError: division by zero"
        figure.get_by_role("alert").get_by_text(place).wait_for()
        desk.hears(re.escape(place))
    figure.get_by_role("alert").wait_for(state="detached")


def test_a_lab_that_computes_something_else_runs_again_where_it_stands(desk: Desk) -> None:
    figure = desk.page.locator("#number_line")
    desk.page.evaluate("window.same = true")
    with desk.breaking(LAB, "Read back, ", "Read back and marked, "):
        figure.get_by_text("Read back and marked, ").first.wait_for()
    figure.get_by_text("Read back, ").first.wait_for()
    assert desk.page.evaluate("window.same"), "the page was loaded anew"


def test_a_lab_with_another_contract_is_so_on_every_page(desk: Desk, browser: Browser) -> None:
    own = browser.new_page()
    own.set_default_timeout(SECONDS * 1000)
    own.goto(desk.page.url.partition(PAGE)[0] + "/labs/learning/number_line/")
    heading = own.get_by_role("heading", level=1)
    with desk.breaking(LAB, "The number line:", "The marked line:"):
        heading.get_by_text("The marked line").wait_for()
        desk.page.locator("#number_line").get_by_text("The marked line", exact=True).first.wait_for()
    heading.get_by_text("The number line").wait_for()
    own.close()


def test_the_last_of_two_saves_holds(desk: Desk) -> None:
    generated = desk.root / "frontend" / "src" / "generated" / "learning" / "number_line" / "lab.json"
    with desk.breaking(LAB, "The number line:", "The first line:"):
        desk.page.wait_for_timeout(100)
        with desk.breaking(LAB, "The first line:", "The other line:"):
            desk.until(lambda: "The other line" in generated.read_text("utf-8"))
    desk.until(lambda: "The number line" in generated.read_text("utf-8"))


def test_the_notebook_of_a_lab_follows(desk: Desk) -> None:
    notebook = desk.root / "frontend" / "public" / "labs" / "learning" / "number_line.ipynb"
    with desk.breaking(LAB, "Read back, ", "Read back and kept, "):
        desk.until(lambda: "Read back and kept, " in notebook.read_text("utf-8"))
    desk.until(lambda: "Read back and kept, " not in notebook.read_text("utf-8"))


def test_its_pages_are_isolated_like_the_servers(desk: Desk) -> None:
    """Else threads would run for readers, and not for who writes them."""
    assert desk.page.evaluate("crossOriginIsolated")

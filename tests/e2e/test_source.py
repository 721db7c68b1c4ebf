"""A reader changes a lab: the figure draws their version, errors stand at their line, what runs can be stopped."""

import base64
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from labs.discover import find
from playwright.sync_api import Browser, Locator, expect
from reader import PYTHON_MS, Figure, Open, Reader, reading

LAB = find(("labs",))["learning/number_line"]
SOURCE = (Path(__file__).parents[2] / "wasm" / "labs" / "learning" / "number_line.py").read_text("utf-8")
PAGE = "/labs/learning/number_line/"
TELLS = "it is stored as it is."
BEGINS = "    low, high = widen(as_block(params.low), as_block(params.high), scheme)\n"


def link(code: str, version: str = LAB.version) -> str:
    """What a shared link carries, made by other means than the page's own."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = base64.urlsafe_b64encode(deflate.compress(code.encode()) + deflate.flush()).decode().rstrip("=")
    return f"number_line/source={version}.{packed}"


def begin_with(*lines: str) -> tuple[str, int]:
    """The lab with these lines at the start of `run`, and the number of the first of them."""
    code = SOURCE.replace(BEGINS, "".join(f"    {line}\n" for line in lines) + BEGINS)
    assert code != SOURCE
    return code, SOURCE[: SOURCE.index(BEGINS)].count("\n") + 1


class Workshop:
    """The figure of number_line with its source open. Only the sandbox's Python is started."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.figure: Figure = reader.figure("number_line")
        self.panel: Locator = self.figure.host.get_by_role("region")

    @property
    def notices(self) -> Locator:
        return self.panel.get_by_role("alert")

    @property
    def status(self) -> Locator:
        return self.panel.locator(".buttons [role=status]")

    def bring(self, code: str, version: str = LAB.version) -> None:
        """Open a link to this code in the page that is open."""
        self.reader.page.evaluate("(hash) => void (location.hash = hash)", link(code, version))
        expect(self.notices.first).to_contain_text("has not been run")

    def run(self) -> None:
        before = self.figure.serial
        self.figure.button("Run this code").click()
        self.figure.settled(before)

    def fails(self) -> str:
        """Run code that ends in an error, and what is said of it."""
        self.figure.button("Run this code").click()
        fault = self.notices.filter(has_text=re.compile("Error|Exit|must|yield|Params"))
        fault.wait_for(timeout=PYTHON_MS)
        return fault.inner_text()

    @property
    def marked(self) -> int:
        """The line that is marked as faulty, by the number that stands beside it."""
        number: int = self.panel.locator(".cm-fault").evaluate(
            """(line) => {
              const top = line.getBoundingClientRect().top;
              const numbers = [...line.getRootNode().querySelectorAll(".cm-lineNumbers .cm-gutterElement")];
              const near = numbers.filter((one) => Math.abs(one.getBoundingClientRect().top - top) < 3);
              return Number(near[0].textContent);
            }"""
        )
        return number


@pytest.fixture(scope="module")
def shared(browser: Browser, server: object) -> Iterator[Reader]:
    permissions = ["clipboard-read", "clipboard-write"]
    with reading(browser, server.url, permissions=permissions) as reader:  # type: ignore[attr-defined]
        reader.go(f"{PAGE}#number_line/source")
        yield reader


@pytest.fixture
def shop(shared: Reader) -> Iterator[Workshop]:
    yield Workshop(shared)
    assert not shared.complained()


def test_an_edit_changes_the_figure_and_sliders_go_on_with_it(shop: Workshop) -> None:
    figure, page = shop.figure, shop.reader.page
    recorded = figure.sentence
    editor = shop.panel.get_by_role("textbox", name="Python source of The number line")
    editor.click()
    page.keyboard.press("Control+Home")
    page.keyboard.type("# read\n")
    expect(shop.panel.get_by_role("status").first).to_have_text("1 line differs from the lab’s own")
    shop.bring(SOURCE.replace("levels=grid.levels()", "levels=0.5 * grid.levels()"))
    assert figure.sentence == recorded, "nothing runs by itself"
    figure.at(6)
    before = figure.shapes
    shop.run()
    expect(figure.badge).to_have_text("Edited code, in your browser")
    assert figure.shapes != before
    sentence = figure.sentence
    figure.set("Bits", 3)
    assert figure.sentence != sentence
    expect(figure.badge).to_have_text("Edited code, in your browser")
    figure.reset()
    assert figure.sentence == recorded
    assert figure.badge.inner_text().startswith("Recorded on")


def test_an_edit_may_import_a_model_that_the_lab_does_not(shop: Workshop) -> None:
    code = SOURCE.replace("from labs.contract", "from labs.models.warps import LANES\nfrom labs.contract", 1)
    shop.bring(code.replace('"Read back, ', '"Read back on " f"{LANES}" " lanes, '))
    shop.run()
    assert "Read back on 32 lanes, " in shop.figure.sentence
    shop.figure.reset()


@pytest.mark.parametrize(
    ("lines", "wrong", "words"),
    [
        (["x = 1", "1 / 0"], 1, "ZeroDivisionError: division by zero"),
        (["x = np.zeros(3)", "x + np.zeros(4)"], 1, "ValueError: operands could not be broadcast"),
        (
            ["__import__('json').loads('{')"],
            0,
            "JSONDecodeError: Expecting property name",
        ),  # raised inside a library
        (["x = 1", "x = = 2"], 1, "SyntaxError: invalid syntax"),
        (["x = 1", "  y = 2"], 1, "IndentationError: unexpected indent"),
        (["raise SystemExit"], 0, "SystemExit"),
        (["import requests"], 0, "ModuleNotFoundError"),
    ],
)
def test_an_error_stands_at_its_line(shop: Workshop, lines: list[str], wrong: int, words: str) -> None:
    code, first = begin_with(*lines)
    shop.bring(code)
    said = shop.fails()
    assert f"Line {first + wrong}" in said
    assert words in said
    assert shop.marked == first + wrong
    expect(shop.figure.host.locator("p.error")).to_contain_text(f"The edited code stopped (line {first + wrong}).")
    shop.panel.get_by_role("button", name=f"Line {first + wrong}").click()
    expect(shop.panel.get_by_role("textbox")).to_be_focused()
    shop.figure.reset()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("class Params:", "class Settings:", "The code must define the dataclass Params"),
        ("    scheme: Annotated", "    plan: Annotated", "Params has no scheme, which the figure's controls set."),
        ("def run(", "def run(params):\n    return 3\n\n\ndef unused(", "run must yield events"),
        ("    yield replace(step, ", "    yield 3, replace(step, ", "run yielded a tuple"),
    ],
)
def test_what_is_no_lab_is_said_so(shop: Workshop, old: str, new: str, words: str) -> None:
    shop.bring(SOURCE.replace(old, new))
    assert words in shop.fails()
    shop.figure.reset()


def test_a_loop_without_end_is_stopped_and_the_next_run_works(shop: Workshop) -> None:
    code, _ = begin_with("while True: print('again')")
    shop.bring(code)
    shop.figure.button("Run this code").click()
    log = shop.panel.get_by_role("log")
    log.wait_for(timeout=PYTHON_MS)
    expect(log).to_contain_text("what was printed after this is left out")
    assert len(log.inner_text()) < 21_000
    expect(shop.figure.host).to_have_attribute("data-status", "running")
    shop.panel.get_by_role("button", name="Stop").click()
    expect(shop.figure.host).to_have_attribute("data-status", "idle")
    shop.bring(SOURCE.replace(TELLS, "it fits."))
    shop.run()
    shop.figure.reset()


def test_an_event_of_another_shape_does_not_take_the_page_along(shop: Workshop) -> None:
    figure = shop.figure
    shop.bring(
        SOURCE.replace("levels: Float32", "levels: None").replace("levels=grid.levels()", "levels=None and grid")
    )
    shop.run()
    figure.button("Restart").click()
    for _ in range(5):
        figure.button("Forward").click()
    figure.at(6)
    expect(figure.host.locator(".picture").get_by_role("alert")).to_contain_text("The figure cannot draw this step")
    figure.reset()
    expect(figure.host.locator(".picture").get_by_role("alert")).to_have_count(0)
    assert figure.shapes


def test_a_shared_link_is_read_first_and_draws_the_same(shop: Workshop, read: Open) -> None:
    figure = shop.figure
    shop.bring(SOURCE.replace("restored=restored", "restored=0.5 + restored"))
    shop.run()
    figure.set("Bits", 2)
    figure.choose("Scheme", "symmetric")  # one setting away was recorded, two were not
    figure.button("Copy link to this code").click()
    figure.button("Link copied").wait_for()
    address = shop.reader.page.evaluate("navigator.clipboard.readText()")
    assert "number_line.bits=2" in address
    other = read(address, saving=False)
    theirs = Workshop(other)
    expect(theirs.notices.first).to_contain_text(
        "1 line differs from the lab’s own, marked at the left. It has not been run"
    )
    expect(theirs.panel.locator(".cm-changed")).to_have_count(1)
    theirs.figure.settled(0)
    expect(theirs.figure.badge).to_have_text("In your browser", timeout=PYTHON_MS)
    assert theirs.figure.sentence != figure.sentence
    assert "/sandbox.html" not in other.requests
    theirs.run()
    assert theirs.figure.shapes == figure.shapes
    assert theirs.figure.sentence == figure.sentence
    figure.reset()


def test_links_that_cannot_be_taken_as_they_are(shop: Workshop) -> None:
    shop.bring(SOURCE.replace(TELLS, "it fits."), version="0123456789ab")
    expect(shop.notices.first).to_contain_text("It was changed from version 0123456789ab")
    shop.panel.get_by_role("button", name="Reset to the original").click()
    expect(shop.notices).to_have_count(0)
    for damaged in ("", "abc.", link(SOURCE)[:-40].partition("=")[2], link("x" * 300_000).partition("=")[2]):
        shop.reader.page.evaluate("(hash) => void (location.hash = hash)", f"number_line/source={damaged or 'x'}")
        expect(shop.notices).to_contain_text("cut short or damaged")
        shop.reader.page.evaluate("() => void (location.hash = '')")


def test_the_keyboard_runs_and_leaves_the_editor(shop: Workshop) -> None:
    shop.bring(SOURCE.replace(TELLS, "it fits."))
    page, editor = shop.reader.page, shop.panel.get_by_role("textbox")
    editor.focus()
    before = shop.figure.serial
    page.keyboard.press("Control+Enter")
    shop.figure.settled(before)
    expect(editor).to_be_focused()
    page.keyboard.press("Tab")
    expect(editor).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(editor).not_to_be_focused()
    shop.figure.reset()


def test_what_was_written_survives_closing_and_reloading(read: Open) -> None:
    reader = read(f"{PAGE}#number_line/source")
    shop = Workshop(reader)
    editor = shop.panel.get_by_role("textbox")
    editor.click()
    reader.page.keyboard.press("Control+Home")
    reader.page.keyboard.type("# mine\n")
    for again in (False, True):
        if again:
            reader.page.reload()
            shop = Workshop(reader)
        else:
            shop.figure.button("Source").click()
            shop.figure.button("Source").click()
        expect(shop.panel.locator(".cm-line").first).to_have_text("# mine")


def test_a_lab_of_the_server_is_read_only(read: Open) -> None:
    reader = read("/labs/learning/post_training_quantization/#post_training_quantization/source")
    panel = reader.figure().host.get_by_role("region")
    expect(panel).to_contain_text("the server runs no code that a reader wrote")
    expect(panel.get_by_role("textbox")).to_have_attribute("aria-readonly", "true")
    expect(panel.get_by_role("button", name="Run this code")).to_have_count(0)

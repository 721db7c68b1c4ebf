"""A function that a reader writes is checked in the sandbox: cases that fail are shown, errors at their line."""

import re
from collections.abc import Iterator

import pytest
from measure.serving import Server
from playwright.sync_api import Browser, Locator, expect
from reader import PYTHON_MS, Open, Reader, reading

ARTICLE = "/learning/quantization/"
RIGHT = "import numpy as np\ndef restore(q, s, z):\n    return s * (q.astype(np.int32) - z)\n"
WRONG = "def restore(q, s, z):\n    print('codes', q.shape)\n    return s * (q.astype('int32') + z)\n"


class Task:
    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.page = reader.page
        self.exercise = reader.page.locator("#find-the-mistake")
        self.host = self.exercise.locator(".code-task")

    def open(self) -> None:
        self.page.locator("[data-progress] [data-all]:enabled").wait_for()
        self.host.get_by_role("button", name=re.compile("Write it here|Open your code")).click()
        self.editor.wait_for()

    @property
    def editor(self) -> Locator:
        return self.host.get_by_role("textbox", name="Your code for restore")

    def check(self, code: str, words: str) -> None:
        self.editor.fill(code)
        self.host.get_by_role("button", name="Check").click()
        expect(self.host.locator(".verdict")).to_have_text(re.compile(words), timeout=PYTHON_MS)


@pytest.fixture(scope="module")
def shared(browser: Browser, server: Server) -> Iterator[Task]:
    """Open for all tests: what one leaves behind runs in the next, and Python need not start anew."""
    with reading(browser, server.url) as reader:
        reader.go(ARTICLE)
        opened = Task(reader)
        opened.open()
        yield opened


@pytest.fixture
def task(shared: Task) -> Iterator[Task]:
    yield shared
    assert not shared.reader.complained()


def test_wrong_then_right_and_kept(task: Task) -> None:
    task.check(WRONG, r"^\d of 7 cases fail")
    first = task.host.locator("li details[open]")
    expect(first.locator("summary")).to_contain_text("That adds the zero point; z is the code of 0.0")
    expect(first.locator("dl")).to_contain_text("restore([-128")
    expect(first.locator("dl")).to_contain_text("codes (4,)")
    expect(task.host.locator("li").first).to_contain_text("Case 1 passes")
    task.check("def restore(q, s, z):\n    return s * (q - zz)\n", "7 of 7 cases fail")
    task.host.get_by_role("button", name="Line 2").first.click()
    expect(task.editor).to_be_focused()
    expect(task.host.locator("li").first).to_contain_text("NameError")
    task.check("def restore(q, s, z)\n    return q\n", "could not be tried")
    expect(task.host.get_by_role("alert")).to_contain_text("expected ':'")
    task.check(RIGHT, "^Solved: all 7 cases pass")
    expect(task.exercise.locator("[data-state]")).to_have_text("✓ solved")
    task.page.reload()
    task.open()
    expect(task.editor).to_contain_text("q.astype(np.int32) - z")
    expect(task.exercise.locator("[data-state]")).to_have_text("✓ solved")


def test_a_loop_without_end_can_be_stopped_and_by_keyboard(task: Task) -> None:
    task.editor.fill("def restore(q, s, z):\n    while True: pass\n")
    task.page.keyboard.press("Control+Enter")
    verdict = task.host.locator(".verdict")
    expect(verdict).to_have_text("Checking… 0 cases so far.", timeout=PYTHON_MS)
    task.host.get_by_role("button", name="Stop").focus()
    task.page.keyboard.press("Enter")
    expect(verdict).to_have_text("Stopped.")
    task.check(RIGHT, "^Solved")


def test_a_loop_without_end_is_stopped(task: Task) -> None:
    task.check("def restore(q, s, z):\n    while True: pass\n", "^Stopped at case 1")
    expect(task.host.get_by_role("alert")).to_contain_text("took more than 10 seconds")


def test_the_cases_are_not_in_the_page(read: Open) -> None:
    reader = read(ARTICLE)
    assert "def cases" not in reader.page.content()
    assert not [path for path in reader.requests if path.startswith("/tasks/") or "Workbench" in path]

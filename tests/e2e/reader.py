"""A reader: one browser context with one page, that writes down whatever a reader should never meet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import parse_qs, quote, urlsplit

from measure.paint import SAVE_DATA
from playwright.sync_api import Browser, ConsoleMessage, ElementHandle, Locator, Page, Request, Response, expect

PYTHON_MS = 60_000  # Python has to start in the browser, on a busy machine
SOON_MS = 15_000
expect.set_options(timeout=SOON_MS)  # five seconds are little on a busy machine
MOVING = {"reduced_motion": "no-preference"}  # what a reader usually has
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

# What leaves is no longer of the picture.
SHAPES = """(figure) => [...figure.querySelectorAll(".picture svg :is(path, rect, line, circle)")]
  .filter((shape) => !shape.closest("[data-leaving]"))
  .map(({ tagName, attributes }) =>
    [tagName, ...[...attributes].map((one) => `${one.name}=${one.value}`).sort()].join(" "))"""

# Whoever reads at a desk may unfold all settings, and tests do; on a phone they would lie over the figure.
UNFOLD = """(host) => {
  if (innerWidth > 680) host.querySelector(".unfold[aria-expanded=false]")?.click();
}"""

WAKE = """async (patience) => {
  const awake = (host) => new Promise((done) => {
    const look = () => "live" in host.dataset && (watch.disconnect(), clearTimeout(late), done(true));
    const watch = new MutationObserver(look);
    watch.observe(host, { attributes: true });
    const late = setTimeout(() => (watch.disconnect(), done(false)), patience);
    host.scrollIntoView({ block: "nearest" });
    look();
  });
  const asleep = [];
  for (const host of document.querySelectorAll("[data-lab]")) if (!(await awake(host))) asleep.push(host.id);
  return asleep;
}"""

# Playwright looks again after a second; a figure that is watched tells at once.
UNTIL = """(figure, [what, first, second, patience]) => new Promise((done, fail) => {
  const step = () => figure.querySelector(".timeline output").textContent;
  const tests = {
    settled: () => figure.dataset.status === "idle" && Number(figure.dataset.serial) > first,
    at: () => step().startsWith(`step ${first} of `) && step().endsWith(second),
  };
  const watch = new MutationObserver(() => tests[what]() && stop(done));
  const words = () => `not ${what} ${first}${second}, but ${figure.dataset.status} at ${step()}`;
  const late = setTimeout(() => stop(() => fail(new Error(words()))), patience);
  const stop = (then) => (watch.disconnect(), clearTimeout(late), then());
  watch.observe(figure, { attributes: true, childList: true, characterData: true, subtree: true });
  if (tests[what]()) stop(done);
})"""

# Press a button as soon as a step like that comes up: a run, or a film, waits for no test.
PRESS_AT = """(figure, [step, name, first, patience]) => new Promise((done, fail) => {
  const press = (name) => [...figure.querySelectorAll("button")]
    .find((one) => (one.ariaLabel ?? one.textContent).trim() === name).click();
  const output = figure.querySelector(".timeline output");
  const late = setTimeout(() => (watch.disconnect(), fail(new Error(`${output.textContent}`))), patience);
  const watch = new MutationObserver(() => {
    if (parseInt(output.textContent.slice(5)) < step) return;
    clearTimeout(late);
    watch.disconnect();
    press(name);
    done();
  });
  watch.observe(output, { childList: true, characterData: true, subtree: true });
  if (first) press(first);
})"""


@dataclass
class Reader:
    page: Page
    url: str
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    """Paths of all requests, in order."""
    workers: int = 0
    """How many workers the page has started so far."""

    def go(self, path: str) -> None:
        answer = self.page.goto(path if path.startswith("http") else self.url + path)
        assert answer is not None
        assert answer.status in (200, 304), f"{path} answered {answer.status}"

    def figure(self, key: str = "") -> Figure:
        """The figure with this key; the first of the page if left out."""
        host = self.page.locator(f"[data-lab]#{key}" if key else "[data-lab]").first
        host.scroll_into_view_if_needed()
        expect(host).to_have_attribute("data-live", "")
        host.evaluate(UNFOLD)
        return Figure(host.locator("figure"), host.get_attribute("id") or "")

    def wake(self) -> None:
        """Scroll to every figure of the page, until each can be used."""
        asleep = self.page.evaluate(WAKE, SOON_MS)
        assert asleep == [], f"not awake: {asleep}"

    def address(self, key: str, **expected: str) -> dict[str, str]:
        """What the address bar says of a figure, once it says what is expected."""
        for name, value in expected.items():
            pattern = re.escape(quote(f"{key}.{name}={value}", safe="=.")) + r"(&|#|$)"
            expect(self.page).to_have_url(re.compile(pattern))
        query = parse_qs(urlsplit(self.page.url).query)
        return {name[len(key) + 1 :]: values[0] for name, values in query.items() if name.startswith(f"{key}.")}

    def complained(self) -> list[str]:
        """What was written down since this was last asked."""
        found, self.complaints = self.complaints, []
        return found

    def hears(self, pattern: str) -> None:
        """Take back the complaints that a test brought about on purpose."""
        self.complaints = [each for each in self.complaints if not re.search(pattern, each)]


@dataclass
class Figure:
    host: Locator
    key: str

    @cached_property
    def element(self) -> ElementHandle:
        """The figure itself, for what is asked often: a locator looks for it anew each time. A reload ends it."""
        return self.host.element_handle()

    @property
    def sentence(self) -> str:
        return self.host.locator("p.sentence").inner_text()

    @property
    def badge(self) -> Locator:
        return self.host.locator("details.badge summary")

    @property
    def serial(self) -> int:
        return int(self.host.get_attribute("data-serial") or 0)

    @property
    def shapes(self) -> list[str]:
        """Every shape of the picture with its attributes: equal shapes are an equal picture."""
        found: list[str] = self.element.evaluate(SHAPES)
        return found

    @property
    def steps(self) -> tuple[int, int]:
        words = self.host.locator(".timeline output").inner_text()
        match = re.fullmatch(r"step (\d+) of (\d+)", words)
        assert match, words
        return int(match[1]), int(match[2])

    def at(self, step: int, of: int | None = None) -> None:
        """Wait until this step is shown."""
        self.element.evaluate(UNTIL, ["at", step, f" {of}" if of else "", SOON_MS])

    def press_at(self, step: int, name: str, first: str = "") -> None:
        """Press a button when a picture comes that is no earlier than this step; before, the one named first."""
        self.element.evaluate(PRESS_AT, [step, name, first, PYTHON_MS])

    def slider(self, name: str) -> Locator:
        return self.host.get_by_role("slider", name=f"{name}, slider")

    def field(self, name: str) -> Locator:
        return self.host.get_by_role("textbox", name=name)

    def button(self, name: str) -> Locator:
        return self.host.get_by_role("button", name=name, exact=True)

    @property
    def scrubber(self) -> Locator:
        return self.host.get_by_role("slider", name="Step", exact=True)

    def settled(self, after: int = -1) -> None:
        """Wait until nothing is running and a picture newer than ``after`` has reached the page."""
        self.element.evaluate(UNTIL, ["settled", after, "", PYTHON_MS])

    def set(self, name: str, value: object) -> None:
        """Type a value into the field of a parameter and wait for its picture."""
        before = self.serial
        self.field(name).fill(str(value))
        self.field(name).press("Enter")
        self.settled(before)

    def write(self, name: str, text: str) -> None:
        """Write a program, in the editor that takes the place of its listing."""
        if self.button("Edit").is_visible():
            self.button("Edit").click()
        self.field(name).fill(text)

    def written(self, name: str) -> str:
        """What stands in that editor."""
        return "\n".join(self.field(name).locator(".cm-line").all_text_contents())

    def choose(self, name: str, option: str) -> None:
        """Choose from a list and wait for the picture."""
        before = self.serial
        self.host.get_by_role("combobox", name=name).select_option(option)
        self.settled(before)

    def reset(self) -> None:
        self.button("Reset").click()
        expect(self.button("Reset")).to_be_disabled()
        self.settled()


@contextmanager
def reading(browser: Browser, url: str, saving: bool = True, **context: object) -> Iterator[Reader]:
    """A reader with an empty cache, who saves data: pages fetch Python when it is needed, not before.

    At the end, an error in the console, a failed request or one to another host fails the test.
    """
    # What the service worker fetches is invisible to a page's listeners; test_offline lets it in.
    # Motion costs a processor that draws without a GPU most of its time: tests of what moves ask for it.
    usual = {
        "viewport": {"width": 1280, "height": 900},
        "service_workers": "block",
        "reduced_motion": "reduce",
    }
    opened = browser.new_context(**{**usual, **context})  # type: ignore[arg-type]
    opened.set_default_timeout(SOON_MS)
    if saving:
        opened.add_init_script(SAVE_DATA)
    page = opened.new_page()
    reader = Reader(page, url)

    def said(message: ConsoleMessage) -> None:
        blocked = "registration blocked by Playwright" in message.text  # as asked for above
        if message.type in ("error", "warning") and not blocked:
            reader.complaints.append(f"console {message.type}: {message.text}")

    def asked(request: Request) -> None:
        reader.requests.append(urlsplit(request.url)._replace(scheme="", netloc="").geturl())
        if not request.url.startswith((url, "data:", "blob:")):
            reader.complaints.append(f"a request to another host: {request.url}")

    def answered(response: Response) -> None:
        if response.status >= 400:
            reader.complaints.append(f"{response.status} for {response.url}")

    def failed(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # what the page itself lets go, or what it was left with
            reader.complaints.append(f"failed: {request.url} ({request.failure})")

    def started(_: object) -> None:
        reader.workers += 1

    opened.on("console", said)
    opened.on("weberror", lambda error: reader.complaints.append(f"page error: {error.error}"))
    opened.on("requestfailed", failed)
    opened.on("request", asked)
    opened.on("response", answered)
    page.on("worker", started)
    try:
        yield reader
        assert not reader.complaints, reader.complaints
    finally:
        opened.close()


def contents(page: Page) -> Locator:
    """The list of an article's headings, which follows the reader."""
    return page.get_by_role("navigation", name="On this page")


Open = Callable[..., Reader]  # the fixture `read`: read(path, …) opens a page

"""One visit of a page: it is opened once, its figures are woken, and every check looks at it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, get_args

from measure.paint import SHIFT_BAR
from measure.serving import Server
from measure.untouched import LAYOUTS_BAR, Layouts
from pages import html
from playwright.sync_api import Error
from reader import MOVING, PHONE, Open, Reader

Width = Literal["desk", "phone"]
Theme = Literal["light", "dark"]
WIDTHS: tuple[Width, ...] = get_args(Width)
SCREENS: dict[Width, dict[str, object]] = {"desk": {"viewport": {"width": 1280, "height": 860}}, "phone": PHONE}

# What a page shows while it opens may move; what is looked at afterwards stands still.
STILL = """async () => {
  await document.fonts.ready;
  // Once in thousands of pages no frame comes: nobody waits for it for ever.
  await new Promise((done) => (requestAnimationFrame(() => requestAnimationFrame(done)), setTimeout(done, 3000)));
}"""

# What moved by itself since the page was opened.
SHIFTS = """() => new Promise((done) => {
  setTimeout(() => done(0), 100);
  new PerformanceObserver((list) => done(list.getEntries().reduce((sum, { value }) => sum + value, 0)))
    .observe({ type: "layout-shift", buffered: true });
})"""
TURNS = 3


@dataclass
class Visit:
    """An open page, and what is known of it while it is looked at."""

    path: str
    width: Width
    reader: Reader
    server: Server
    layouts: Layouts
    theme: Theme = "light"
    wrong: list[str] = field(default_factory=list)

    def look(self, check: Check) -> None:
        """Let one check look; what it finds is said with page, width, theme and check."""
        name = f"{self.path}, {self.width}, {self.theme}, {check.__name__}"
        try:
            found = [*check(self)]
        except (AssertionError, Error) as error:
            found = [f"{type(error).__name__}: {error}"]
        self.wrong += [f"{name}: {each}" for each in found]

    def light(self, theme: Theme) -> None:
        self.theme = theme
        self.reader.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        self.reader.page.evaluate(STILL)


Check = Callable[[Visit], Iterable[str]]
Plan = dict[Width, dict[Theme, tuple[Check, ...]]]


def no_complaint(visit: Visit) -> list[str]:
    """Nothing in the console, no failed request and none to another host, since the page was opened."""
    return visit.reader.complained()


def visit(path: str, width: Width, plan: Plan, read: Open, server: Server) -> list[str]:
    """Everything that is wrong with the page at this width, in both themes."""
    reader = read(color_scheme="light", **MOVING, **SCREENS[width])
    this = Visit(path, width, reader, server, Layouts(reader.page))
    reader.go(path)
    if width == "phone" and "data-read=" in html(path):
        this.look(untouched)
    this.look(awake)
    for theme, checks in plan[width].items():
        this.light(theme)
        for check in checks:
            this.look(check)
    this.look(no_complaint)
    return this.wrong


def untouched(visit: Visit) -> Iterator[str]:
    """An article is laid out a few times before its reader does anything, not by each script and figure anew."""
    page, layouts = visit.reader.page, visit.layouts
    found = [layouts.settled()]
    while min(found) > LAYOUTS_BAR and len(found) < TURNS:  # on a busy machine it is laid out while it arrives
        before = layouts.count()
        page.reload()
        found.append(layouts.settled() - before)
    if min(found) > LAYOUTS_BAR:
        yield f"before the first touch it is laid out {found} times"
    if (moved := page.evaluate(SHIFTS)) > SHIFT_BAR:
        yield f"before the first touch it moves by {moved}"


def awake(visit: Visit) -> list[str]:
    """Every figure can be used."""
    visit.reader.wake()
    return []

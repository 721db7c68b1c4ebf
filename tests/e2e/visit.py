"""One visit of a page: it is opened once, its figures are woken, and every check looks at it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal, get_args

from measure.serving import Server
from playwright.sync_api import Error
from reader import PHONE, Open, Reader

Width = Literal["desk", "phone"]
Theme = Literal["light", "dark"]
WIDTHS: tuple[Width, ...] = get_args(Width)
SCREENS: dict[Width, dict[str, object]] = {"desk": {"viewport": {"width": 1280, "height": 900}}, "phone": PHONE}

# What a page shows while it opens may move; what is looked at afterwards stands still.
STILL = """async () => {
  await document.fonts.ready;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


@dataclass
class Visit:
    """An open page, and what is known of it while it is looked at."""

    path: str
    width: Width
    reader: Reader
    server: Server
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
    found, visit.reader.complaints = visit.reader.complaints, []
    return found


def visit(path: str, width: Width, plan: Plan, read: Open, server: Server) -> list[str]:
    """Everything that is wrong with the page at this width, in both themes."""
    reader = read(path, saving=True, color_scheme="light", **SCREENS[width])
    this = Visit(path, width, reader, server)
    this.look(awake)
    for theme, checks in plan[width].items():
        this.light(theme)
        for check in checks:
            this.look(check)
    this.look(no_complaint)
    return this.wrong


def awake(visit: Visit) -> list[str]:
    """Every figure can be used."""
    visit.reader.wake()
    return []

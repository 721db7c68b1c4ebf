"""Every page of the site, once on a desk and once on a phone: what a reader should never meet is found there."""

from itertools import product

import pytest
from checks.accessible import accessible, legible, operable
from checks.complete import complete
from checks.formulas import formulas
from checks.links import led
from checks.named import named
from checks.narrow import fits
from checks.night import darker
from checks.prompt import prompt
from checks.reachable import reachable
from checks.screen import one_screen
from extent import chosen
from measure.serving import Server
from pages import PAGES
from reader import Open
from visit import WIDTHS, Plan, Width, visit

PLAN: Plan = {
    "desk": {
        "light": (complete, prompt, named, led, fits, one_screen, accessible),
        "dark": (darker, legible, formulas),
    },
    "phone": {"light": (fits, one_screen, reachable, operable)},  # in the colours that were looked at on the desk
}
OWN = [path for path in PAGES if path.startswith("/labs/")]
FRAMES = [path for path in PAGES if path.startswith("/embed/")]
OTHERS = [path for path in PAGES if path not in {*OWN, *FRAMES}]


def visits() -> list[tuple[str, Width]]:
    """Every page, at both widths; each figure of a lab once at each, by turns on its own page and in its frame."""
    every: list[tuple[str, Width]] = [*product(PAGES, WIDTHS)]
    by_turns = [
        (pages[n], WIDTHS[(n + turn) % 2]) for turn, pages in enumerate((OWN, FRAMES)) for n in range(len(pages))
    ]
    return chosen(every, [*product(OTHERS, WIDTHS), *by_turns])


def test_there_are_pages() -> None:
    assert {"/", "/404.html", "/learning/quantization/"} <= {*PAGES}
    assert [path.replace("/embed/", "/labs/") for path in FRAMES] == OWN, "turns are taken in the order of labs"


@pytest.mark.parametrize(("path", "width"), visits())
def test_a_page_is_as_it_should_be(path: str, width: Width, read: Open, server: Server) -> None:
    wrong = visit(path, width, PLAN, read, server)
    assert not wrong, "\n".join(wrong)

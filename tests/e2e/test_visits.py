"""Every page of the site, once on a desk and once on a phone: what a reader should never meet is found there."""

import pytest
from checks.accessible import accessible, legible, operable
from checks.complete import complete
from checks.links import led
from checks.named import named
from checks.narrow import fits
from checks.night import darker
from checks.prompt import prompt
from checks.reachable import reachable
from checks.screen import one_screen
from measure.serving import Server
from pages import PAGES
from reader import Open
from visit import WIDTHS, Plan, Width, visit

PAGE: Plan = {
    "desk": {"light": (complete, prompt, named, led, fits, one_screen, accessible), "dark": (darker, legible)},
    "phone": {"light": (fits, one_screen, reachable, accessible), "dark": (legible,)},
}
# Pages of labs differ in one figure each, which stands in three places: its colours are looked at in the first.
LAB: Plan = {"desk": PAGE["desk"], "phone": {"light": (fits, one_screen, reachable, operable)}}
FRAME: Plan = {"desk": {"light": (complete, prompt, named, led, fits, one_screen)}, "phone": LAB["phone"]}


def test_there_are_pages() -> None:
    assert {"/", "/404.html", "/learning/quantization/"} <= {*PAGES}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_as_it_should_be(path: str, width: Width, read: Open, server: Server) -> None:
    plan = FRAME if path.startswith("/embed/") else LAB if path.startswith("/labs/") else PAGE
    wrong = visit(path, width, plan, read, server)
    assert not wrong, "\n".join(wrong)

"""How many interleavings speed/race explores in a second, in the reader's browser."""

from __future__ import annotations

from labs.speed.race import Params, run
from playwright.sync_api import Browser, expect

from measure.bits import opened
from measure.painted import painted
from measure.stats import Result

TURNS = 5
BAR = 1e5  # a second


def race(browser: Browser, url: str) -> list[Result]:
    """From the choice of a program with 17 million of them to its painted picture.

    In a new page each time: what was explored is kept.
    """
    total = next(run(Params(threads=3, times=2))).total
    rates = []
    for _ in range(TURNS):
        page, figure = opened(browser, url, "speed/race", "?race.threads=3")
        ((_, took),) = painted(figure, "input[aria-label='Each adds one, slider']", [2])
        expect(figure).to_contain_text(f"all: {total:,.0f}")
        rates.append(1000 * total / took)
        page.close()
    return [Result("race in the browser, interleavings explored and drawn", tuple(rates), "/s", "least", BAR)]

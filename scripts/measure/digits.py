"""A network that learns to read digits while the reader waits: from the first touch to the last picture."""

from __future__ import annotations

import time
from collections.abc import Callable

from playwright.sync_api import Browser, Locator, expect

from measure.painted import PATIENCE_MS
from measure.stats import Result

TRAINED_BAR_S = 10.0
RIGHT_BAR = 95.0  # percent of the held-out digits
STROKES = 8


def digits(browser: Browser, url: str, repetitions: int = 5) -> list[Result]:
    """Cold, nothing is cached and Python has to come first; another training has another seed."""
    cold, again, right, redrawn = [], [], [], []
    for _ in range(repetitions):
        context = browser.new_context()
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.goto(f"{url}/labs/tensors/mlp_digits/")
        page.locator("[data-lab][data-live]").wait_for()
        figure = page.locator("figure[data-serial]")
        cold.append(seconds(figure, figure.get_by_role("button", name="Run it live").click))
        again.append(seconds(figure, figure.get_by_role("button", name="Re-roll").click))
        read, _, held_out = figure.locator(".picture dd").first.inner_text().split()
        right.append(100 * int(read) / int(held_out))
        pixel = figure.get_by_role("gridcell", name="Row 4, column 4")
        redrawn += [seconds(figure, lambda pixel=pixel: pixel.press(" ")) for _ in range(STROKES)]
        context.close()
    return [
        Result("mlp_digits, first touch to trained, nothing cached", tuple(cold), "s", bar=TRAINED_BAR_S),
        Result("mlp_digits, another seed to trained", tuple(again), "s", bar=TRAINED_BAR_S),
        Result("mlp_digits, held-out digits read right", tuple(right), "%", "least", RIGHT_BAR),
        Result("mlp_digits, a pixel inked to all 41 pictures anew", tuple(redrawn), "s"),
    ]


def seconds(figure: Locator, act: Callable[[], None]) -> float:
    """Until a run that this starts is over and drawn."""
    before = figure.get_attribute("data-serial") or ""
    begun = time.perf_counter()
    act()
    expect(figure).not_to_have_attribute("data-serial", before, timeout=PATIENCE_MS)
    expect(figure).to_have_attribute("data-status", "idle", timeout=PATIENCE_MS)
    return time.perf_counter() - begun

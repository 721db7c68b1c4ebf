"""From a dragged input of a graph to its picture: forwards, back, and every input nudged, at each move."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from measure.painted import PATIENCE_MS, painted
from measure.stats import Result

WARM_UP = 20
BAR_MS = 16.0  # a frame of a 60 Hz screen
PROGRAMS = {"one_neuron": "10 nodes, 17 steps", "a_network_on_XOR": "27 nodes, 47 steps"}


def drag(browser: Browser, url: str, repetitions: int = 100) -> list[Result]:
    """An input is set where dragging it sets it; the page then draws the last of the run's pictures."""
    results = []
    for program, size in PROGRAMS.items():
        page = browser.new_page()
        page.goto(f"{url}/labs/learning/backprop_step/?backprop_step.program=@{program}&backprop_step.moved=x1=1")
        figure = page.locator("figure[data-serial]")
        expect(figure.locator("summary")).to_have_text("In your browser", timeout=PATIENCE_MS)
        expect(figure).to_have_attribute("data-status", "idle", timeout=PATIENCE_MS)
        values = [f"x1={(index % 40) / 20 - 1:.2f}" for index in range(WARM_UP + repetitions)]
        took = painted(figure, 'input[type="text"]', values)[WARM_UP:]
        page.close()
        results += [
            Result(
                f"dragged input, {size}: input to new picture", tuple(t for t, _ in took), "ms", "median", BAR_MS
            ),
            Result(f"dragged input, {size}: input to painted", tuple(t for _, t in took), "ms"),
        ]
    return results

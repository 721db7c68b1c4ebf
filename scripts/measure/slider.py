"""From a slider's input event to the painted picture, in a figure whose lab runs in the reader's browser."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from measure.first import RUN
from measure.painted import PATIENCE_MS, painted
from measure.stats import Result

WARM_UP = 20
BAR_MS = 33.0  # two frames of a 60 Hz screen


def slider(browser: Browser, url: str, repetitions: int = 100) -> list[Result]:
    """Every step quantizes 65,536 weights anew, for all numbers of bits, and draws what came out. None comes twice:
    the page would know it."""
    page = browser.new_page()
    page.goto(f"{url}/labs/learning/uniform_quantization/?uniform_quantization.source=normal")
    figure = page.locator("figure[data-serial]")
    page.locator("[data-lab][data-live]").wait_for()
    figure.get_by_role("button", name=RUN).click()
    figure.get_by_role("button", name="More settings").click()
    expect(figure.locator("summary")).to_have_text("In your browser", timeout=PATIENCE_MS)
    expect(figure).to_have_attribute("data-status", "idle", timeout=PATIENCE_MS)
    clips = [100 - (index + 1) / 20 for index in range(WARM_UP + repetitions)]
    took = painted(figure, 'input[aria-label="Keep the central, slider"]', clips)[WARM_UP:]
    page.close()
    return [
        Result("slider step, 65,536 weights: input to new picture in the page", tuple(t for t, _ in took), "ms"),
        Result("slider step, 65,536 weights: input to painted", tuple(t for _, t in took), "ms", bar=BAR_MS),
    ]

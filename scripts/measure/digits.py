"""A network that learns to read digits while the reader waits: from the first touch to the last picture."""

from __future__ import annotations

import time
from collections.abc import Callable

from playwright.sync_api import Browser, Locator, expect

from measure.painted import PATIENCE_MS
from measure.stats import Result

TRAINED_BAR_S = 10.0
CLEARED_BAR_S = 1.5  # as any first touch of a page that was visited before
RIGHT_BAR = 95.0  # percent of the held-out digits
STROKES = 8
STROKE_BAR_MS = 50.0
# In the page's own clock, from the key to the frame after the picture. The first finds nothing trained.
INK = """async (figure, count) => {
  const took = [];
  const cells = [...figure.querySelectorAll("[role=gridcell]")];
  for (let i = 0; i < count; i++) {
    while (figure.dataset.status !== "idle") await new Promise((done) => setTimeout(done, 20));
    cells[9 + i].focus();
    const before = figure.dataset.serial;
    const begun = performance.now();
    cells[9 + i].dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true }));
    await new Promise((done) => new MutationObserver((_, watch) => {
      if (figure.dataset.serial === before) return;
      watch.disconnect();
      requestAnimationFrame(() => setTimeout(done));
    }).observe(figure, { attributes: true }));
    took.push(performance.now() - begun);
  }
  return took;
}"""


def digits(browser: Browser, url: str, repetitions: int = 5) -> list[Result]:
    """Cold, nothing is cached and Python has to come first; another training has another seed."""
    cold, again, right, strokes, cleared = [], [], [], [], []
    for _ in range(repetitions):
        context = browser.new_context()
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.goto(address := f"{url}/labs/tensors/mlp_digits/")
        page.locator("[data-lab][data-live]").wait_for()
        figure = page.locator("figure[data-serial]")
        cold.append(seconds(figure, figure.get_by_role("button", name="Run it live").click))
        figure.get_by_role("button", name="More settings").click()
        again.append(seconds(figure, figure.get_by_role("button", name="Re-roll").click))
        figure.get_by_role("button", name="Training").click()
        read, _, held_out = figure.locator(".picture dd").first.inner_text().split()
        right.append(100 * int(read) / int(held_out))
        page.goto(address)  # the page's own by now asks for the other seed
        page.locator("[data-lab][data-live]").wait_for()
        cleared.append(seconds(figure, figure.get_by_role("button", name="Clear").click))
        strokes += figure.evaluate(INK, STROKES)
        context.close()
    return [
        Result("mlp_digits, first touch to trained, nothing cached", tuple(cold), "s", bar=TRAINED_BAR_S),
        Result("mlp_digits, another seed to trained", tuple(again), "s", bar=TRAINED_BAR_S),
        Result("mlp_digits, held-out digits read right", tuple(right), "%", "least", RIGHT_BAR),
        Result("mlp_digits, Clear as the first touch, nothing trained", tuple(cleared), "s", bar=CLEARED_BAR_S),
        Result("mlp_digits, a pixel inked to all 41 pictures anew", tuple(strokes), "ms", bar=STROKE_BAR_MS),
    ]


def seconds(figure: Locator, act: Callable[[], None]) -> float:
    """Until a run that this starts is over and drawn."""
    before = figure.get_attribute("data-serial") or ""
    begun = time.perf_counter()
    act()
    expect(figure).not_to_have_attribute("data-serial", before, timeout=PATIENCE_MS)
    expect(figure).to_have_attribute("data-status", "idle", timeout=PATIENCE_MS)
    return time.perf_counter() - begun

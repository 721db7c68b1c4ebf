"""From a slider's input event to the painted picture, in a figure whose lab runs in the reader's browser."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import Browser, Page, expect

from measure.stats import Result

WARM_UP = 20
BAR_MS = 33.0  # two frames of a 60 Hz screen
PATIENCE_MS = 60_000  # Python has to start in the browser first

# A frame is painted once a task that was queued during its animation callback runs. `data-serial` counts the
# pictures that reached the page. The pause before each input differs, so that no phase of the frame is favoured.
STEPS = """async ([selector, name, values]) => {
  const figure = document.querySelector(selector);
  const slider = figure.querySelector(`input[aria-label="${name}, slider"]`);
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = done;
    channel.port2.postMessage(null);
  }));
  const until = (true_) => new Promise((done) => {
    if (true_()) return done();
    const watch = new MutationObserver(() => true_() && (watch.disconnect(), done()));
    watch.observe(figure, { attributes: true });
  });
  const took = [];
  for (const [index, value] of values.entries()) {
    await until(() => figure.dataset.status === "idle");
    await new Promise((done) => setTimeout(done, 20 + ((index * 7) % 17)));
    const before = Number(figure.dataset.serial);
    const begun = performance.now();
    slider.value = value;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await until(() => Number(figure.dataset.serial) > before);
    const arrived = performance.now();
    await painted();
    took.push([arrived - begun, performance.now() - begun]);
  }
  return took;
}"""


def steps(page: Page, figure: str, control: str, values: Sequence[float]) -> list[tuple[float, float]]:
    """Milliseconds until the picture is in the page, and until it is painted, for each value of a slider."""
    took: list[tuple[float, float]] = page.evaluate(STEPS, [figure, control, list(values)])
    return took


def slider(browser: Browser, url: str, repetitions: int = 100) -> list[Result]:
    """Every step quantizes 65,536 weights anew, for all numbers of bits, and draws what came out."""
    page = browser.new_page()
    page.goto(f"{url}/labs/learning/uniform_quantization/?uniform_quantization.source=normal")
    figure = page.locator("figure[data-serial]")
    expect(figure.locator("summary")).to_have_text("In your browser", timeout=PATIENCE_MS)
    expect(figure).to_have_attribute("data-status", "idle", timeout=PATIENCE_MS)
    values = [2 + index % 7 for index in range(WARM_UP + repetitions)]
    took = steps(page, "figure[data-serial]", "Bits per weight", values)[WARM_UP:]
    page.close()
    return [
        Result("slider step, 65,536 weights: input to new picture in the page", tuple(t for t, _ in took), "ms"),
        Result("slider step, 65,536 weights: input to painted", tuple(t for _, t in took), "ms", bar=BAR_MS),
    ]

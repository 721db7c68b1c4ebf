"""The front door: what a visitor waits for and downloads, and how soon each level follows a change at the top."""

from __future__ import annotations

import gzip

from playwright.sync_api import Browser, Locator, Response, expect
from underhood.web.app import GZIP

from measure.paint import COUNTED, PAINT_BAR_MS, SAVE_DATA, WEIGHT_BAR_KB
from measure.painted import PATIENCE_MS, WAITS
from measure.stats import Result

BAR_MS = 100.0
WARM_UP = 6
LINES = ("y = x @ w", "y = relu(x @ w + b)", "y = 2 - x.T * 3", "y = w.T @ x.T", "y = relu(x @ w) @ w.T")

# The first frame after parsing in which the figure is there, down to its last level.
WATCH = """
const look = () => {
  const last = document.querySelector("[data-hero] [data-level='9']");
  if (document.readyState !== "loading" && last?.getBoundingClientRect().height > 0)
    setTimeout(() => (window.firstPicture = performance.now()));
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
# Of each level that a change reaches: milliseconds from the input to the frame in which it stands there changed.
CHANGE = (
    f"async (figure, [name, values]) => {{{WAITS}"
    """
  const field = [...figure.querySelectorAll("input")]
    .find((one) => name === "line" ? one.closest(".line") : one.ariaLabel === name);
  const levels = [...figure.querySelectorAll("[data-level]")];
  const what = { subtree: true, childList: true, characterData: true,
    attributeFilter: ["class", "title", "aria-label", "data-thread", "data-concept"] };
  const took = [];
  for (const [index, value] of values.entries()) {
    await until(() => figure.dataset.status === "idle");
    await new Promise((done) => setTimeout(done, 120 + ((index * 7) % 17)));
    const [found, waits, before] = [{}, [], figure.dataset.serial];
    const begun = performance.now();
    const watches = levels.map((level) => {
      const watch = new MutationObserver(() => {
        watch.disconnect();
        waits.push(painted().then(() => (found[level.dataset.level] = performance.now() - begun)));
      });
      watch.observe(level, what);
      return watch;
    });
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    await until(() => figure.dataset.serial !== before);
    await painted();
    await Promise.all(waits);
    watches.forEach((watch) => watch.disconnect());
    took.push(found);
  }
  return took;
}"""
)


def descent(browser: Browser, url: str, repetitions: int = 40) -> list[Result]:
    loads = [opened(browser, url) for _ in range(10)]
    page = browser.new_page()
    page.goto(url + "/")
    figure = page.locator("[data-hero] figure")
    expect(figure.locator("..").locator("..")).to_have_attribute("data-live", "")
    page.get_by_role("textbox", name="x[1, 0]").fill("0.25")
    expect(figure.locator(".origin")).to_have_text("In your browser", timeout=PATIENCE_MS)
    numbers = [f"{index / 8 - 2:.3f}" for index in range(WARM_UP + repetitions)]
    lines = [f"y{index}{LINES[index % len(LINES)][1:]}" for index in range(WARM_UP + repetitions)]
    found = changed(figure, "x[1, 0]", "number", numbers) + changed(figure, "line", "line", lines)
    page.close()
    pictures, weights = zip(*loads, strict=True)
    return [
        Result("home: first picture", pictures, "ms", bar=PAINT_BAR_MS),
        Result("home before the first touch, HTML, CSS and JS gzipped", weights[:1], "kB", bar=WEIGHT_BAR_KB),
        *found,
    ]


def opened(browser: Browser, url: str) -> tuple[float, float]:
    """Of one load with nothing cached: milliseconds to the first picture, and kB."""
    context = browser.new_context()
    context.add_init_script(SAVE_DATA)
    context.add_init_script(WATCH)
    page = context.new_page()
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))  # Playwright marks the function
    page.goto(url + "/", wait_until="networkidle")
    picture = float(page.evaluate("() => window.firstPicture"))
    counted = (answer.body() for answer in answers if answer.request.resource_type in COUNTED)
    weight = sum(len(gzip.compress(body, GZIP)) for body in counted) / 1000
    context.close()
    return picture, weight


def changed(figure: Locator, field: str, what: str, values: list[str]) -> list[Result]:
    """By level; those that a number does not reach are left out."""
    took: list[dict[str, float]] = figure.evaluate(CHANGE, [field, values])
    by_level: dict[str, list[float]] = {}
    for each in took[WARM_UP:]:
        for level, ms in each.items():
            by_level.setdefault(level, []).append(ms)
    return [
        Result(f"home: another {what} to repaint, level {level}", tuple(by_level[level]), "ms", bar=BAR_MS)
        for level in sorted(by_level)
    ]

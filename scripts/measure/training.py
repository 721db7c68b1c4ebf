"""From a new seed to the pictures of a training that runs in the reader's browser."""

from __future__ import annotations

from labs.learning.xor_seeds import PICTURES
from playwright.sync_api import Browser, expect

from measure.painted import PATIENCE_MS
from measure.stats import Result

REPETITIONS = 9
ONE_BAR_MS, HUNDRED_BAR_MS = 1500.0, 3000.0

# Until so many pictures have come, and until the last one; each time until what is shown then is painted.
TRAIN = """async (figure, [seed, pictures]) => {
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const until = (true_) => new Promise((done) => {
    if (true_()) return done();
    const watch = new MutationObserver(() => true_() && (watch.disconnect(), done()));
    watch.observe(figure, { attributes: true, subtree: true, childList: true, characterData: true });
  });
  const field = [...figure.querySelectorAll("input")].find((one) =>
    /seed/i.test(one.labels?.[0]?.textContent ?? ""));
  const step = () => Number(figure.querySelector(".timeline output").textContent.match(/\\d+/)[0]);
  const begun = performance.now();
  field.value = seed;
  field.dispatchEvent(new Event("change", { bubbles: true }));
  await until(() => figure.dataset.status !== "idle");
  await until(() => step() < pictures);
  await until(() => step() >= pictures);
  await painted();
  const some = performance.now() - begun;
  await until(() => figure.dataset.status === "idle");
  await painted();
  return [some, performance.now() - begun];
}"""


def training(browser: Browser, url: str) -> list[Result]:
    one = times(browser, url, "xor_training", 61)
    hundred = times(browser, url, "xor_seeds", PICTURES + 1)
    return [
        Result("XOR, 5,000 epochs: new seed to last picture painted", one[1], "ms", "median", ONE_BAR_MS),
        Result("XOR, 100 seeds: new seed to all trained, painted", hundred[0], "ms", "median", HUNDRED_BAR_MS),
        Result("the same, and again at four other widths", hundred[1], "ms", "median", HUNDRED_BAR_MS),
    ]


def times(browser: Browser, url: str, lab: str, pictures: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    page = browser.new_page()
    page.goto(f"{url}/labs/learning/{lab}/?{lab}.seed=1000")
    figure = page.locator("figure[data-serial]")
    expect(figure.locator("summary")).to_have_text("In your browser", timeout=PATIENCE_MS)
    expect(figure).to_have_attribute("data-status", "idle", timeout=PATIENCE_MS)
    seeds = [str(2000 + 100 * turn) for turn in range(REPETITIONS + 1)]
    took = [figure.evaluate(TRAIN, [seed, pictures]) for seed in seeds][1:]
    page.close()
    some, all_ = zip(*took, strict=True)
    return some, all_

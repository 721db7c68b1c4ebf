"""How long a reader waits for the first picture of their own, and for the next ones: each figure that runs in the
browser, touched as soon as it answers, with nothing cached and after a visit of some seconds."""

from __future__ import annotations

import re

from labs.discover import find
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from measure.painted import painted
from measure.stats import Result
from measure.throttle import throttled

RATE = 10e6  # bytes a second
COLD_BAR_MS, WARM_BAR_MS = 4_000.0, 1_500.0
MOVE_BAR_MS, MOVE_SHARE = 50.0, 0.9
FRAME_MS = 16.7
QUICK = "learning/uniform_quantization"
MOVES = 40
LOOKS, LOOK_MS = 20, 400  # a reader who looks at each picture before the next move, as opposed to a held arrow key
VISIT_MS = 3_000  # after Python came: two seconds after a browser compiled code, it keeps that for the next visit
RUN = re.compile("^Run (it live|again)$")
PATIENCE_MS = 60_000
# What a reader has at hand, in this order.
SLIDER = "input[type=range][aria-label$=', slider']:enabled"
CHOICE, SWITCH = "select:enabled:not([aria-label=Speed])", "[role=switch]:enabled"
# The page's own clock, from the event to the frame after the new picture; nothing of Playwright is in it.
TOUCH = """(figure, kinds) => new Promise((done) => {
  const before = figure.dataset.serial;
  const seen = (kind) => [...figure.querySelectorAll(kind)].find((one) => one.checkVisibility());
  const field = kinds.map(seen).find((one) => one);
  const begun = performance.now();
  new MutationObserver((_, watch) => {
    if (figure.dataset.serial === before) return;
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
  }).observe(figure, { attributes: true });
  if (!field) return figure.querySelector("footer button").click();
  if (field.type === "checkbox") return field.click();
  const { value, options, selectedIndex } = field;
  if (options) field.selectedIndex = (selectedIndex + 1) % options.length;
  else field.stepUp();
  if (field.value === value) field.stepDown();
  field.dispatchEvent(new Event(options ? "change" : "input", { bubbles: true }));
})"""


def first(browser: Browser, url: str) -> list[Result]:
    cold, warm = dict[str, float](), dict[str, float]()
    moves, looks = dict[str, list[float]](), dict[str, list[float]]()
    with throttled(url, RATE) as slow:
        for lab in find().values():
            if "browser" not in lab.runs_on or lab.on_device:
                continue
            context = browser.new_context()
            context.set_default_timeout(PATIENCE_MS)
            cold[lab.id] = touched(context, slow, lab.id)[0]
            warm[lab.id], moves[lab.id] = touched(context, slow, lab.id, MOVES)
            _, looks[lab.id] = touched(context, slow, lab.id, LOOKS, LOOK_MS)
            context.close()
    return [
        *(Result(f"{id}: first touch to new picture, cold", (took,), "ms") for id, took in cold.items()),
        *(Result(f"{id}: first touch to new picture, warm", (took,), "ms") for id, took in warm.items()),
        *(Result(f"{id}: later moves", tuple(took), "ms") for id, took in moves.items() if took),
        *(Result(f"{id}: moves of who looks", tuple(took), "ms") for id, took in looks.items() if took),
        Result("first touch to new picture, nothing cached, 10 MB/s", tuple(cold.values()), "ms", bar=COLD_BAR_MS),
        Result("first touch to new picture, visited before", tuple(warm.values()), "ms", bar=WARM_BAR_MS),
        Result(f"{QUICK}: later moves", tuple(moves[QUICK]), "ms", bar=FRAME_MS),
        Result("labs whose later moves take 50 ms at most (p95)", (share(moves),), "%", "least", 100 * MOVE_SHARE),
        Result("the same, of who looks", (share(looks),), "%", "least", 100 * MOVE_SHARE),
    ]


def share(moves: dict[str, list[float]]) -> float:
    p95 = [Result(id, tuple(took), "ms").p95 for id, took in moves.items() if took]
    return 100 * sum(took <= MOVE_BAR_MS for took in p95) / len(p95)


def touched(
    context: BrowserContext, url: str, lab: str, moves: int = 0, pause_ms: int = 50
) -> tuple[float, list[float]]:
    """Milliseconds from the first touch to its picture, and from each of the later moves to its own."""
    page = context.new_page()
    page.goto(f"{url}/labs/{lab}/", wait_until="load")
    page.locator("[data-lab][data-live]").wait_for()
    figure = page.locator("figure[data-serial]")
    page.mouse.move(300, 300)
    took = float(figure.evaluate(TOUCH, [SLIDER, CHOICE, SWITCH]))
    later: list[float] = []
    if moves:
        # What was recorded may have answered first: later moves are Python's.
        figure.get_by_role("button", name=RUN).click()
        expect(figure.locator(".badge summary")).to_contain_text("browser", timeout=PATIENCE_MS)
        expect(figure).to_have_attribute("data-status", "idle", timeout=PATIENCE_MS)
        for kind, values in ((SLIDER, _positions), (CHOICE, _choices), (SWITCH, _turn)):
            if not later and (one := figure.locator(f"{kind}:visible").first).count():
                one.evaluate("(field) => (field.dataset.moved = '')")
                later = [each for _, each in painted(figure, "[data-moved]", values(one, moves), pause_ms)]
    else:
        _kept(page)
    page.close()
    return took, later


def _positions(slider: Locator, count: int) -> list[float | str]:
    """The next ones up, then the next ones down: a page remembers what it has shown, so each comes once."""
    low, high, step = (float(slider.get_attribute(name) or 1) for name in ("min", "max", "step"))
    here = float(slider.input_value())
    up = [here + step * n for n in range(1, count + 1) if here + step * n <= high]
    return [*up, *(here - step * n for n in range(1, count + 1 - len(up)) if here - step * n >= low)]


def _choices(select: Locator, count: int) -> list[float | str]:
    """All others of a list."""
    values, here = select.evaluate("(list) => [[...list.options].map((one) => one.value), list.selectedIndex]")
    return [*values[here + 1 :], *values[:here]][:count]


def _turn(switch: Locator, count: int) -> list[float | str]:
    """On, or off: a click needs no value."""
    return [""]


def _kept(page: Page) -> None:
    """Once the browser has put Python aside for the next visit."""
    page.wait_for_function(
        """async () => (await Promise.all((await caches.keys()).filter((name) => name.startsWith("python-"))
          .map(async (name) => (await (await caches.open(name)).keys()).length))).some((count) => count > 4)"""
    )
    page.wait_for_timeout(VISIT_MS)

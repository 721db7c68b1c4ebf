"""What a reader waits for, downloads and sees moving when an article opens for the first time."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, field

from playwright.sync_api import Browser, BrowserContext, Response
from underhood.web.app import GZIP

from measure.stats import Result

ARTICLE = "/learning/quantization/"
PAINT_BAR_MS = 1000.0
WEIGHT_BAR_KB = 150.0
SHIFT_BAR = 0.02
COUNTED = ("document", "stylesheet", "script")

# Somebody on a metered line: the page then leaves out what it would fetch ahead of need while the browser is idle.
SAVE_DATA = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"

# Complete is the first frame after parsing in which every picture has a place and a drawn shape.
WATCH = """
const drawn = (svg) => svg.getBoundingClientRect().width > 0 && svg.querySelector("path, rect, line, circle");
const look = () => {
  const pictures = [...document.querySelectorAll("[data-lab] .picture")];
  const parsed = document.readyState !== "loading" && pictures.length > 0;
  if (parsed && pictures.every((picture) => [...picture.querySelectorAll("svg")].every(drawn)))
    setTimeout(() => (window.firstPictures = performance.now()));
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts.push(entry.value);
}).observe({ type: "layout-shift", buffered: true });
"""
TIMES = """async () => {
  const paint = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
  while (!(paint() && window.firstPictures)) await new Promise((done) => setTimeout(done, 20));
  return [paint(), window.firstPictures];
}"""


@dataclass
class Load:
    """One cold load, in a context of its own and with an empty cache."""

    first_paint: float  # ms
    pictures: float  # ms
    bytes: dict[str, int] = field(default_factory=dict)  # gzipped, by address


def cold_load(browser: Browser, url: str) -> Load:
    context = browser.new_context()
    context.add_init_script(SAVE_DATA)
    context.add_init_script(WATCH)
    page = context.new_page()
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))  # Playwright marks the function
    page.goto(url, wait_until="networkidle")
    load = Load(*page.evaluate(TIMES))
    for answer in answers:
        if answer.request.resource_type in COUNTED:
            load.bytes[answer.url] = len(gzip.compress(answer.body(), GZIP))
    context.close()
    return load


def layout_shift(context: BrowserContext, url: str) -> float:
    """The sum of all shifts while a reader scrolls from the top to the end and the figures come alive.

    Stricter than Cumulative Layout Shift, which counts only the worst few seconds.
    """
    page = context.new_page()
    page.add_init_script(SAVE_DATA)
    page.add_init_script(WATCH)
    page.goto(url, wait_until="load")
    height: int = page.evaluate("() => document.documentElement.scrollHeight")
    for top in range(0, height, 400):
        page.evaluate("(top) => scrollTo(0, top)", top)
        page.wait_for_timeout(50)
    page.locator("[data-lab]:not([data-live])").first.wait_for(state="detached")
    page.wait_for_timeout(300)
    shifts: list[float] = page.evaluate("() => window.shifts")
    return sum(shifts)


def paint(browser: Browser, url: str, repetitions: int = 10) -> list[Result]:
    address = url + ARTICLE
    loads = [cold_load(browser, address) for _ in range(repetitions)]
    weight = sum(loads[0].bytes.values()) / 1000
    shifts = []
    for width in (1280, 390):
        context = browser.new_context(viewport={"width": width, "height": 844})
        shifts.append(layout_shift(context, address))
        context.close()
    return [
        Result(
            "cold load: first contentful paint", tuple(load.first_paint for load in loads), "ms", bar=PAINT_BAR_MS
        ),
        Result("cold load: every first picture", tuple(load.pictures for load in loads), "ms", bar=PAINT_BAR_MS),
        Result("article before the first touch, HTML, CSS and JS gzipped", (weight,), "kB", bar=WEIGHT_BAR_KB),
        Result("layout shift while scrolling through, 1280 and 390 px", tuple(shifts), "", bar=SHIFT_BAR),
    ]

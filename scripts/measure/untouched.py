"""What a page costs a phone before its reader touches it: how often it is laid out, how long it answers nothing."""

from __future__ import annotations

from playwright.sync_api import Browser, CDPSession, Page

from measure.articles import articles
from measure.paint import SAVE_DATA
from measure.stats import Result

PHONE = {"viewport": {"width": 412, "height": 823}, "is_mobile": True, "has_touch": True}
SLOWED = 4  # as Lighthouse slows the processor
LAYOUTS_BAR = 8
CALM_MS = 500

# As Lighthouse counts it: of every task, what is above 50 ms.
WATCH = """
window.blocked = 0;
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) window.blocked += duration - 50;
}).observe({ type: "longtask", buffered: true });
"""


class Layouts:
    """Counts from now on how often a page is laid out. What is drawn by itself, such as an icon, is not counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session: CDPSession = page.context.new_cdp_session(page)
        self.session.send("Performance.enable")

    def settled(self) -> int:
        """Their number, once there has been none for a moment."""
        before, now = -1, self.count()
        while before != now:
            self.page.wait_for_timeout(CALM_MS)
            before, now = now, self.count()
        return now

    def count(self) -> int:
        metrics = self.session.send("Performance.getMetrics")["metrics"]
        return int(next(each["value"] for each in metrics if each["name"] == "LayoutCount"))


def untouched(browser: Browser, url: str, repetitions: int = 5) -> list[Result]:
    results = []
    for path in articles():
        layouts, blocked = zip(*(opened(browser, url + path) for _ in range(repetitions)), strict=True)
        results += [
            Result(f"{path}: layouts before the first touch", layouts, "", "median", LAYOUTS_BAR),
            Result(f"{path}: main thread blocked, a phone slowed {SLOWED} times", blocked, "ms", "median"),
        ]
    return results


def opened(browser: Browser, url: str) -> tuple[float, float]:
    """Layouts and milliseconds of one cold load."""
    context = browser.new_context(**PHONE)  # type: ignore[arg-type]
    context.add_init_script(SAVE_DATA)
    context.add_init_script(WATCH)
    page = context.new_page()
    layouts = Layouts(page)
    layouts.session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    page.goto(url, wait_until="load")
    found = (float(layouts.settled()), float(page.evaluate("() => window.blocked")))
    context.close()
    return found

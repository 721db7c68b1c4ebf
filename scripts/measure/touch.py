"""How soon the page paints after a reader does something: Interaction to Next Paint, over real input events."""

from __future__ import annotations

from playwright.sync_api import Browser, Page

from measure.paint import ARTICLE
from measure.stats import Result

BAR_MS = 100.0
PAUSE_MS = 120

# As web-vitals counts: of all events of one interaction, the longest. 16 ms is the least that a browser reports.
WATCH = """
window.interactions = new Map();
new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries())
    if (interactionId)
      window.interactions.set(interactionId, Math.max(duration, window.interactions.get(interactionId) ?? 0));
}).observe({ type: "event", durationThreshold: 16, buffered: true });
"""
FOUND = "() => [performance.interactionCount, [...window.interactions.values()]]"


def touch(browser: Browser, url: str) -> list[Result]:
    """A reader steps, plays, moves sliders, opens the provenance and changes the theme, in every figure."""
    page = browser.new_page()
    page.add_init_script(WATCH)
    page.goto(url + ARTICLE, wait_until="networkidle")
    for host in page.locator("[data-lab]").all():
        host.scroll_into_view_if_needed()
        host.locator("button[aria-label='Play']:enabled").wait_for()
        drive(page, host.get_attribute("id") or "")
    theme = page.locator("#theme")
    for _ in range(2):
        theme.click()
        page.wait_for_timeout(PAUSE_MS)
    count, slow = page.evaluate(FOUND)
    page.close()
    fast = [8.0] * (count - len(slow))  # done within a frame; the browser does not say how soon
    return [Result("interaction to next paint, over the article", (*slow, *fast), "ms", held="p75", bar=BAR_MS)]


def drive(page: Page, key: str) -> None:
    """Everything that every figure has, by mouse and by keyboard."""
    figure = page.locator(f"#{key} figure")
    for name in ("Restart", "Forward", "Forward", "Back", "Play", "Pause"):
        button = figure.get_by_role("button", name=name, exact=True)
        if button.count():  # a run of one step cannot play on, and is not paused
            button.click()
            page.wait_for_timeout(PAUSE_MS)
    for press in ("Home", "ArrowRight", "ArrowRight", "End"):
        figure.get_by_role("slider", name="Step", exact=True).press(press)
        page.wait_for_timeout(PAUSE_MS)
    slider = figure.locator("input[type=range][aria-label$=', slider']").first
    for press in ("ArrowLeft", "ArrowLeft", "ArrowRight"):
        slider.press(press)
        page.wait_for_timeout(PAUSE_MS)
    badge = figure.locator("details.badge summary")
    badge.click()
    page.wait_for_timeout(PAUSE_MS)
    badge.click()

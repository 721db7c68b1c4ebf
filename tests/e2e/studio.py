"""Where figures have their pictures taken: they keep still, and have all their fonts.

A lab that measures, or shows the Python that runs it, is shown with the events that were frozen with its pictures.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from frozen import Log, alike, freeze, key_events, recorded, thawed, with_events
from labs.discover import find
from measure.paint import SAVE_DATA
from measure.serving import Server
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

SHOTS = Path(__file__).parent / "shots"
WRITE = os.environ.get("UNDERHOOD_SHOTS") == "write"
LABS = find()

STILL = """async () => {
  await document.fonts.ready;
  // Once in thousands of pages no frame comes: nobody waits for it for ever.
  await new Promise((done) => (requestAnimationFrame(() => requestAnimationFrame(done)), setTimeout(done, 3000)));
}"""


@contextmanager
def studio(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(reduced_motion="reduce", service_workers="block", bypass_csp=True)
    context.add_init_script(SAVE_DATA)
    context.route("**/embed/**/", wait_for_fonts)
    yield context
    context.close()


def wait_for_fonts(route: Route) -> None:
    """For readers, a font that is late is left out for as long as a page is open; a picture waits for it."""
    page = route.fetch()
    route.fulfill(response=page, body=page.text().replace("font-display:optional", "font-display:block"))


def pose(context: BrowserContext, server: Server, lab: str, size: Any) -> tuple[Page, int]:
    """The figure of a lab at its first step, in a page of its own; and how many steps it has there."""
    page = context.new_page()
    page.set_viewport_size(size)
    page.goto(f"{server.url}/embed/{lab}/")
    expect(page.locator("[data-lab]")).to_have_attribute("data-live", "")
    page.add_style_tag(
        content="* { content-visibility: visible !important }"
    )  # what is off the screen is drawn, too
    name: str = json.loads(page.locator("[data-props]").text_content() or "")["first"]["recording"]
    run = recorded(name)
    _, *events, _ = run["events"]
    shown = LABS[name.rpartition("/")[0]]
    if shown.measures or shown.shows_python:
        events = frozen_events(SHOTS / shown.id / "events.json", key_events(run))
        page.route(f"**/recordings/{name}.json", lambda route: route.fulfill(json=with_events(run, events)))
    show(page, 0, len(events))
    return page, len(events)


def frozen_events(path: Path, now: Log) -> Log:
    if WRITE and not (path.is_file() and alike(thawed(path), now)):
        freeze(path, now)
    assert path.is_file(), f"there is no {path.name} yet: make shots"
    events = thawed(path)
    assert alike(events, now), f"the events in {path} have other fields than the lab's have by now: make shots"
    return events


def show(page: Page, index: int, count: int) -> None:
    if count > 1:  # else there is nothing to step with
        page.get_by_role("slider", name="Step", exact=True).fill(str(index))
    expect(page.locator(".timeline output")).to_have_text(f"step {index + 1} of {count}")

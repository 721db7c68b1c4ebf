"""Every drawing has words, or is left out for who cannot see it; a figure is described by what its lab does."""

import re
from collections.abc import Iterator

from playwright.sync_api import expect
from visit import Visit

BARE = """() => [...document.querySelectorAll("svg")].filter((svg) => !svg.closest("[aria-hidden=true]") &&
  !(svg.getAttribute("role") === "img" && svg.getAttribute("aria-label")))
  .map((svg) => svg.outerHTML.slice(0, 160))"""


def named(visit: Visit) -> Iterator[str]:
    page = visit.reader.page
    yield from (f"no words for {svg}" for svg in page.evaluate(BARE))
    for host in page.locator("[data-lab]").all():
        summary = host.evaluate("(one) => JSON.parse(one.querySelector('[data-props]').textContent).lab.summary")
        expect(host.locator("figure").first).to_have_accessible_description(re.compile(re.escape(summary)))

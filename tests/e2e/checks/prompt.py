"""Nothing stands between a page and its first picture. How long it takes, `make bench` tells.

What a frame was asked to hide, to fix or to colour it has to know before it is drawn.
"""

from visit import Visit

BLOCKING = """() => performance.getEntriesByType("resource")
  .filter((entry) => entry.renderBlockingStatus === "blocking").map((entry) => `${entry.name} blocks`)"""


def prompt(visit: Visit) -> list[str]:
    found: list[str] = visit.reader.page.evaluate(BLOCKING)
    return [] if visit.path.startswith("/embed/") else found

"""Every link within the site leads somewhere, and to something that is there before any script has run."""

import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import cache
from urllib.parse import unquote, urldefrag, urlsplit

from pages import PAGES, ids
from visit import Visit

HREFS = "() => [...document.querySelectorAll('a[href]')].map((one) => one.href)"


def led(visit: Visit) -> Iterator[str]:
    for link in sorted(set(visit.reader.page.evaluate(HREFS))):
        if not link.startswith(visit.server.url):
            continue
        address, anchor = urldefrag(link)
        if (status := answer(address)) != 200:
            yield f"{link} answers {status}"
        target = urlsplit(address).path
        if anchor and target in PAGES and unquote(anchor) not in ids(target):
            yield f"{link}: nothing there has that id"


@cache
def answer(address: str) -> int:
    try:
        with urllib.request.urlopen(address, timeout=20) as answered:
            return int(answered.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code

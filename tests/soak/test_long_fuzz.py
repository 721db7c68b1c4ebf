"""The fuzz test of tests/api with a thousand examples."""

from collections.abc import Callable
from typing import Any

import fuzz


def test_a_thousand_requests(serve: Callable[..., Any]) -> None:
    server = serve(**fuzz.BOUNDS)
    seen = fuzz.fuzz(server.url, examples=90, chains=100)
    print(f"\nfuzz: {dict(seen)}")  # noqa: T201
    assert sum(seen.values()) >= 1_000
    assert " ERROR " not in server.log.read_text()

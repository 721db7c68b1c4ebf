"""Nothing that can be sent is a server error, and the API's description of itself is true."""

from collections.abc import Callable
from typing import Any

import fuzz


def test_every_answer_is_as_the_description_says(serve: Callable[..., Any]) -> None:
    server = serve(**fuzz.BOUNDS)
    seen = fuzz.fuzz(server.url, examples=20, chains=20)
    assert sum(seen.values()) >= 200
    assert {200, 201, 404, 422} <= set(seen)
    assert " ERROR " not in server.log.read_text()

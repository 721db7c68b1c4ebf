"""The same lab gives the same log in the reader's browser and on the server, for whatever parameters it takes."""

import json
import random
import time
from collections.abc import Iterator
from typing import Any

import pytest
from alike import logs_differ
from draws import drawn
from extent import ALL, MORE, draws
from labs.contract import pack
from labs.discover import Lab, find
from measure.browser import another
from measure.serving import Server
from measure.worker import Python
from playwright.sync_api import Browser
from reader import reading
from underhood.contract.validation import canonical, validate

PORTABLE = {lab.id: lab for lab in find(("labs",)).values() if not (lab.measures or lab.shows_python)}
DRAWS = 12
SECONDS = 0.3 * (MORE if ALL else 1)  # of CPython for a lab; Pyodide takes a few times as many


@pytest.fixture(scope="module")
def python(browser: Browser, server: Server) -> Iterator[Python]:
    """In a browser that compiles well what it runs often: one Python runs all labs."""
    with another(browser.browser_type) as tuned, reading(tuned, server.url) as reader:
        reader.go("/bits/")
        yield Python(reader.page)


def draw(lab: Lab, seed: int) -> dict[str, Any]:
    """Valid parameters; seed 0 is the defaults."""
    chance = random.Random(f"{lab.id} {seed}")
    # What is typed by hand has few digits.
    rounded = {k: round(v, 4) if isinstance(v, float) else v for k, v in drawn(lab, chance).items()}
    return rounded if seed else canonical(lab.params())


def from_here(lab: Lab, params: dict[str, Any]) -> tuple[list[Any], str]:
    events: list[Any] = []
    try:
        events += (json.loads(json.dumps(pack(event))) for event in lab.run(validate(lab, params)))
    except Exception as error:
        return events, str(error)
    return events, ""


@pytest.mark.parametrize("lab", PORTABLE.values(), ids=list(PORTABLE))
def test_the_browser_says_what_the_server_says(lab: Lab, python: Python) -> None:
    """By default, for one draw, and for more until the lab's seconds are spent."""
    spent = 0.0
    for seed in range(1 + draws(DRAWS)):
        if seed > 1 and spent > SECONDS:
            return
        params = draw(lab, seed)
        there = python.run(lab.id, params)
        begun = time.process_time()
        here, reason = from_here(lab, params)
        spent += time.process_time() - begun
        assert there.reason == reason, params
        assert there.status == ("failed" if reason else "ok"), params
        assert len(there.events) == len(here)
        assert logs_differ(here, there.events) is None, params

"""The same lab gives the same log in the reader's browser and on the server, for whatever parameters it takes."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alike import logs_differ
from draws import drawn
from labs.contract import pack
from labs.discover import Lab, find
from measure.serving import Server
from playwright.sync_api import Browser, Page
from reader import reading
from underhood.contract import canonical, validate

DIST = Path(__file__).parents[2] / "frontend" / "dist"
PORTABLE = {lab.id: lab for lab in find(("labs",)).values() if not (lab.measures or lab.shows_python)}
DRAWS = 12

# The site's own worker, asked as the site asks it; buffers come back as base64.
ASK = """async ([lab, params]) => {
  const encode = (buffer) => {
    let text = "";
    for (const byte of new Uint8Array(buffer)) text += String.fromCharCode(byte);
    return btoa(text);
  };
  window.jobs = (window.jobs ?? 0) + 1;
  const events = [];
  return await new Promise((done) => {
    window.python.onmessage = ({ data }) => {
      if (data.id !== window.jobs) return;
      if (data.type === "events") for (const one of data.events) events.push([one.json, one.buffers.map(encode)]);
      if (data.type === "end") done({ events, status: data.status, reason: data.reason });
    };
    window.python.postMessage({ id: window.jobs, lab, params });
  });
}"""
START = """(url) => new Promise((done, fail) => {
  window.python = new Worker(url, { type: "module" });
  window.python.onmessage = ({ data }) => data.type === "ready" ? done() : fail(new Error(data.reason));
})"""


@pytest.fixture(scope="module")
def python(browser: Browser, server: Server) -> Iterator[Page]:
    """A page with the built worker, its Python started."""
    (worker,) = (DIST / "_astro").glob("pyodide.worker-*.js")
    with reading(browser, server.url, saving=True) as reader:
        reader.go("/bits/")
        reader.page.evaluate(START, f"/_astro/{worker.name}")
        yield reader.page


def draw(lab: Lab, seed: int) -> dict[str, Any]:
    """Valid parameters; seed 0 is the defaults."""
    chance = random.Random(f"{lab.id} {seed}")
    # What is typed by hand has few digits.
    rounded = {k: round(v, 4) if isinstance(v, float) else v for k, v in drawn(lab, chance).items()}
    return rounded if seed else canonical(lab.params())


def from_browser(events: list[tuple[str, list[str]]]) -> list[Any]:
    """Events of the worker in the form that the server sends: each array's bytes in its place."""

    def fill(value: Any, buffers: list[str]) -> Any:
        if isinstance(value, dict):
            if value.keys() == {"dtype", "shape", "data"}:
                return value | {"data": buffers[value["data"]]}
            return {key: fill(item, buffers) for key, item in value.items()}
        return [fill(item, buffers) for item in value] if isinstance(value, list) else value

    return [fill(json.loads(text), buffers) for text, buffers in events]


def from_here(lab: Lab, params: dict[str, Any]) -> tuple[list[Any], str]:
    events: list[Any] = []
    try:
        events += (json.loads(json.dumps(pack(event))) for event in lab.run(validate(lab, params)))
    except Exception as error:
        return events, str(error)
    return events, ""


@pytest.mark.parametrize("seed", range(DRAWS + 1))
@pytest.mark.parametrize("lab", PORTABLE.values(), ids=list(PORTABLE))
def test_the_browser_says_what_the_server_says(lab: Lab, seed: int, python: Page) -> None:
    params = draw(lab, seed)
    there = python.evaluate(ASK, [lab.id, params])
    here, reason = from_here(lab, params)
    assert there["reason"] == reason, params
    assert there["status"] == ("failed" if reason else "ok"), params
    browser = from_browser(there["events"])
    assert len(browser) == len(here)
    assert logs_differ(here, browser) is None, params

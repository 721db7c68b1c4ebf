"""The site's own worker that runs Python in a page, asked as the site asks it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Page

BUILT = Path(__file__).resolve().parents[2] / "frontend" / "dist" / "_astro"
START = """(url) => new Promise((done, fail) => {
  window.python = new Worker(url, { type: "module" });
  window.python.onmessage = ({ data: { type, versions, reason } }) => {
    if (type === "ready") done(versions);
    if (type === "broken") fail(new Error(reason));
  };
})"""
# Buffers come back as base64.
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
      if (data.type === "end") done([events, data.status, data.reason]);
    };
    window.python.postMessage({ id: window.jobs, lab, params });
  });
}"""


class Ran(NamedTuple):
    events: list[Any]
    """In the form that the server sends."""
    status: str
    reason: str


class Python:
    """The built worker in a page of the site, its Python started."""

    def __init__(self, page: Page) -> None:
        self.page = page
        (worker,) = BUILT.glob("pyodide.worker-*.js")
        self.versions: dict[str, str] = page.evaluate(START, f"/_astro/{worker.name}")

    def run(self, lab: str, params: dict[str, Any]) -> Ran:
        events, status, reason = self.page.evaluate(ASK, [lab, params])
        return Ran([_filled(json.loads(text), buffers) for text, buffers in events], status, reason)


def _filled(value: Any, buffers: list[str]) -> Any:
    """Each array's bytes in its place."""
    if isinstance(value, dict):
        if value.keys() == {"dtype", "shape", "data"}:
            return value | {"data": buffers[value["data"]]}
        return {key: _filled(item, buffers) for key, item in value.items()}
    return [_filled(item, buffers) for item in value] if isinstance(value, list) else value

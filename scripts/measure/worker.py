"""The site's own worker that runs Python in a page, asked as the site asks it."""

from __future__ import annotations

import json
import math
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from playwright.sync_api import Page

BUILT = Path(__file__).resolve().parents[2] / "frontend" / "dist" / "_astro"
START = """(url) => new Promise((done, fail) => {
  window.python = new Worker(url, { type: "module" });
  window.python.onmessage = ({ data: { type, versions, reason } }) => {
    if (type === "ready") done(versions);
    if (type === "broken") fail(new Error(reason));
  };
})"""
# Bytes come back as base64.
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
      if (data.type === "events") events.push([data.json, encode(data.bytes)]);
      if (data.type === "end") done([events, data.status, data.reason]);
    };
    window.python.postMessage({ id: window.jobs, lab, params, target: 0 });
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
        return Ran([one for text, arrays in events for one in filled(text, b64decode(arrays))], status, reason)


def filled(text: str, arrays: bytes) -> list[Any]:
    """Events as the server sends them: each array's bytes in its place."""

    def own(each: dict[str, Any]) -> Any:
        if each.keys() != {"dtype", "shape", "data"}:
            return each
        size = np.dtype(each["dtype"]).itemsize * math.prod(each["shape"])
        return each | {"data": b64encode(arrays[each["data"] : each["data"] + size]).decode()}

    return cast(list[Any], json.loads(text, object_hook=own))

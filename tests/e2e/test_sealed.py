"""Code that a reader changed has no way to the server, to other hosts, to storage, or to the page around it."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from measure.serving import Server
from playwright.sync_api import Browser, expect
from reader import PYTHON_MS, reading
from test_source import PAGE, Workshop, begin_with

# What a worker without a policy of its own could try. Each attempt tells whether it got through.
ATTEMPTS = """
const said = {};
const attempt = async (name, deed) => {
  try { said[name] = "reached: " + await deed(); } catch (error) { said[name] = "refused: " + error; }
};
const opened = (one) => new Promise((yes, no) => { one.onopen = () => yes("open"); one.onerror = no; });
onmessage = async ({ data: [site, other] }) => {
  const post = { method: "POST", mode: "no-cors", body: '{"lab": "learning/number_line", "params": {}}' };
  for (const [name, host] of [["this site", site], ["another host", other]]) {
    await attempt(`read ${name}`, async () => (await fetch(host + "/api/health")).status);
    await attempt(`ask ${name} blindly`, async () => (await fetch(host + "/api/health", { mode: "no-cors" })).type);
    await attempt(`post to ${name}`, async () => (await fetch(host + "/api/runs", post)).type);
    await attempt(`import from ${name}`, () => import(host + "/embed.js"));
    await attempt(`load a script of ${name}`, () => importScripts(host + "/embed.js"));
    await attempt(`stream from ${name}`, () => opened(new EventSource(host + "/api/events")));
    await attempt(`a socket to ${name}`, () => opened(new WebSocket(host.replace("http", "ws"))));
    await attempt(`XMLHttpRequest to ${name}`, () => {
      const request = new XMLHttpRequest();
      request.open("GET", host + "/api/health", false);
      request.send();
      return request.status;
    });
  }
  await attempt("eval", () => eval("1"));
  await attempt("localStorage", () => localStorage.length);
  await attempt("IndexedDB", () => indexedDB.open("x"));
  await attempt("caches", () => caches.open("x"));
  await attempt("parent", () => parent.location.href);
  await attempt("top", () => { top.location.href = other; return "moved"; });
  await attempt("document", () => document.cookie);
  postMessage(JSON.stringify(said));
};
"""

LAUNCH = f"""
import js
from pyodide.ffi import to_js
worker = js.Worker.new(js.URL.createObjectURL(js.Blob.new(to_js([{json.dumps(ATTEMPTS)}]))))
worker.onmessage = lambda event: setattr(js, "said", event.data)
worker.postMessage(to_js(["SITE", "OTHER"]))
from js import XMLHttpRequest
for host in ("SITE", "OTHER"):
    request = XMLHttpRequest.new()
    request.open("GET", host + "/api/health", False)
    try:
        request.send()
        print("reached", request.status)
    except BaseException as error:
        print("refused", error)
for name in ("document", "parent", "top", "localStorage", "opener", "frames"):
    print(name, "there" if hasattr(js, name) else "missing")
try:
    js.eval("1")
    print("eval works")
except BaseException:
    print("eval refused")
"""


@contextmanager
def another_host() -> Iterator[tuple[str, list[str]]]:
    """A server that lets everybody read it, and the requests that reached it."""
    seen: list[str] = []

    class Open(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(f"{self.command} {self.path}")
            self.send_response(200)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.send_header("Cross-Origin-Resource-Policy", "cross-origin")
            self.end_headers()

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Open) as host:
        Thread(target=host.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{host.server_port}", seen
        host.shutdown()


def test_the_sandbox_lets_nothing_out(browser: Browser, server: Server) -> None:
    with another_host() as (other, seen), reading(browser, server.url) as reader:
        reader.go(f"{PAGE}#number_line/source")
        reader.page.evaluate("localStorage.setItem('mine', 'secret')")
        answered: list[str] = []
        reader.page.context.on("response", lambda answer: answered.append(answer.url))
        shop = Workshop(reader)
        attack = LAUNCH.replace("SITE", server.url).replace("OTHER", other)
        shop.bring(begin_with(f"exec({attack!r}, {{}})")[0])
        shop.run()
        log = shop.panel.get_by_role("log")
        expect(log).to_contain_text("eval refused")
        said = log.inner_text().splitlines()
        assert len([line for line in said if line.startswith("refused")]) == 2, said
        assert not [line for line in said if line.startswith("reached") or line.endswith(" there")], said

        tells = "import js"
        deeds: dict[str, str] = {}
        for turn in range(50):  # its own worker answers later; each run looks whether it has
            shop.bring(begin_with(tells, f"print(js.said if hasattr(js, 'said') else {turn})")[0])
            shop.run()
            log.wait_for()
            expect(log).to_have_text(re.compile(rf"^({turn}\s*$|{{)"))
            if log.inner_text().startswith("{"):
                deeds = json.loads(log.inner_text())
                break
        assert len(deeds) == 23
        assert not [deed for deed in deeds.items() if not deed[1].startswith("refused")], deeds
        assert not seen
        assert not [url for url in answered if "/api/" in url or other in url]
        assert reader.page.url.startswith(server.url)
        reader.hears(f"{other}|/api/|embed.js|Content Security Policy|ws:")


def test_the_attempts_succeed_where_nothing_forbids_them(browser: Browser) -> None:
    """Else the test above would prove nothing."""
    page = browser.new_page()
    with another_host() as (other, seen):
        page.goto(other)
        said = page.evaluate(
            """([code, host]) => new Promise((done) => {
              const worker = new Worker(URL.createObjectURL(new Blob([code])));
              worker.onmessage = ({ data }) => done(JSON.parse(data));
              worker.postMessage([host, host]);
            })""",
            [ATTEMPTS, other],
        )
        reached = {name for name, words in said.items() if words.startswith("reached")}
        assert {"read another host", "ask another host blindly", "post to another host", "eval"} <= reached
        assert {"XMLHttpRequest to another host", "IndexedDB", "caches"} <= reached
        assert "POST /api/runs" in seen
    page.close()


@pytest.mark.parametrize("opened", ["", "#x"])
def test_its_page_has_no_origin_however_it_is_opened(opened: str, browser: Browser, server: Server) -> None:
    with reading(browser, server.url, saving=False) as reader:
        reader.go(f"/sandbox.html{opened}")
        assert reader.page.evaluate("self.origin") == "null"
        reader.page.evaluate("postMessage({}, '*')")  # as if somebody handed in files
        assert reader.workers == 0


def test_a_flood_of_events_is_bounded(browser: Browser, server: Server) -> None:
    with reading(browser, server.url) as reader:
        reader.go(f"{PAGE}#number_line/source")
        shop = Workshop(reader)
        shop.bring(begin_with("from types import SimpleNamespace", "yield from flood()")[0] + FLOOD)
        shop.figure.button("Run this code").click()
        alert = shop.figure.host.locator("p.error")
        expect(alert).to_contain_text("One event is larger than 1 MiB", timeout=PYTHON_MS)


FLOOD = """

def flood():
    for number in range(10_000):
        yield Event(text="x" * 2_000_000)
"""

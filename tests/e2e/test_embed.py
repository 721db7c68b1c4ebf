"""A figure in the page of another site: set, fixed and cut down by its address, as tall as it says."""

import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from measure.serving import Server
from playwright.sync_api import Browser, expect
from reader import Open

EMBED = "/embed/learning/number_line/"
Host = Callable[[str], str]


@pytest.fixture
def host() -> Iterator[Host]:
    """``host(html)`` serves a page on an origin of its own and says its address."""
    page = [""]

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = page[0].encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()

        def serve(html: str) -> str:
            page[0] = f"<!doctype html><title>Elsewhere</title><link rel=icon href=data:,>{html}"
            return f"http://127.0.0.1:{server.server_port}/"

        yield serve
        server.shutdown()
        thread.join()


def test_the_snippet_works_on_another_origin(read: Open, browser: Browser, server: Server, host: Host) -> None:
    reader = read("/labs/learning/number_line/?number_line.step=4")
    figure = reader.figure()
    figure.at(4)
    figure.button("Take away").click()
    reader.page.get_by_text("Show it on another page").click()
    reader.page.get_by_label("Panels").check()
    reader.page.get_by_role("group", name="Cannot be changed there").get_by_label("Scheme").check()
    html = reader.page.get_by_role("textbox", name="HTML for that page").input_value()
    assert "hide=panels" in html and "fix=scheme" in html

    context = browser.new_context(viewport={"width": 800, "height": 900})
    context.set_default_timeout(30_000)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.goto(host(html))
    inside = page.frame_locator("iframe")
    expect(inside.locator("output")).to_have_text("step 4 of 6")
    expect(inside.get_by_role("combobox", name="Scheme")).to_be_disabled()
    expect(inside.get_by_role("button", name="Take away")).to_be_hidden()
    expect(page.locator("iframe")).not_to_have_attribute("height", "720")
    frame = page.frames[1]
    height = frame.evaluate("() => Math.ceil(document.documentElement.getBoundingClientRect().height)")
    expect(page.locator("iframe")).to_have_attribute("height", str(height))
    assert frame.evaluate("() => document.documentElement.scrollHeight <= innerHeight"), "it scrolls in itself"
    inside.get_by_role("textbox", name="Bits").fill("7")
    inside.get_by_role("textbox", name="Bits").press("Enter")
    expect(inside.locator("details.badge summary")).to_contain_text("Recorded on")
    inside.get_by_role("button", name="Run it live").click()
    expect(inside.locator("details.badge summary")).to_have_text("In your browser", timeout=60_000)
    assert not complaints
    context.close()


def test_a_page_elsewhere_starts_nothing_on_the_server(browser: Browser, server: Server, host: Host) -> None:
    context = browser.new_context()
    context.set_default_timeout(30_000)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.method) if "/api/runs" in request.url else None)
    page.goto(host(f"<iframe src='{server.url}{EMBED}?bits=3&on=cpu' width=800 height=900></iframe>"))
    frame = page.frame_locator("iframe")
    expect(frame.locator("p.error")).to_contain_text("starts as soon as you click here")
    page.wait_for_timeout(500)
    assert asked == []
    with page.expect_request("**/api/runs"):
        frame.locator("p.error").dispatch_event("pointerdown")
    context.close()


def test_the_address_hides_sets_and_themes(read: Open) -> None:
    reader = read(f"{EMBED}?hide=controls,title&step=2&theme=dark", color_scheme="light")
    figure = reader.figure()
    figure.at(2)
    expect(figure.host.locator(".side")).to_be_hidden()
    expect(figure.badge).to_be_hidden()
    expect(figure.button("Restart")).to_be_visible()
    colour = reader.page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert colour == "rgb(21, 23, 26)"


def test_what_is_fixed_stays(read: Open) -> None:
    reader = read(f"{EMBED}?bits=3&fix=bits,value")
    figure = reader.figure()
    figure.settled(0)
    expect(figure.field("Bits")).to_be_disabled()
    expect(figure.slider("Bits")).to_be_disabled()
    before = figure.shapes
    figure.host.get_by_role("slider", name="Value to be stored").press("ArrowRight")
    assert figure.shapes == before
    said = figure.host.get_by_role("alert")
    expect(said).to_have_text("This page holds that setting fixed: it cannot be changed here.")
    figure.scrubber.press("ArrowLeft")
    expect(said).to_have_count(0)
    figure.set("Range to", 1.5)
    figure.button("Reset").click()
    expect(figure.field("Range to")).to_have_value("2.5")
    assert figure.field("Bits").input_value() == "3", "reset must not undo what a teacher fixed"
    expect(reader.page).to_have_url(re.compile("number_line.fix=bits"))


def test_what_cannot_be_is_said(read: Open) -> None:
    reader = read(f"{EMBED}?hide=everything&theme=pink&motion=more&bits=99&colour=red&fix=nothing")
    reader.figure()
    said = " ".join(reader.page.get_by_role("alert").all_inner_texts())
    for words in (
        "hides “everything”; it can hide controls, timeline, panels, title",
        "theme “pink”; there are light and dark",
        "motion “more”; it can ask for less",
        "Bits to “99”; it must be a whole number from 2 to 8",
        "sets “colour”, which this figure does not have",
        "fixes “nothing”",
    ):
        assert words in said

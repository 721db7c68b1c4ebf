"""Where a figure runs is the reader's choice; what cannot be had stays in the list, with the reason."""

import json
import re
from pathlib import Path

import pytest
from measure.serving import Server
from playwright.sync_api import Locator, Route, expect
from reader import Figure, Open

DIST = Path(__file__).parents[2] / "frontend" / "dist"
LINE = "/labs/learning/number_line/"
NETWORK = "/labs/learning/post_training_quantization/"
SLOW_LINE = "Object.defineProperty(navigator, 'connection', { value: { saveData: true, downlink: 2.5 } })"


def opener(figure: Figure) -> Locator:
    return figure.host.get_by_role("button", name=re.compile("^Run on"))


def choices(figure: Figure) -> Locator:
    """The choices, opened."""
    if opener(figure).get_attribute("aria-expanded") == "false":
        opener(figure).click()
    return figure.host.get_by_role("group", name="Run on").get_by_role("button")


def choice(figure: Figure, name: str) -> Locator:
    return choices(figure).and_(figure.host.get_by_role("button", name=name, exact=True))


def offered(figure: Figure, name: str, why: str | re.Pattern[str], there: bool = True) -> Locator:
    """The choice, once it says so; the words are its description, so a screen reader says them, too."""
    found = choice(figure, name)
    expect(found).to_have_accessible_description(why)
    expect(found).to_have_attribute("aria-disabled", "false" if there else "true")
    return found


def test_the_choices_say_what_they_are(read: Open, server: Server) -> None:
    reader = read(saving=False)
    reader.page.add_init_script(SLOW_LINE)
    reader.go(LINE)
    figure = reader.figure()
    expect(opener(figure)).to_have_text(re.compile("Recorded"))
    download = json.loads((DIST / "python.json").read_text("utf-8"))
    as_they_are = {path: (DIST / path[1:]).stat().st_size for path in download["files"]}
    assert all(0 < download["files"][path] <= size for path, size in as_they_are.items()), "compressed on the way"
    size, seconds = round(download["bytes"] / 1e6), -(-download["bytes"] * 8 // 2_500_000)
    offered(figure, "Your browser", re.compile(f"^Downloads {size} MB the first time, at most {seconds} s"))
    offered(figure, "This server’s CPU", server.api("/devices")[0]["name"])
    offered(figure, "This server’s GPU", "This lab makes no use of a GPU.", there=False)
    expect(offered(figure, "Recorded", re.compile("^Recorded on 2"))).to_have_attribute("aria-pressed", "true")
    assert not [path for path in reader.requests if path.startswith("/pyodide/")], "announced before it starts"


def test_a_light_lab_runs_on_the_server(read: Open) -> None:
    reader = read(LINE)
    figure = reader.figure()
    recorded = figure.sentence
    opener(figure).focus()
    reader.page.keyboard.press("Enter")
    offered(figure, "This server’s CPU", re.compile("core"))
    for _ in range(2):
        reader.page.keyboard.press("Tab")
    expect(choice(figure, "This server’s CPU")).to_be_focused()
    reader.page.keyboard.press("Enter")
    figure.settled(0)
    expect(figure.badge).to_have_text("On this server")
    expect(opener(figure)).to_be_focused()
    expect(opener(figure)).to_have_text(re.compile("This server’s CPU"))
    assert figure.sentence == recorded
    reader.address(figure.key, on="cpu")
    figure.set("Value", 1.5)
    assert reader.address(figure.key, value="1.5", on="cpu")["on"] == "cpu"
    assert reader.requests.count("/api/runs") == 2
    assert reader.workers == 0, "Python was started in the browser for nothing"

    there = read(reader.page.url).figure()
    there.settled(0)
    expect(there.badge).to_have_text("On this server")
    assert there.sentence == figure.sentence
    figure.reset()
    expect(opener(figure)).to_have_text(re.compile("Recorded"))
    expect(reader.page).to_have_url(re.compile(f"{LINE}$"))


def test_back_to_the_recording_keeps_the_step(read: Open) -> None:
    reader = read(LINE)
    figure = reader.figure()
    offered(figure, "This server’s CPU", re.compile("core")).click()
    figure.settled(0)
    figure.button("Back").click()
    figure.at(5, of=6)
    choice(figure, "Recorded").click()
    figure.at(5, of=6)
    expect(figure.badge).to_have_text(re.compile("^Recorded on"))
    figure.set("Value", 2)
    expect(figure.badge).to_have_text("In your browser")
    offered(figure, "Your browser", "Python is ready in this page.")
    why = "Other parameters were recorded than these. Reset the figure to see that run."
    offered(figure, "Recorded", why, there=False).press("Enter")
    expect(figure.badge).to_have_text("In your browser")
    reader.page.keyboard.press("Escape")
    expect(choices(figure)).to_have_count(4)  # opens it again


def test_the_list_closes(read: Open) -> None:
    reader = read(LINE)
    figure = reader.figure()
    listed = figure.host.get_by_role("group", name="Run on")
    opener(figure).click()
    expect(listed).to_be_visible()
    reader.page.keyboard.press("Escape")
    expect(listed).to_be_hidden()
    expect(opener(figure)).to_be_focused()
    opener(figure).click()
    figure.host.locator(".sentence").click()
    expect(listed).to_be_hidden()


def test_a_heavy_lab_says_why_not_in_the_browser(read: Open) -> None:
    figure = read(NETWORK).figure()
    why = "This lab needs programs that do not run in a browser."
    offered(figure, "Your browser", why, there=False).press("Enter")
    expect(figure.badge).to_have_text(re.compile("^Recorded on"))
    offered(figure, "This server’s CPU", re.compile("core"))


@pytest.mark.parametrize(
    ("status", "body", "why"),
    [
        (404, "<!doctype html>", "This copy of the book has no server, it is files alone."),
        (502, "Bad Gateway", "The server cannot be reached just now. Open this again when it is back."),
        (0, "", "The server cannot be reached just now. Open this again when it is back."),
        (200, "[]", "No machine that runs labs is connected to this server."),
    ],
)
def test_a_server_that_is_away(status: int, body: str, why: str, read: Open) -> None:
    reader = read()
    kind = "application/json" if body.startswith("[") else "text/html"

    def away(route: Route) -> None:
        route.fulfill(status=status, body=body, content_type=kind) if status else route.abort()

    reader.page.route("**/api/devices", away)
    reader.go(f"{LINE}?number_line.on=cpu")
    figure = reader.figure()
    expect(figure.host.get_by_role("alert")).to_contain_text(
        f"The link asks for a run on this server’s CPU. {why} The figure keeps to its own."
    )
    expect(figure.badge).to_have_text(re.compile("^Recorded on"))
    offered(figure, "This server’s CPU", why, there=False).press("Enter")
    offered(figure, "Your browser", re.compile("^Downloads"))
    expect(figure.badge).to_have_text(re.compile("^Recorded on"))
    reader.page.unroute("**/api/devices", away)
    reader.page.keyboard.press("Escape")
    offered(figure, "This server’s CPU", re.compile("core"))
    reader.hears("/api/devices|404|502|Failed to load")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("on=moon", "asks to run on “moon”; it must be one of browser, cpu, cuda, recorded."),
        ("on=cuda", "a run on this server’s GPU. This lab makes no use of a GPU."),
        ("value=1.5&number_line.on=recorded", "the recorded run. Other parameters were recorded than these."),
    ],
)
def test_a_link_to_a_place_that_is_not_there(asked: str, words: str, read: Open) -> None:
    reader = read(f"{LINE}?number_line.{asked}")
    figure = reader.figure()
    expect(figure.host.get_by_role("alert")).to_contain_text(words)
    if "value" in asked:
        figure.settled(0)
        expect(figure.badge).to_have_text("In your browser")
        assert figure.field("Value").input_value() == "1.5", "it runs where it runs by itself"
    else:
        expect(figure.badge).to_have_text(re.compile("^Recorded on"))


def test_a_lab_for_a_gpu(read: Open) -> None:
    """The page with a lab that can use a GPU, on a server with one and then without."""
    reader = read()
    asked: list[str] = []
    devices = [{"device": "cpu", "name": "A processor"}, {"device": "cuda", "name": "A graphics card"}]

    def with_gpu(route: Route) -> None:
        page = route.fetch()
        route.fulfill(response=page, body=page.text().replace('"runs_on":["cpu"]', '"runs_on":["cpu","cuda"]'))

    def refuse(route: Route) -> None:
        asked.append(route.request.post_data or "")
        route.fulfill(status=503, body='{"detail": "No cuda worker is alive", "code": "no_worker"}')

    reader.page.route(f"**{NETWORK}", with_gpu)
    reader.page.route("**/api/devices", lambda route: route.fulfill(json=devices))
    reader.page.route("**/api/runs", refuse)
    reader.go(NETWORK)
    figure = reader.figure()
    offered(figure, "This server’s GPU", "A graphics card").click()
    expect(figure.host.get_by_role("alert")).to_contain_text("No cuda worker is alive.")
    expect(figure.badge).to_have_text(re.compile("^Recorded on"))
    assert len(asked) == 1
    reader.address(figure.key, on="cuda")
    devices.pop()
    offered(figure, "This server’s GPU", "No machine with a GPU is connected to this server.", there=False)
    reader.hears("503")

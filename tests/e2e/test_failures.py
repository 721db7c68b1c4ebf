"""When something is missing the reader keeps the picture and the settings, and is told what to do."""

from collections.abc import Callable

from playwright.sync_api import Route, expect
from reader import Open

PATH = "/labs/learning/number_line/"


def test_python_that_cannot_start(read: Open) -> None:
    reader = read()

    def missing(route: Route) -> None:
        route.fulfill(status=404, body="")

    reader.page.route("**/pyodide/**", missing)
    reader.go(PATH)
    figure = reader.figure()
    figure.set("Bits", 7)
    recorded = figure.sentence
    figure.button("Run it live").click()
    alert = figure.host.get_by_role("alert")
    expect(alert).to_contain_text("Python could not start in this browser")
    expect(figure.host).to_have_attribute("data-status", "idle")
    assert figure.sentence == recorded, "the recorded picture stays"
    assert figure.badge.inner_text().startswith("Recorded on")
    assert figure.field("Bits").input_value() == "7", "and so do the settings"
    reader.page.unroute("**/pyodide/**", missing)
    serial = figure.serial
    alert.get_by_role("button", name="Try again").click()
    figure.settled(serial)
    expect(figure.badge).to_have_text("In your browser")
    expect(alert).to_have_count(0)
    reader.hears("/pyodide/|404|dynamically imported module")


def test_a_server_that_is_gone(read: Open) -> None:
    reader = read("/labs/learning/post_training_quantization/")

    def gone(route: Route) -> None:
        route.abort("connectionrefused")

    reader.page.route("**/api/**", gone)
    figure = reader.figure()
    recorded, shapes = figure.sentence, figure.shapes
    figure.field("Epochs").fill("1")
    figure.field("Epochs").press("Enter")
    alert = figure.host.get_by_role("alert")
    expect(alert).to_contain_text("The server cannot be reached. Your settings are kept")
    assert (figure.sentence, figure.shapes) == (recorded, shapes)
    assert figure.field("Epochs").input_value() == "1"
    figure.button("Back").click()  # the recording can still be scrubbed
    reader.page.unroute("**/api/**", gone)
    serial = figure.serial
    alert.get_by_role("button", name="Try again").click()
    figure.settled(serial)
    expect(figure.badge).to_have_text("On this server")
    expect(alert).to_have_count(0)
    reader.hears("/api/|ERR_CONNECTION_REFUSED")


def busy(seconds: int, times: int) -> Callable[[Route], None]:
    """A server that has no place so many times, and says when to come back."""
    left = [times]

    def answer(route: Route) -> None:
        left[0] -= 1
        if left[0] < 0:
            route.continue_()
        else:
            body = '{"detail": "64 runs are waiting already."}'
            route.fulfill(status=429, body=body, headers={"Retry-After": str(seconds)})

    return answer


def test_a_busy_server_is_asked_again_when_it_said(read: Open) -> None:
    reader = read("/labs/learning/post_training_quantization/")
    reader.page.route("**/api/runs", busy(seconds=1, times=2))
    figure = reader.figure()
    figure.button("Run it live").click()
    expect(figure.badge).to_contain_text("Waiting for a place, about 1 s")
    figure.settled()
    expect(figure.badge).to_have_text("On this server")
    expect(figure.host.get_by_role("alert")).to_have_count(0)
    reader.hears("429")


def test_a_server_that_stays_busy_says_when_to_come_back(read: Open) -> None:
    reader = read("/labs/learning/post_training_quantization/")
    reader.page.route("**/api/runs", busy(seconds=61, times=9))
    figure = reader.figure()
    figure.button("Run it live").click()
    expect(figure.host.get_by_role("alert")).to_contain_text("busy; try again in 61 s. Your settings are kept")
    reader.hears("429")


def test_a_stream_that_breaks_is_taken_up_where_it_was(read: Open) -> None:
    reader = read("/labs/learning/post_training_quantization/")
    asked: list[str] = []

    def cut(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.abort("connectionreset")
        else:
            route.continue_()

    reader.page.route("**/api/events?*", cut)
    figure = reader.figure()
    serial = figure.serial
    figure.field("Epochs").fill("2")
    figure.field("Epochs").press("Enter")
    figure.settled(serial)
    expect(figure.badge).to_have_text("On this server")
    assert len(asked) > 1
    assert not figure.host.get_by_role("alert").count()
    reader.hears("ERR_CONNECTION_RESET")


def test_a_recording_that_does_not_come(read: Open) -> None:
    reader = read()
    reader.page.route("**/recordings/**", lambda route: route.fulfill(status=503, body=""))
    reader.go(PATH)
    figure = reader.figure()
    before = figure.sentence
    figure.button("Back").click()
    expect(figure.host.get_by_role("alert")).to_contain_text("The recorded run could not be loaded (503)")
    assert figure.sentence == before
    figure.at(6, of=6)
    reader.hears("503|recordings")

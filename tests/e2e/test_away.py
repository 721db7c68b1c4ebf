"""A server behind a proxy that is away for five seconds: the reader's run goes on, and nothing is shown twice."""

import time

from playwright.sync_api import Route, expect
from reader import Open

AWAY = 5.0  # seconds
BACK = 6.0  # seconds within which the reader must be back: it asks each second, and the machine may be busy


def test_a_proxy_that_answers_502_for_five_seconds(read: Open) -> None:
    reader = read("/labs/learning/post_training_quantization/")
    began: list[float] = []
    resumed: list[float] = []

    def proxy(route: Route) -> None:
        began.append(time.monotonic())
        if time.monotonic() - began[0] < AWAY:
            route.fulfill(status=502, body="Bad Gateway")
        else:
            resumed.append(time.monotonic())
            route.continue_()

    reader.page.route("**/api/events?*", proxy)
    figure = reader.figure()
    serial = figure.serial
    figure.field("Epochs").fill("3")
    figure.field("Epochs").press("Enter")
    figure.settled(serial)
    expect(figure.badge).to_have_text("On this server")
    assert resumed[0] - began[0] - AWAY <= BACK
    assert len(began) < 20, "it asks again, but does not hammer"
    assert not figure.host.get_by_role("alert").count()
    reader.hears("502")

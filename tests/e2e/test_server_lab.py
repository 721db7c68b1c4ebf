"""A lab that runs on the server: it streams while it computes, and a changed wish stops the stale run."""

import json
import re
import time
import urllib.request
from typing import Any

import pytest
from extent import chosen
from labs.contract import Sentence
from measure.paint import ARTICLE
from measure.serving import Server
from playwright.sync_api import Request, expect
from reader import Figure, Open, Reader

PATH = "/labs/learning/post_training_quantization/"
QUICK = "?post_training_quantization.epochs=1"


def log(server: Server, run: str) -> list[dict[str, Any]]:
    """All events of a run that has ended."""
    with urllib.request.urlopen(f"{server.url}/api/runs/{run}/events", timeout=60) as stream:
        lines = stream.read().decode().splitlines()
    return [json.loads(line[5:]) for line in lines if line.startswith("data:")]


def ended(server: Server, run: str) -> str:
    """How a run has ended, a moment after it was stopped."""
    give_up = time.monotonic() + 20
    while (status := str(server.api(f"/runs/{run}")["status"])) in ("queued", "running"):
        assert time.monotonic() < give_up, "it goes on"
        time.sleep(0.1)
    return status


def ask(reader: Reader, figure: Figure, name: str, value: object) -> None:
    figure.field(name).fill(str(value))
    figure.field(name).press("Enter")


# Type a value into the field of a parameter, and once this step comes, another; a run of seconds waits for no test.
ASK_AT = """(figure, [step, name, first, then]) => new Promise((done) => {
  const output = figure.querySelector(".timeline output");
  const { control } = [...figure.querySelectorAll("label")].find((one) => one.textContent === name);
  const ask = (value) => {
    control.value = value;
    control.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const look = (_, watch) => {
    if (parseInt(output.textContent.slice(5)) < step || figure.dataset.status !== "running") return;
    watch.disconnect();
    ask(then);
    done();
  };
  new MutationObserver(look).observe(output, { childList: true, characterData: true, subtree: true });
  ask(first);
})"""


# Ask for a seed, and twice more for the same, each time before the button would stop the run.
ASK_AGAIN = """async (figure, [seed, pause]) => {
  const { control } = [...figure.querySelectorAll("label")].find((one) => one.textContent === "Seed");
  control.value = seed;
  control.dispatchEvent(new Event("change", { bubbles: true }));
  for (let again = 0; again < 2; again++) {
    await new Promise((done) => setTimeout(done, pause));
    figure.querySelector("footer button").click();
  }
}"""


class Posts:
    """The runs that a page started, in order, as the server named them."""

    def __init__(self, reader: Reader) -> None:
        self.sent: list[Request] = []
        reader.page.on("request", self._note)

    def _note(self, request: Request) -> None:
        if request.method == "POST" and request.url.endswith("/api/runs"):
            self.sent.append(request)

    def ids(self) -> list[str]:
        return [str(answer.json()["id"]) for request in self.sent if (answer := request.response())]


def test_it_streams_and_ends_with_what_the_log_says(read: Open, server: Server) -> None:
    reader = read(PATH)
    posts = Posts(reader)
    figure = reader.figure()
    assert figure.badge.inner_text().startswith("Recorded on")
    recorded = figure.host.locator(".timeline output").inner_text()
    reader.page.evaluate(
        """() => {
          window.seen = new Set();
          const output = document.querySelector(".timeline output");
          new MutationObserver(() => window.seen.add(output.textContent))
            .observe(output, { childList: true, characterData: true, subtree: true });
        }"""
    )
    figure.set("Epochs", 1)
    figure.set("Bits per weight", 3)
    expect(figure.badge).to_have_text("On this server")
    events = log(server, posts.ids()[-1])
    assert figure.sentence == Sentence.unpacked(events[-2]["text"])
    assert events[-1] == {"kind": "end", "status": "ok", "reason": ""}
    ours = [event for event in events if event["kind"] not in ("queued", "started", "end")]
    seen = set(reader.page.evaluate("() => [...window.seen]"))
    partly = {f"step {count} of {count}" for count in range(1, len(ours))} - {recorded}
    assert seen & partly, f"it did not stream: {seen}"
    figure.at(len(ours), of=len(ours))
    assert server.api(f"/runs/{posts.ids()[-1]}")["params"]["weight_bits"] == 3


def test_a_newer_wish_cancels_the_run(read: Open, server: Server) -> None:
    reader = read(PATH)
    posts = Posts(reader)
    figure = reader.figure()
    figure.host.evaluate(ASK_AT, [3, "Epochs", 20, 1])
    ask(reader, figure, "Bits per activation", 6)
    figure.settled()
    expect(figure.badge).to_have_text("On this server")
    stale, *_, last = posts.ids()
    assert ended(server, stale) == "cancelled"
    shown = server.api(f"/runs/{last}")
    assert (shown["params"]["epochs"], shown["params"]["activation_bits"]) == (1, 6)
    assert figure.sentence == Sentence.unpacked(log(server, last)[-2]["text"])
    assert figure.field("Epochs").input_value() == "1"
    assert not figure.host.get_by_role("alert").count()


def test_reset_stops_the_run_and_shows_the_recording(read: Open, server: Server) -> None:
    reader = read(PATH)
    posts = Posts(reader)
    figure = reader.figure()
    recorded, sentence = figure.shapes, figure.sentence
    ask(reader, figure, "Epochs", 18)
    figure.press_at(2, "Reset")  # while the pictures come in
    expect(figure.badge).to_have_text(re.compile("Recorded on"))
    expect(figure.host).to_have_attribute("data-status", "idle")
    assert (figure.shapes, figure.sentence) == (recorded, sentence)
    reader.page.wait_for_timeout(500)
    assert (figure.shapes, figure.sentence) == (recorded, sentence), "a stale picture came after the reset"
    (run,) = posts.ids()
    assert ended(server, run) == "cancelled"


def test_a_reader_who_steps_back_is_left_there_while_it_runs(read: Open) -> None:
    reader = read(PATH)
    figure = reader.figure()
    ask(reader, figure, "Epochs", 19)
    figure.press_at(2, "Restart")  # while the pictures come in
    figure.at(1)
    for _ in range(5):
        reader.page.wait_for_timeout(60)
        assert figure.steps[0] == 1
    figure.scrubber.press("End")
    figure.settled()
    last, of = figure.steps
    assert last == of > 60, "who goes to the end follows again, to the last"


@pytest.mark.parametrize("pause", chosen([0, 15, 60, 300], [0, 300]))
def test_an_impatient_reader_who_asks_twice_for_the_same(pause: int, read: Open) -> None:
    reader = read(PATH)
    figure = reader.figure()
    figure.host.evaluate(ASK_AGAIN, [100 + pause, pause])
    figure.settled(0)
    expect(figure.badge).to_have_text("On this server")
    last, of = figure.steps
    assert last == of > 60, "it is not the whole run"
    assert not figure.host.get_by_role("alert").count()


def test_a_run_is_shared_with_the_next_reader(read: Open, server: Server) -> None:
    one, two = read(PATH + QUICK), read(PATH + QUICK)
    first, second = one.figure(), two.figure()
    first.settled(0)
    second.settled(0)
    expect(second.badge).to_have_text("On this server")
    assert first.sentence == second.sentence
    assert first.shapes == second.shapes


def test_another_run_of_the_page_leaves_the_stream_of_the_first(read: Open) -> None:
    reader = read(ARTICLE + "?number_line.on=cpu")
    broken: list[str] = []
    reader.page.on("requestfailed", lambda request: broken.append(request.url))
    posts = Posts(reader)
    line, network = reader.figure("number_line"), reader.figure("post_training_quantization")
    line.settled(0)
    ask(reader, network, "Epochs", 16)
    expect(network.host).to_have_attribute("data-status", "running")
    for value in (1.5, 2.5):
        line.set("Value", value)
    expect(network.host).to_have_attribute("data-status", "running")
    (run,) = (each for each, sent in zip(posts.ids(), posts.sent, strict=True) if "epochs" in str(sent.post_data))
    assert not [url for url in broken if run in url]
    network.settled()
    expect(line.badge).to_have_text("On this server")
    expect(network.badge).to_have_text("On this server")
    assert len([path for path in reader.requests if path.startswith("/api/events")]) == len(posts.sent) == 4

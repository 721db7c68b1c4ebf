"""The newest wish wins: no picture of an older one is left standing, and nothing old is in its way."""

import json
from collections.abc import Iterator

import pytest
from alike import last_sentence, sentences_differ
from labs.discover import find
from measure.serving import Server
from playwright.sync_api import Browser, Route, expect
from reader import PYTHON_MS, SOON_MS, Figure, Reader, reading

MATRIX = find(("labs",))["learning/uniform_quantization"]
LINE = find(("labs",))["learning/number_line"]

# Move a slider to each of these values, and on until so many pictures have come while it moved.
MOVE = """async (figure, [name, values, pause, pictures]) => {
  const slider = figure.querySelector(`input[aria-label="${name}, slider"]`);
  const before = Number(figure.dataset.serial);
  for (let moves = 0; moves < values.length || Number(figure.dataset.serial) < before + pictures; moves++) {
    if (moves === 1000) throw new Error(`${Number(figure.dataset.serial) - before} pictures in ${moves} moves`);
    slider.value = values[moves % values.length];
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((done) => setTimeout(done, pause));
  }
}"""

ASK_IN_TURN = """async (figure, [name, values]) => {
  const label = [...figure.querySelectorAll("label")].find((one) => one.textContent === name);
  for (const [value, pause] of values) {
    label.control.value = value;
    label.control.dispatchEvent(new Event("change", { bubbles: true }));
    await new Promise((done) => setTimeout(done, pause));
  }
}"""

# Put into a lab: at one value it computes for ever, at another its second picture takes long.
STALL = """

def run(params: Params, pictures=run) -> Iterator[Step]:
    import time
    for index, picture in enumerate(pictures(params)):
        takes = {2.22: (0.05, 0.6), 3.33: (0.05, 1e9)}.get(params.value, (0, 0))[min(index, 1)]
        until = time.perf_counter() + takes
        while time.perf_counter() < until:
            pass
        yield picture
"""


@pytest.mark.parametrize("pause", [0, 30])
def test_fifty_moves_of_a_slider_end_on_the_last(pause: int, live: Reader, matrix: Figure) -> None:
    matrix.set("Bits per weight", 3)
    serial = matrix.serial
    values = [90 + index % 10 for index in range(49)]
    # With a pause a moving slider paints while it moves.
    matrix.host.evaluate(MOVE, ["Keep the central", values, pause, 3 if pause else 0])
    matrix.host.evaluate(MOVE, ["Keep the central", [97], pause, 0])
    matrix.settled(serial)
    right = last_sentence(MATRIX, {"bits": 3, "clip": 97.0})
    assert sentences_differ(matrix.sentence, right) is None
    shown = matrix.shapes
    live.page.wait_for_timeout(400)
    assert matrix.shapes == shown, "a stale picture came later"
    assert matrix.field("Keep the central").input_value() == "97"


def test_a_moving_slider_keeps_its_interpreter(live: Reader, matrix: Figure) -> None:
    """Dropped runs end by themselves; a healthy worker must not be taken for a stuck one."""
    matrix.set("Bits per weight", 5)
    before = live.workers
    values = [90 + index % 10 for index in range(100)]
    matrix.host.evaluate(MOVE, ["Keep the central", values, 25, 0])
    matrix.settled()
    live.page.wait_for_timeout(1200)
    assert live.workers == before
    assert not matrix.host.get_by_role("alert").count()


def test_a_moving_slider_keeps_the_step(matrix: Figure) -> None:
    """Runs that are cut short on the way are not whole ones, of which the reader would have seen the last step."""
    matrix.set("Bits per weight", 5)
    for _ in range(3):
        matrix.button("Back").click()
    matrix.at(3, of=6)
    serial = matrix.serial
    matrix.host.evaluate(MOVE, ["Keep the central", [90 + index % 10 for index in range(30)], 15, 0])
    matrix.settled(serial)
    matrix.at(3, of=6)


def stalling(route: Route) -> None:
    """The number line as the site serves it, but that it stalls at two of its values."""
    pack = route.fetch().json()
    pack["labs/learning/number_line.py"] += STALL
    route.fulfill(body=json.dumps(pack))


@pytest.fixture(scope="module")
def stalled(browser: Browser, server: Server) -> Iterator[tuple[Reader, Figure]]:
    with reading(browser, server.url) as reader:
        reader.page.route("**/labs/packs/labs.learning.number_line.*", stalling)
        reader.go("/labs/learning/number_line/")
        figure = reader.figure("number_line")
        figure.set("Value", 1)
        yield reader, figure


def ask(figure: Figure, value: object) -> None:
    figure.field("Value").fill(str(value))
    figure.field("Value").press("Enter")


def test_what_does_not_let_go_is_replaced(stalled: tuple[Reader, Figure]) -> None:
    reader, figure = stalled
    before = reader.workers
    ask(figure, 3.33)
    reader.page.wait_for_timeout(500)
    expect(figure.host).to_have_attribute("data-status", "running")
    ask(figure, -1)
    expect(figure.host).to_have_attribute("data-status", "idle", timeout=PYTHON_MS)
    assert sentences_differ(figure.sentence, last_sentence(LINE, {"value": -1.0})) is None
    assert reader.workers == before + 1


def test_reset_lets_go_of_what_computes_for_ever(stalled: tuple[Reader, Figure]) -> None:
    _, figure = stalled
    ask(figure, 3.33)
    figure.reset()
    assert figure.badge.inner_text().startswith("Recorded on")
    figure.set("Value", -2)
    assert sentences_differ(figure.sentence, last_sentence(LINE, {"value": -2.0})) is None


def test_a_run_that_is_dropped_before_it_began_blocks_nothing(stalled: tuple[Reader, Figure]) -> None:
    """While a picture is computed that nobody looks at, a wish comes and goes, and then another."""
    _, figure = stalled
    figure.button("Restart").click()
    figure.at(1)
    figure.host.evaluate(ASK_IN_TURN, ["Value", [[2.22, 20], [0.5, 100], [-3, 0]]])
    expect(figure.host).to_have_attribute("data-status", "idle", timeout=SOON_MS)
    figure.at(1, of=6)
    figure.scrubber.press("End")
    figure.at(6)
    assert sentences_differ(figure.sentence, last_sentence(LINE, {"value": -3.0})) is None

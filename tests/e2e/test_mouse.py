"""With a mouse: what can be dragged follows the hand, and time runs, stops and goes back."""

import pytest
from playwright.sync_api import Locator, Page, expect
from reader import PHONE, Figure, Open, Reader
from test_timeline import FILM

AXIS = 8.8  # the number line shows −4.4 to 4.4
# Press Play; how many milliseconds pass until another step is shown.
NEXT_STEP = """(figure) => new Promise((done) => {
  const begun = performance.now();
  new MutationObserver((_, watch) => (watch.disconnect(), done(performance.now() - begun)))
    .observe(figure.querySelector(".timeline output"), { childList: true, characterData: true, subtree: true });
  figure.querySelector('[aria-label="Play"]').click();
})"""


SCROLLED = """([top]) => new Promise((done) => {
  const look = () => (scrollY > top ? done() : requestAnimationFrame(look));
  look();
})"""


def drag(live: Reader, figure: Figure, handle: str, to: float) -> None:
    """Drag a handle of the number line to a number, in steps as a hand does."""
    grip = figure.host.get_by_role("slider", name=handle)
    area, box = grip.locator("..").bounding_box(), grip.bounding_box()
    assert area is not None
    assert box is not None
    assert min(box["width"], box["height"]) >= 40, "too small for a finger"
    mouse, y = live.page.mouse, box["y"] + box["height"] / 2
    serial = figure.serial
    mouse.move(box["x"] + box["width"] / 2, y)
    mouse.down()
    mouse.move(area["x"] + area["width"] * (to / AXIS + 0.5), y + 30, steps=8)
    mouse.up()
    figure.settled(serial)


@pytest.mark.parametrize(
    ("handle", "to", "expected"),
    [
        ("Value to be stored", -2.2, {"Value": -2.2}),
        ("Value to be stored", 7.0, {"Value": 4}),
        ("Lower end of the range", -3.0, {"Range from": -3.0, "Range to": 2.5}),
        ("Upper end of the range", 0.5, {"Range from": -1.0, "Range to": 0.5}),
        ("Upper end of the range", -2.0, {"Range from": -2.05, "Range to": -2.0}),
    ],
)
def test_a_handle_follows_the_hand(
    handle: str, to: float, expected: dict[str, float], live: Reader, line: Figure
) -> None:
    before = line.shapes
    drag(live, line, handle, to)
    for name, value in expected.items():
        assert float(line.field(name).input_value()) == pytest.approx(value, abs=0.051)
    assert line.shapes != before
    assert live.page.evaluate("() => String(getSelection())") == "", "dragging selected text"
    dropped = line.field("Value").input_value()
    live.page.mouse.move(10, 10)
    assert line.field("Value").input_value() == dropped, "it still follows after it was let go"


def test_play_runs_to_the_end_and_stops(line: Figure) -> None:
    line.host.get_by_role("combobox", name="Speed").select_option("4×")
    line.at(6, of=6)
    *_, first, second, third, fourth, fifth, last = line.host.evaluate(FILM)
    assert [first, second, third, fourth, fifth, last] == [f"step {n} of 6" for n in range(1, 7)]
    line.host.get_by_role("combobox", name="Speed").select_option("1×")


def test_speed_is_speed(line: Figure) -> None:
    took: dict[str, list[float]] = {"1×": [], "4×": []}
    for speed in ("1×", "4×", "4×", "4×"):
        line.host.get_by_role("combobox", name="Speed").select_option(speed)
        line.button("Restart").click()
        line.at(1)
        took[speed].append(line.host.evaluate(NEXT_STEP))
        line.button("Pause").click()
    line.host.get_by_role("combobox", name="Speed").select_option("1×")
    assert min(took["4×"]) < took["1×"][0] / 2  # a busy machine makes any of them longer, and none shorter


def test_a_pause_holds(live: Reader, line: Figure) -> None:
    line.host.get_by_role("combobox", name="Speed").select_option("4×")
    line.button("Restart").click()
    line.at(1)
    line.press_at(3, "Pause", first="Play")
    held = line.steps
    live.page.wait_for_timeout(800)
    assert line.steps == held == (3, 6)
    line.button("Play").click()  # goes on from there
    line.at(6)
    line.host.get_by_role("combobox", name="Speed").select_option("1×")


def test_back_forward_and_restart(line: Figure) -> None:
    pictures = {6: line.shapes}
    for button, step in (("Back", 5), ("Back", 4), ("Restart", 1), ("Forward", 2), ("Forward", 3), ("Forward", 4)):
        line.button(button).click()
        line.at(step, of=6)
        assert line.scrubber.input_value() == str(step - 1)
        assert pictures.setdefault(step, line.shapes) == line.shapes, "the same step, drawn otherwise"
    assert len({tuple(shapes) for shapes in pictures.values()}) > 4


def test_stepping_through_a_live_run_keeps_the_place(live: Reader, line: Figure) -> None:
    """Who looks at step 3 and changes a parameter sees step 3 of the new run."""
    line.button("Restart").click()
    line.button("Forward").click()
    line.button("Forward").click()
    line.at(3, of=6)
    line.set("Value", 0.5)
    line.at(3, of=6)
    line.set("Value", -0.5)
    line.at(3, of=6)
    expect(line.badge).to_have_text("In your browser")


def test_reset_restores_the_recorded_picture(line: Figure) -> None:
    recorded, sentence = line.shapes, line.sentence
    expect(line.button("Reset")).to_be_disabled()
    line.set("Value", -3)
    line.button("Restart").click()
    line.at(1)
    line.reset()
    line.at(6, of=6)
    assert (line.shapes, line.sentence) == (recorded, sentence)
    assert line.badge.inner_text().startswith("Recorded on")
    expect(line.host.get_by_role("slider", name="Value to be stored")).to_have_attribute("aria-valuenow", "1.3")


def test_a_handle_taken_at_its_edge_does_not_jump(live: Reader, line: Figure) -> None:
    box = line.host.get_by_role("slider", name="Value to be stored").bounding_box()
    assert box is not None
    live.page.mouse.move(box["x"] + 4, box["y"] + box["height"] / 2)
    live.page.mouse.down()
    serial = line.serial
    live.page.mouse.move(box["x"] + 4 + box["width"], box["y"] + 10, steps=4)
    live.page.mouse.up()
    line.settled(serial)
    moved = line.host.get_by_role("slider", name="Value to be stored").bounding_box()
    assert moved is not None
    assert moved["x"] - box["x"] == pytest.approx(box["width"], abs=2)


def swipe(page: Page, grip: Locator, across: int, down: int) -> None:
    box = grip.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = page.context.new_cdp_session(page)
    for i in range(11):
        points = [{"x": x + across * i / 10, "y": y + down * i / 10}]
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove" if i else "touchStart", "touchPoints": points})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize("name", ["Value to be stored", "Step", "Bits, slider"])
def test_a_finger_moves_sideways_and_scrolls_up_and_down(name: str, read: Open) -> None:
    reader = read("/labs/learning/number_line/?number_line.on=cpu", **PHONE)
    page, figure = reader.page, reader.figure()
    figure.settled(0)
    grip = figure.host.get_by_role("slider", name=name, exact=True)
    value = "(grip) => grip.value ?? grip.ariaValueNow"
    page.evaluate("() => scrollTo(0, 200)")
    grip.scroll_into_view_if_needed()
    serial, before, top = figure.serial, grip.evaluate(value), page.evaluate("() => scrollY")
    swipe(page, grip, 0, -150)
    page.evaluate(SCROLLED, [top + 50])
    assert grip.evaluate(value) == before
    grip.scroll_into_view_if_needed()
    swipe(page, grip, -70, 0)
    figure.settled(serial)
    assert grip.evaluate(value) != before


@pytest.mark.parametrize("key", ["number_line", "uniform_quantization", "choices", "post_training_quantization"])
def test_what_can_be_dragged_is_large_enough_for_a_finger(key: str, live: Reader) -> None:
    for grip in live.figure(key).host.get_by_role("slider").all():
        box = grip.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 40, grip.get_attribute("aria-label")
        assert grip.evaluate("(grip) => getComputedStyle(grip).touchAction") == "pan-y"

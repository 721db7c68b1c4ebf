"""A lab that runs in the reader's browser: touched, it computes, says so, and is right."""

from typing import Any

import pytest
from alike import last_sentence, sentences_differ
from labs.discover import Lab, find
from playwright.sync_api import expect
from reader import Figure, Reader

LABS = {lab.id: lab for lab in find(("labs",)).values()}
MATRIX, LINE = LABS["learning/uniform_quantization"], LABS["learning/number_line"]


def check(figure: Figure, lab: Lab, **changed: Any) -> None:
    """The figure says what CPython says for the same parameters."""
    expect(figure.badge).to_have_text("In your browser")
    assert sentences_differ(figure.sentence, last_sentence(lab, changed)) is None


@pytest.mark.parametrize(
    ("lab", "control", "key", "changed"),
    # No values that were recorded: what was recorded is shown while Python is not there yet.
    [(MATRIX, "Keep the central", "Home", {"clip": 90.0}), (LINE, "Value", "Home", {"value": -4.0})],
)
def test_a_slider_brings_a_figure_to_life(
    lab: Lab, control: str, key: str, changed: dict[str, float], live: Reader
) -> None:
    figure = live.figure(lab.id.split("/")[1])
    assert figure.badge.inner_text().startswith("Recorded on")
    sentence, shapes, serial = figure.sentence, figure.shapes, figure.serial
    figure.slider(control).focus()
    live.page.keyboard.press(key)
    figure.settled(serial)
    for field in (figure.slider(control), figure.field(control)):
        assert [float(field.input_value())] == [*changed.values()]
    assert figure.sentence != sentence
    assert figure.shapes != shapes
    check(figure, lab, **changed)
    assert live.workers == 1, "one interpreter serves the whole page"


def test_every_kind_of_control_reaches_the_lab(matrix: Figure) -> None:
    wanted: dict[str, Any] = {"source": "outlier"}
    matrix.choose("Weights", "outlier")
    check(matrix, MATRIX, **wanted)
    matrix.set("Keep the central", 99.5)
    check(matrix, MATRIX, **(wanted := wanted | {"clip": 99.5}))
    matrix.choose("Group size", "128")
    matrix.choose("One scale for each", "group")
    check(matrix, MATRIX, **(wanted := wanted | {"granularity": "group", "group": 128}))
    serial = matrix.serial
    matrix.host.get_by_role("switch", name="max(w) instead of max|w|").check()
    matrix.settled(serial)
    check(matrix, MATRIX, **(wanted | {"max_without_abs": True}))


def test_two_figures_of_one_lab_keep_apart(live: Reader, matrix: Figure) -> None:
    other = live.figure("choices")
    before = other.shapes, other.sentence
    matrix.set("Keep the central", 92)
    assert (other.shapes, other.sentence) == before
    other.set("Keep the central", 98)
    check(matrix, MATRIX, clip=92.0)
    check(other, MATRIX, clip=98.0)


def test_a_seed_is_rolled_and_taken_back_on_purpose_only(matrix: Figure) -> None:
    recorded = matrix.shapes
    matrix.choose("Weights", "normal")
    serial, before = matrix.serial, matrix.shapes
    matrix.button("Re-roll").click()
    matrix.settled(serial)
    seed = int(matrix.field("Seed").input_value())
    assert seed != 0, "one time in a hundred thousand this is chance"
    assert matrix.shapes != before
    check(matrix, MATRIX, source="normal", seed=seed)
    rolled = matrix.shapes
    matrix.set("Bits per weight", 7)
    for button in ("Restart", "Run again"):  # neither rolls
        serial = matrix.serial
        matrix.button(button).click()
        matrix.settled(serial)
        assert matrix.field("Seed").input_value() == str(seed)
    matrix.set("Bits per weight", 4)
    matrix.scrubber.press("End")
    assert matrix.shapes == rolled, "the same settings and seed, another picture"
    serial = matrix.serial
    matrix.button("Reset").click()
    matrix.settled(serial)
    assert matrix.field("Seed").input_value() == str(seed)
    check(matrix, MATRIX, seed=seed)
    matrix.button("Reset seed").click()
    expect(matrix.button("Reset")).to_be_disabled()
    matrix.settled()
    assert matrix.field("Seed").input_value() == "0"
    assert matrix.badge.inner_text().startswith("Recorded on")
    assert matrix.shapes == recorded


def test_a_lab_that_refuses_says_what_to_do(line: Figure) -> None:
    before = line.shapes
    line.field("Range from").fill("3")
    line.field("Range from").press("Enter")
    alert = line.host.get_by_role("alert")
    expect(alert).to_contain_text("The range is empty: drag its right end to the right of its left end.")
    assert line.field("Range from").input_value() == "3", "what was typed is kept"
    assert len(line.shapes) == len(before), "the last good picture stays"
    line.set("Range from", "-2")
    expect(alert).to_have_count(0)
    check(line, LINE, low=-2.0)


def test_run_it_live_keeps_the_picture(line: Figure) -> None:
    recorded, sentence, serial = line.shapes, line.sentence, line.serial
    line.button("Run it live").click()
    line.settled(serial)
    expect(line.badge).to_have_text("In your browser")
    assert sentences_differ(line.sentence, sentence) is None
    assert line.shapes == recorded

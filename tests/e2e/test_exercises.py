"""Exercises check what a reader answers, help, and remember; by mouse, by keyboard, and without a script."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect
from reader import PYTHON_MS, Open, Reader

ARTICLE = "/learning/quantization/"
AWAKE = "[data-progress] [data-all]:enabled"


class Exercise:
    def __init__(self, reader: Reader, key: str) -> None:
        self.reader = reader
        self.host = reader.page.locator(f"#{key}")

    def field(self, name: str) -> Locator:
        return self.host.get_by_label(name, exact=True)

    def blank(self, name: str, given: str) -> Locator:
        """Type into a blank, press Enter, and give what is said of it."""
        self.field(name).fill(given)
        self.field(name).press("Enter")
        return self.host.locator(f'.blank:has([aria-label="{name}"]) .says')

    @property
    def state(self) -> Locator:
        return self.host.locator("[data-state]")


@pytest.fixture
def opened(read: Open) -> Iterator[Reader]:
    reader = read(ARTICLE)
    reader.page.locator(AWAKE).wait_for()
    yield reader


def said(locator: Locator, words: str, sign: str) -> None:
    expect(locator).to_have_text(re.compile(words))
    expect(locator).to_have_attribute("data-sign", sign)


def total(reader: Reader) -> Locator:
    return reader.page.locator("[data-progress] [role=status]")


def test_blanks_right_wrong_and_mistaken(opened: Reader) -> None:
    exercise = Exercise(opened, "off-zero")
    expect(total(opened)).to_have_text("0 of 7 exercises solved")
    said(exercise.blank("the scale", "abc"), "Type a number, such as", "wrong")
    said(exercise.blank("the scale", "3"), "Too large", "wrong")
    said(exercise.blank("the scale", "0.1333"), "so the range is stretched first", "wrong")
    expect(exercise.field("the scale")).to_have_attribute("aria-invalid", "true")
    said(exercise.blank("the scale", "0.17"), "Close: give one digit more", "wrong")
    said(exercise.blank("the scale", "2.5/15"), "right", "right")
    said(exercise.blank("the zero point", "8"), "look at the sign", "wrong")
    said(exercise.blank("the zero point", "7"), "the highest code", "wrong")
    said(exercise.blank("the zero point", "−8"), "right", "right")
    said(exercise.blank("the largest error", "0,0833"), "right", "right")
    expect(exercise.state).to_have_text("")
    said(exercise.blank("the symmetric scale", "5/14"), "right", "right")
    expect(exercise.state).to_have_text("✓ solved")
    expect(total(opened)).to_have_text("1 of 7 exercises solved")


def test_hints_come_one_after_the_other(opened: Reader) -> None:
    host = Exercise(opened, "which-hurts-more").host
    hints = host.locator("details.hint summary")
    for place in range(2):
        expect(hints.nth(place)).to_be_visible()
        for later in range(place + 1, 2):
            expect(hints.nth(later)).to_be_hidden()
        hints.nth(place).click()
        expect(host.locator("details.hint p").nth(place)).to_be_visible()


def test_the_answer_can_be_shown_and_counts_as_such(opened: Reader) -> None:
    exercise = Exercise(opened, "off-zero")
    said(exercise.blank("the zero point", "-8"), "right", "right")
    exercise.host.get_by_text("Show the answer").click()
    expect(exercise.state).to_have_text("answer shown")
    expect(exercise.field("the scale")).to_have_value("0.1667")
    expect(exercise.field("the scale")).not_to_be_editable()
    expect(total(opened)).to_have_text("0 of 7 exercises solved, 1 shown")


def test_large_numbers_are_read_and_shown_as_the_page_prints_them(read: Open) -> None:
    reader = read("/bits/values-in-memory/")
    reader.page.locator(AWAKE).wait_for()
    name = "the unsigned number with the bits of −2"
    field = reader.page.get_by_label(name, exact=True)
    key = field.locator("xpath=ancestor::section[@data-exercise]").get_attribute("id")
    assert key
    exercise = Exercise(reader, key)
    exercise.host.get_by_text("Show the answer").click()
    expect(field).to_have_value("65,534")
    reader.page.get_by_role("button", name="Start over").click()
    said(exercise.blank(name, "65,534"), "right", "right")


def test_a_choice_says_why(opened: Reader) -> None:
    exercise = Exercise(opened, "an-outlier")
    choice = exercise.host.get_by_role("group", name="Which of them improve")
    says = choice.locator(".says")
    choice.get_by_role("button", name="Check").click()
    said(says, "Choose one first", "wrong")
    choice.get_by_label("keeping the central").check()
    choice.get_by_role("button", name="Check").click()
    said(says, "its own error exceed 1", "wrong")
    choice.get_by_label("a scale for each channel").check()
    choice.get_by_role("button", name="Check").click()
    said(says, "Right. It confines", "right")
    words = exercise.field("how many of the three improve the SQNR at four bits")
    check = exercise.host.get_by_role("button", name="Check how many")
    words.select_option("one")
    check.click()
    expect(exercise.host.locator(".blank .says")).to_have_text(re.compile("At eight bits that was so"))
    words.select_option("all")
    check.click()
    expect(exercise.state).to_have_text("✓ solved")


def test_a_prediction_is_compared_with_the_run(opened: Reader) -> None:
    host = Exercise(opened, "one-bit-more").host
    predict = host.get_by_role("group", name="The ratio at eight bits")
    says = predict.locator(".says")
    predict.get_by_role("button", name="Run and compare").click()
    said(says, "Type a number first", "wrong")
    predict.get_by_role("textbox").fill("20 dB")
    predict.get_by_role("textbox").press("Enter")
    expect(says).to_have_text(re.compile("^You said 20.0 dB, the run gives"), timeout=PYTHON_MS)
    found = re.search(r"the run gives ([\d.]+) dB: ([\d.]+) dB too low", says.inner_text())
    assert found
    shown = opened.page.locator("#uniform_quantization .sentence").inner_text()
    assert f"at 8 bits it is {found[1]} dB" in shown, "the number is not the figure's own"
    assert float(found[1]) - float(found[2]) == pytest.approx(20, abs=0.11)
    expect(predict.locator(".mark.yours")).to_have_text("your guess 20.0 dB")
    expect(predict.locator(".mark.run")).to_have_text(f"the run {found[1]} dB")
    said(says, "too low", "guess")
    expect(host.locator("[data-state]")).to_have_text("guess compared")
    expect(total(opened)).to_have_text("0 of 7 exercises solved, 1 guess compared")
    expect(opened.page.locator("[data-progress]")).to_contain_text("A guess is neither right nor wrong")


def test_a_prediction_can_be_skipped_and_compares_runs(opened: Reader) -> None:
    host = Exercise(opened, "bits-or-scales").host
    predict = host.get_by_role("group", name="Which of the two")
    predict.get_by_role("button", name="Skip the guess").click()
    expect(predict.locator(".says")).to_have_text("“five bits, groups of 64”.", timeout=PYTHON_MS)
    values = [float(text.split()[0]) for text in predict.locator("output").all_inner_texts()]
    assert values[0] < values[1]
    predict.get_by_label("four bits").check()
    predict.get_by_role("button", name="Run it again").click()
    expect(predict.locator(".says")).to_have_text("Not as you predicted: “five bits, groups of 64”.")
    numbers = predict.locator("output").all_inner_texts()
    opened.page.reload()
    said(predict.locator(".says"), "groups of 64”. That was your last run.", "guess")
    assert predict.locator("output").all_inner_texts() == numbers


def test_a_figure_that_fails_keeps_the_guess(read: Open) -> None:
    reader = read()
    reader.page.route("**/api/runs", lambda route: route.fulfill(status=503, json={"detail": "no worker is alive"}))
    reader.go(ARTICLE)
    predict = Exercise(reader, "which-hurts-more").host.get_by_role("group", name="Which leaves")
    predict.get_by_label("two bits for the weights").check()
    predict.get_by_role("button", name="Run and compare").click()
    said(predict.locator(".says"), "no worker is alive. Your guess is kept; try again", "wrong")
    reader.page.reload()
    said(predict.locator(".says"), "Your guess is kept", "shown")
    expect(predict.get_by_label("two bits for the weights")).to_be_checked()
    expect(predict.get_by_role("button", name="Run and compare")).to_be_enabled()
    reader.page.get_by_role("button", name="Show all answers").click()
    expect(predict.get_by_label("two bits for the weights")).to_be_checked()
    reader.hears("503")


def test_a_prediction_outlives_a_reload_and_runs_again_when_asked(opened: Reader) -> None:
    exercise = Exercise(opened, "one-bit-more")
    predict = exercise.host.get_by_role("group", name="The ratio at eight bits")
    compared = re.compile("^You said 20.0 dB, the run gives")
    predict.get_by_role("textbox").fill("20 dB")
    predict.get_by_role("textbox").press("Enter")
    expect(predict.locator(".says")).to_have_text(compared, timeout=PYTHON_MS)
    outcome, marked = predict.locator(".says").inner_text(), predict.locator(".mark.run").inner_text()
    opened.workers = 0
    opened.page.reload()
    said(predict.locator(".says"), re.escape(f"{outcome} That was your last run."), "guess")
    expect(predict.locator(".mark.run")).to_have_text(marked)
    expect(predict.get_by_role("textbox")).to_have_value("20 dB")
    expect(exercise.state).to_have_text("guess compared")
    assert opened.workers == 0, "the run began unasked"
    predict.get_by_role("button", name="Run it again").click()
    expect(predict.locator(".says")).to_have_text(compared, timeout=PYTHON_MS)
    opened.page.get_by_role("button", name="Start over").click()
    expect(predict.get_by_role("textbox")).to_have_value("")


def test_progress_outlives_a_reload_and_can_be_forgotten(opened: Reader) -> None:
    Exercise(opened, "off-zero").blank("the scale", "1/6")
    opened.page.get_by_role("button", name="Show all answers").click()
    expect(total(opened)).to_have_text("0 of 7 exercises solved, 7 shown")
    opened.page.reload()
    exercise = Exercise(opened, "off-zero")
    expect(exercise.field("the scale")).to_have_value("1/6")
    expect(exercise.field("the zero point")).to_have_value("−8")
    expect(total(opened)).to_have_text("0 of 7 exercises solved, 7 shown")
    opened.page.get_by_role("button", name="Start over").click()
    expect(total(opened)).to_have_text("0 of 7 exercises solved")
    expect(exercise.field("the scale")).to_have_value("")
    expect(exercise.field("the scale")).to_be_editable()
    expect(exercise.host.locator("details.answer")).not_to_have_attribute("open", "")


def test_without_storage_nothing_breaks(read: Open) -> None:
    reader = read()
    reader.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('off'); } })"
    )
    reader.go(ARTICLE)
    said(Exercise(reader, "off-zero").blank("the scale", "1/6"), "right", "right")


def test_by_keyboard_alone(opened: Reader) -> None:
    press = opened.page.keyboard.press
    exercise = Exercise(opened, "off-zero")
    exercise.host.get_by_role("link", name="number line").focus()
    press("Tab")
    expect(exercise.field("the scale")).to_be_focused()
    opened.page.keyboard.type("1/6")
    press("Tab")
    press("Space")  # Check
    expect(exercise.field("the scale")).to_be_focused()
    expect(exercise.field("the scale")).not_to_be_editable()
    press("Tab")
    expect(exercise.field("the zero point")).to_be_focused()
    for _ in range(6):
        press("Tab")
    expect(exercise.host.get_by_text("Hint 1 of 2")).to_be_focused()
    press("Enter")
    expect(exercise.host.locator("details.hint p").first).to_be_visible()
    press("Tab")
    press("Tab")
    expect(exercise.host.get_by_text("Show the answer")).to_be_focused()
    press("Space")
    expect(exercise.state).to_have_text("answer shown")
    choice = Exercise(opened, "an-outlier").host.get_by_role("group", name="Which of them improve")
    choice.get_by_role("radio").first.focus()
    press("Space")
    press("ArrowDown")
    press("Tab")
    press("Enter")
    said(choice.locator(".says"), "Right", "right")
    expect(choice.get_by_role("radio").nth(1)).to_be_focused()


def test_without_a_script_questions_and_answers_can_be_read(read: Open) -> None:
    page = read(ARTICLE, java_script_enabled=False).page
    exercises = page.locator(".exercise")
    expect(exercises).to_have_count(7)
    for exercise in exercises.all():
        assert len(exercise.inner_text().split()) > 15
        assert all(one.is_disabled() for one in exercise.locator("input, button, select").all())
        exercise.locator("details.answer summary").click()
        assert len(exercise.locator("details.answer").inner_text().split()) > 10

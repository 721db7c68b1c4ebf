"""Everything that a mouse can do, the keyboard can, too; and everything that takes the focus has a name."""

import re

import pytest
from playwright.sync_api import expect
from reader import Figure, Open, Reader

FIGURES = ("number_line", "uniform_quantization", "choices", "post_training_quantization")

ENABLED = """(figure) => [...figure.querySelectorAll(
  "a[href], summary, button, input, select, textarea, [tabindex='0']")]
  .filter((each) => !each.disabled && each.tabIndex >= 0)
  .filter((each) => each.getClientRects().length > 0 && each.checkVisibility())"""
# What holds the focus, as its place among the figure's interactive elements, and whether one can see that it does.
FOCUSED = f"""(figure) => {{
  const one = document.activeElement;
  const seen = getComputedStyle(one).outlineStyle !== "none";
  return [({ENABLED})(figure).indexOf(one), seen, one.outerHTML.slice(0, 90)];
}}"""


@pytest.mark.parametrize("key", FIGURES)
def test_tab_reaches_everything_in_order(key: str, live: Reader) -> None:
    figure = live.figure(key)
    count = len(figure.host.evaluate(ENABLED))
    assert count > 10
    figure.host.locator("a.title").focus()
    live.page.keyboard.press("Shift+Tab")  # so that the first Tab shows the focus as a keyboard does
    live.page.keyboard.press("Escape")  # if that was a word with a card, it is open now
    for place in range(count):
        live.page.keyboard.press("Tab")
        at, visible, words = figure.host.evaluate(FOCUSED)
        assert at == place, f"element {place} is not reached: focus is on {words}"
        assert visible, f"nothing shows that {words} has the focus"


@pytest.mark.parametrize("key", FIGURES)
def test_everything_has_a_name(key: str, live: Reader) -> None:
    snapshot = live.figure(key).host.aria_snapshot()
    roles = re.findall(r"^\s*- (button|slider|textbox|combobox|switch|link|checkbox|group)\b(.*)$", snapshot, re.M)
    assert len(roles) > 10
    assert not [role for role, rest in roles if not rest.strip().startswith('"') and role != "group"], snapshot


def test_the_timeline_buttons(live: Reader, line: Figure) -> None:
    line.at(6, of=6)
    for button, key, step in (
        ("Restart", "Enter", 1),
        ("Forward", "Enter", 2),
        ("Forward", "Space", 3),
        ("Back", "Space", 2),
        ("Back", "ArrowRight", 3),
        ("Back", "ArrowLeft", 2),
        ("Back", "End", 6),
        ("Back", "Home", 1),
    ):
        line.button(button).focus()
        live.page.keyboard.press(key)
        line.at(step, of=6)


def test_the_scrubber(live: Reader, line: Figure) -> None:
    line.scrubber.focus()
    for key, step, name in (
        ("Home", 1, "range"),
        ("ArrowRight", 2, "scale"),
        ("ArrowUp", 3, "zero point"),
        ("ArrowDown", 2, "scale"),
        ("PageDown", 3, "zero point"),
        ("PageUp", 2, "scale"),
        ("ArrowLeft", 1, "range"),
        ("End", 6, "restore"),
    ):
        live.page.keyboard.press(key)
        line.at(step, of=6)
        assert line.scrubber.get_attribute("aria-valuetext") == f"Step {step} of 6, {name}"


def test_space_plays_and_pauses(live: Reader, line: Figure) -> None:
    line.scrubber.focus()
    live.page.keyboard.press("Space")
    expect(line.button("Pause")).to_be_visible()
    live.page.keyboard.press("Space")
    expect(line.button("Play")).to_be_visible()


def test_a_step_that_ends_the_timeline_keeps_the_focus(live: Reader, line: Figure) -> None:
    """A button that switches itself off would drop the reader's focus, and the arrow keys with it."""
    line.button("Restart").focus()
    live.page.keyboard.press("Enter")
    line.at(1)
    live.page.keyboard.press("ArrowRight")
    line.at(2)


def test_the_handles_of_the_number_line(live: Reader, line: Figure) -> None:
    handle = line.host.get_by_role("slider", name="Value to be stored")
    handle.focus()
    for key, value in (
        ("ArrowRight", "1.31"),
        ("PageUp", "1.41"),
        ("ArrowDown", "1.4"),
        ("End", "4"),
        ("Home", "-4"),
    ):
        serial = line.serial
        live.page.keyboard.press(key)
        line.settled(serial)
        assert handle.get_attribute("aria-valuenow") == value
        assert line.field("Value").input_value() == value
    assert handle.get_attribute("aria-valuetext") == "−4"
    low, high = (line.host.get_by_role("slider", name=f"{end} end of the range") for end in ("Lower", "Upper"))
    low.focus()
    serial = line.serial
    live.page.keyboard.press("End")
    line.settled(serial)
    assert (low.get_attribute("aria-valuenow"), high.get_attribute("aria-valuenow")) == ("3.95", "4")
    for key, ends in (("PageDown", ("3.45", "4")), ("Home", ("-4", "4"))):
        serial = line.serial
        live.page.keyboard.press(key)
        line.settled(serial)
        assert (low.get_attribute("aria-valuenow"), high.get_attribute("aria-valuenow")) == ends
    high.focus()
    serial = line.serial
    live.page.keyboard.press("Home")
    line.settled(serial)
    assert (line.field("Range from").input_value(), line.field("Range to").input_value()) == ("-4", "-3.95")


def test_a_bound_below_zero_has_a_minus_sign(read: Open) -> None:
    figure = read("/labs/learning/number_line/").figure()
    figure.field("Range from").fill("9")
    figure.field("Range from").press("Enter")
    said = figure.host.get_by_role("status").filter(has_text="Range from must be")
    expect(said).to_have_text("Range from must be a number from −4 to 4.")


@pytest.mark.parametrize("wrong", ["9", "1", "4.5", "four", ""])
def test_a_value_that_is_not_taken(wrong: str, live: Reader, matrix: Figure) -> None:
    matrix.set("Keep the central", 99)
    sentence, shapes, address = matrix.sentence, matrix.shapes, live.address(matrix.key, clip="99")
    field = matrix.field("Bits per weight")
    field.fill(wrong)
    field.press("Enter")
    message = matrix.host.get_by_role("status").filter(
        has_text="Bits per weight must be a whole number from 2 to 8."
    )
    expect(message).to_be_visible()
    assert field.get_attribute("aria-invalid") == "true"
    assert field.input_value() == wrong, "what was typed is kept, to be fixed"
    assert (matrix.sentence, matrix.shapes, live.address(matrix.key)) == (sentence, shapes, address)
    assert matrix.field("Keep the central").input_value() == "99"
    matrix.set("Bits per weight", " 5 ")
    expect(message).to_have_count(0)
    assert field.get_attribute("aria-invalid") is None


def test_reset_also_takes_back_a_value_that_was_refused(matrix: Figure) -> None:
    matrix.set("Bits per weight", 5)
    field = matrix.field("Bits per weight")
    field.fill("99")
    field.press("Enter")
    expect(field).to_have_attribute("aria-invalid", "true")
    matrix.reset()
    expect(field).to_have_value("4")
    assert field.get_attribute("aria-invalid") is None


def test_switches_and_lists(live: Reader, matrix: Figure) -> None:
    switch = matrix.host.get_by_role("switch", name="Full code range")
    serial = matrix.serial
    switch.focus()
    live.page.keyboard.press("Space")
    matrix.settled(serial)
    expect(switch).to_be_checked()
    scheme = matrix.host.get_by_role("combobox", name="Scheme")
    serial = matrix.serial
    scheme.focus()
    live.page.keyboard.press("ArrowDown")
    matrix.settled(serial)
    assert scheme.input_value() == "asymmetric"


def test_the_badge_opens_by_keyboard(live: Reader, line: Figure) -> None:
    line.badge.focus()
    live.page.keyboard.press("Enter")
    expect(line.host.locator("details.badge dl")).to_contain_text("Machine")
    live.page.keyboard.press("Enter")
    expect(line.host.locator("details.badge dl")).to_be_hidden()


def test_the_first_tab_offers_to_skip_to_the_text(read: Open) -> None:
    page = read("/").page
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the text")).to_be_focused()
    page.keyboard.press("Enter")
    assert page.url.endswith("#main")

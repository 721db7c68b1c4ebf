"""Who has a hand on a control finds its neighbouring settings made; nothing is made before that."""

from typing import Any

from playwright.sync_api import expect
from reader import PYTHON_MS, Figure, Open

# What the page asks of Python in it: the parameters of each run.
JOBS = """
  window.jobs = [];
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message?.id) jobs.push(message.params);
    return post.call(this, message, ...rest);
  };
"""
LAB = "/labs/learning/number_line/"


def started(read: Open) -> Figure:
    reader = read()
    reader.page.add_init_script(JOBS)
    reader.go(LAB)
    figure = reader.figure()
    figure.button("Run it live").click()
    expect(figure.badge).to_contain_text("your browser", timeout=PYTHON_MS)
    figure.settled(0)
    return figure


def jobs(figure: Figure) -> list[Any]:
    return [params["bits"] for params in figure.host.page.evaluate("jobs")]


def test_the_neighbours_of_a_slider_in_hand_are_there_before_it_moves(read: Open) -> None:
    figure = started(read)
    [bits] = jobs(figure)
    slider = figure.host.get_by_role("slider", name="Bits, slider")
    slider.focus()
    figure.host.page.wait_for_function("() => jobs.length === 3")
    assert jobs(figure) == [bits, bits + 1, bits - 1]
    sentence, serial = figure.sentence, figure.serial
    slider.press("ArrowLeft")
    figure.settled(serial)
    assert figure.sentence != sentence
    figure.host.page.wait_for_function("() => jobs.length === 4")
    assert jobs(figure) == [bits, bits + 1, bits - 1, bits - 2], "what was made is not made again"


def test_a_pointer_on_its_way_to_a_slider_is_seen_too(read: Open) -> None:
    figure = started(read)
    figure.host.get_by_role("slider", name="Bits, slider").hover()
    figure.host.page.wait_for_function("() => jobs.length === 3")


def test_a_part_that_the_picture_lacks_makes_nothing_faint(read: Open) -> None:
    """A concept stands out alone only in a picture that has it, also in one that is drawn while it is lit."""
    reader = read("/labs/learning/uniform_quantization/")
    page = reader.page
    figure = reader.figure()
    figure.button("Reset").wait_for()
    part = figure.host.locator(".picture [data-concept]:visible").first
    concept = part.get_attribute("data-concept")
    lit = page.locator("[data-lab][data-lit]")
    part.hover()
    expect(lit).to_have_attribute("data-lit", str(concept))
    expect(lit).to_have_attribute("data-alone", "")
    figure.host.locator(".picture").evaluate(
        "(picture, concept) => picture.querySelectorAll(`[data-concept=${concept}]`)"
        ".forEach((part) => part.removeAttribute('data-concept'))",
        concept,
    )
    expect(page.locator("[data-lab][data-alone]")).to_have_count(0)

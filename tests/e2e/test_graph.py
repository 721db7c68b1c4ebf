"""The graph of an expression under a reader's hands: inputs are dragged, nodes tell stories, text is typed."""

import re

from playwright.sync_api import Locator, expect
from reader import PHONE, Figure, Open

PATH = "/labs/learning/backprop_step/?backprop_step.on=cpu"  # there it starts at once


def node(figure: Figure, name: str) -> Locator:
    return figure.host.get_by_role("slider", name=f"{name}, an input")


def story(figure: Figure) -> Locator:
    return figure.host.get_by_role("region", name=re.compile("^Story of"))


def test_a_dragged_input_moves_everything_and_the_step_stays(read: Open) -> None:
    reader = read(PATH)
    figure = reader.figure()
    figure.settled(0)
    figure.scrubber.fill("8")
    figure.at(9, 17)
    expression = figure.host.get_by_role("group", name="Expression")
    text = expression.inner_text()
    before, result = figure.sentence, figure.host.locator("[data-node]").last.inner_text()
    box = node(figure, "b").bounding_box()
    assert box and min(box["width"], box["height"]) >= 40
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse, serial = reader.page.mouse, figure.serial
    mouse.move(x, y)
    mouse.down()
    mouse.move(x - 45, y + 20, steps=9)
    mouse.up()
    figure.settled(serial)
    figure.at(9, 17)
    assert figure.sentence != before
    assert figure.host.locator("[data-node]").last.inner_text() != result
    expect(node(figure, "b")).to_have_attribute("aria-valuenow", "5.45")  # 15 steps of 0.05
    assert figure.field("Inputs moved").input_value() == "b=5.45"
    assert expression.inner_text() == text
    assert reader.address("backprop_step", step="9")["moved"] == "b=5.45"


def test_the_keys_move_an_input_and_lead_from_node_to_node(read: Open) -> None:
    reader = read(PATH)
    figure = reader.figure()
    figure.settled(0)
    shown = figure.steps
    node(figure, "x2").focus()
    for key, value in (("ArrowRight", "0.55"), ("PageDown", "0.05"), ("ArrowDown", "0"), ("ArrowDown", "-0.05")):
        serial = figure.serial
        reader.page.keyboard.press(key)
        figure.settled(serial)
        expect(node(figure, "x2")).to_have_attribute("aria-valuenow", value)
    expect(story(figure)).to_contain_text("x2 is an input")
    figure.host.locator("[data-node]").last.focus()
    expect(story(figure)).to_contain_text("out = tanh(v₉)")
    reader.page.keyboard.press("ArrowLeft")
    expect(story(figure)).to_contain_text("v₉ = v₈ + b")
    assert figure.steps == shown, "the arrows lead from node to node, not from step to step"


def test_a_node_tells_what_its_gradient_is_made_of(read: Open) -> None:
    reader = read(f"{PATH}&backprop_step.program=@used_twice&backprop_step.step=19")
    figure = reader.figure()
    figure.settled(0)
    figure.at(19, 19)
    figure.host.get_by_role("button", name="= tanh(v₅)").click()
    shares = story(figure).locator("tbody tr")
    expect(shares).to_have_text(
        [re.compile(r"v₇.*= u = 2.*× 1.*= 2"), re.compile(r"v₈.*2 · 0.537.*× \(−1\).*= −1.074")]
    )
    expect(story(figure).locator("tfoot")).to_contain_text("their sum0.9259")
    figure.host.get_by_role("switch", name="Overwrite instead of add").check()
    expect(shares.nth(1)).to_contain_text("overwritten")
    expect(story(figure).locator("tfoot")).to_contain_text("the last share alone2")
    expect(figure.host.get_by_role("list", name="Gradients and nudges")).to_contain_text(
        re.compile("✗ off by 0.*✓ off by")
    )
    figure.button("follow the steps").click()
    expect(story(figure)).to_contain_text("out = v₇ + v₉")


def test_what_cannot_be_read_stays_and_so_does_the_picture(read: Open) -> None:
    figure = read(PATH).figure()
    figure.settled(0)
    shapes = figure.shapes
    figure.write("Expression", "x = 2\nx*(y")
    expect(figure.host.get_by_role("alert")).to_contain_text(
        "Line 2, column 5: a bracket is not closed; write ) here."
    )
    assert figure.written("Expression") == "x = 2\nx*(y"
    assert figure.shapes == shapes
    serial = figure.serial
    figure.write("Expression", "x = 2\nx*(y)")
    figure.settled(serial)
    expect(figure.host.get_by_role("alert")).to_have_count(0)
    assert figure.shapes != shapes


def test_on_a_phone_the_graph_stands_upright_and_nothing_is_too_wide(read: Open) -> None:
    # Without motion: boxes are read of a graph that stands where it belongs.
    reader = read(f"{PATH}&backprop_step.program=@a_gradient_that_vanishes", **PHONE)
    figure = reader.figure()
    figure.settled(0)
    boxes = [each.bounding_box() for each in figure.host.locator("[data-node]").all()]
    tops = [box["y"] for box in boxes if box]
    assert tops == sorted(tops) and len({round(box["x"]) for box in boxes if box}) == 1
    assert reader.page.evaluate("document.documentElement.scrollWidth") == 390

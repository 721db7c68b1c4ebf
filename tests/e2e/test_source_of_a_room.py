"""A lab of several files: a reader changes its own, and reads what that calls."""

from pathlib import Path

from playwright.sync_api import expect
from reader import Open

LABS = Path(__file__).parents[2] / "wasm" / "labs"


def test_a_lab_that_is_a_room_runs_changed_beside_its_parts(read: Open) -> None:
    reader = read("/labs/tensors/strides/#strides/source")
    figure = reader.figure("strides")
    panel = figure.host.get_by_role("region")
    own = (LABS / "tensors" / "strides" / "__init__.py").read_text("utf-8")
    expect(panel.locator(".cm-line").first).to_have_text(own.partition("\n")[0])
    panel.get_by_role("textbox").click()
    reader.page.keyboard.press("Control+Home")
    reader.page.keyboard.type("# read\n")
    before = figure.serial
    figure.button("Run this code").click()
    figure.settled(before)
    expect(figure.badge).to_have_text("Edited code, in your browser")


def test_the_parts_of_a_lab_are_offered_before_what_it_shares(read: Open) -> None:
    panel = read("/labs/tensors/strides/#strides/source").figure("strides").host.get_by_role("region")
    panel.get_by_text("The other files that it runs").click()
    choice = panel.get_by_label("File")
    choice.wait_for()
    options = choice.locator("option").all_text_contents()
    room = "wasm/labs/tensors/strides"
    assert options[:2] == [f"{room}/chain.py", f"{room}/follow.py"]
    assert {"wasm/labs/contract.py", "wasm/labs/models/tensor/layout.py"} <= {*options[2:]}
    for name in ("strides/chain", "strides/follow"):
        choice.select_option(f"wasm/labs/tensors/{name}.py")
        other = panel.get_by_role("textbox", name=f"Python source of wasm/labs/tensors/{name}.py")
        expect(other).to_have_attribute("aria-readonly", "true")
        first = (LABS / "tensors" / f"{name}.py").read_text("utf-8").partition("\n")[0]
        expect(other.locator(".cm-line").first).to_have_text(first)

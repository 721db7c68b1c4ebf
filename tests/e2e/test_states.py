"""What a figure says of its state is true: where its picture came from, whether more comes, what can be done."""

import re

import pytest
from playwright.sync_api import Route, expect
from reader import PYTHON_MS, Open

LINE = "/labs/learning/number_line/"
NETWORK = "/labs/learning/post_training_quantization/"
PRODUCTS = "/labs/speed/matmul_cuda/"
LISTEN = """(one) => {
  window.said = [];
  new MutationObserver(() => window.said.push(one.innerText.trim()))
    .observe(one, { subtree: true, childList: true, characterData: true });
}"""


def test_reset_leads_back_from_any_run_to_the_recorded_picture(read: Open) -> None:
    figure = read(LINE).figure()
    expect(figure.button("Reset")).to_be_disabled()
    recorded = figure.sentence
    before = figure.serial
    figure.button("Run it live").click()
    figure.settled(before)
    expect(figure.badge).to_have_text("In your browser", timeout=PYTHON_MS)
    figure.reset()
    expect(figure.badge).to_have_text(re.compile("^Recorded on"))
    assert figure.sentence == recorded


def test_reset_leads_back_from_a_run_that_failed(read: Open) -> None:
    figure = read(LINE).figure()
    figure.field("Range from").fill("3")
    figure.field("Range from").press("Enter")
    alert = figure.host.get_by_role("alert")
    expect(alert).to_contain_text("The range is empty", timeout=PYTHON_MS)
    expect(alert.get_by_role("button")).to_have_count(0)  # to run the same again would fail again
    figure.reset()
    expect(alert).to_have_count(0)
    expect(figure.badge).to_have_text(re.compile("^Recorded on"))


@pytest.mark.parametrize("path", [NETWORK, PRODUCTS])
def test_it_is_not_offered_to_run_where_it_cannot(path: str, read: Open) -> None:
    """A server that has no machine for it; and one that has, later."""
    reader = read()
    here: list[dict[str, str]] = []

    def devices(route: Route) -> None:
        route.fulfill(json=here)

    reader.page.route("**/api/devices", devices)
    with reader.page.expect_response("**/api/devices"):
        reader.go(path)
        figure = reader.figure()
    expect(figure.button("Run it live")).to_have_count(0)
    here += [{"device": device, "name": "A machine"} for device in ("cpu", "cuda")]
    reader.page.reload()
    expect(reader.figure().button("Run it live")).to_be_enabled()


def test_a_preview_is_not_called_a_run_of_the_server(read: Open) -> None:
    reader = read(PRODUCTS)
    figure = reader.figure()
    expect(figure.host.get_by_role("button", name="Run on")).to_be_visible()
    figure.slider("Rows and columns").fill("600")  # of which there is no recording
    expect(figure.badge).to_have_text("Drawn ahead, in your browser", timeout=PYTHON_MS)
    expect(figure.host.get_by_role("alert")).to_be_visible()
    reader.hears("503")


def test_a_run_ends_only_where_it_ends(read: Open) -> None:
    figure = read(NETWORK).figure()
    after = figure.host.locator(".sentences .next")
    expect(after).to_have_text("The run ends here")
    after.evaluate(LISTEN)
    figure.field("Epochs").fill("20")
    figure.field("Epochs").press("Enter")
    expect(figure.host).to_have_attribute("data-status", "running")
    expect(figure.badge).to_have_text("On this server", timeout=PYTHON_MS)
    figure.settled()
    expect(after).to_have_text("The run ends here")
    said = after.evaluate("() => window.said")
    assert said[-1] == "The run ends here"
    assert "More is on its way" in said
    assert said.count("The run ends here") == 1, said


def test_a_run_of_one_step_has_no_transport(read: Open) -> None:
    figure = read("/labs/descent/line_clock/").figure()
    assert figure.steps == (1, 1)
    expect(figure.host.locator(".sentence")).to_be_visible()
    expect(figure.host.locator(".timeline :is(button, input, select)")).to_have_count(0)


def test_what_a_drag_has_changed_stays_lit_until_the_next_press(read: Open) -> None:
    reader = read(LINE)
    figure = reader.figure()
    mouse = reader.page.mouse
    box = figure.host.get_by_role("slider", name="Upper end of the range").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    lit = reader.page.locator("[data-lab][data-lit]")
    mouse.move(x, y)
    mouse.down()
    mouse.move(x - 40, y, steps=4)
    mouse.up()
    mouse.move(2, 2, steps=3)
    expect(lit).to_have_count(1)
    mouse.down()
    mouse.up()
    expect(lit).to_have_count(0)


def test_a_text_that_is_too_long_is_told_the_limit_alone(read: Open) -> None:
    figure = read("/labs/bits/memory_machine/").figure()
    figure.write("Program", "/" * 4321)
    problem = figure.host.get_by_role("status").filter(has_text="4,000")
    expect(problem).to_have_text("Program must be at most 4,000 characters long; this has 4,321.")

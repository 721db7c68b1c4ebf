"""A run that takes its time can be stopped where it was started: what has come stays, and it can be run again."""

from measure.serving import Server
from playwright.sync_api import Locator, expect
from reader import PHONE, PYTHON_MS, Figure, Open
from test_newest import MOVE, ask, stalling
from test_server_lab import PATH, Posts, ended
from test_states import LISTEN

LINE = "/labs/learning/number_line/"
# A run that is kept comes at once, and none of it can be stopped: epochs that no other test runs to the end.
ONCE, ON_A_PHONE, TWICE = "12", "17", "13"
# Where the buttons stand in their row.
BOXES = """(row) => [row, ...row.children].map((one) => {
  const [{ x, y }, { left, top, width, height }] = [row, one].map((each) => each.getBoundingClientRect());
  return [left - x, top - y, width, height];
})"""


def button(figure: Figure) -> Locator:
    """Runs the lab, or stops the run."""
    return figure.host.locator("footer button").first


def stopped(figure: Figure, where: str) -> None:
    """Wait until it is as a figure is whose run was stopped; and nothing comes any more."""
    expect(figure.host).to_have_attribute("data-status", "idle")
    expect(figure.badge).to_have_text(f"{where}, stopped")
    expect(figure.host.locator(".sentences .next")).to_have_text("The run was stopped here")
    expect(figure.host.get_by_role("status").filter(has_text="The run was stopped here")).to_have_count(1)
    assert not figure.host.get_by_role("alert").count()
    shown = figure.steps, figure.sentence, figure.shapes
    expect(button(figure)).to_have_text("Run again")
    figure.host.page.wait_for_timeout(500)
    assert (figure.steps, figure.sentence, figure.shapes) == shown, "a picture came after it was stopped"


def test_a_run_of_the_server(read: Open, server: Server) -> None:
    reader = read(PATH)
    posts = Posts(reader)
    figure = reader.figure()
    places = figure.host.locator("footer").evaluate(BOXES)
    figure.field("Epochs").fill(ONCE)
    figure.field("Epochs").press("Enter")
    expect(button(figure)).to_have_text("Stop")
    assert figure.host.locator("footer").evaluate(BOXES) == places
    expect(figure.host.locator(".sentences .next")).to_have_text("More is on its way")
    _, of = figure.steps
    button(figure).press("Enter")
    stopped(figure, "On this server")
    assert figure.steps[1] >= of, "what had come is gone"
    (run,) = posts.ids()
    assert ended(server, run) == "cancelled"
    expect(button(figure)).to_be_focused()
    reader.page.keyboard.press("Enter")
    expect(figure.host.locator(".sentences .next")).to_have_text("More is on its way")
    figure.reset()
    expect(figure.host.locator(".sentences .next")).to_have_text("The run ends here")


def test_a_run_on_a_phone(read: Open, server: Server) -> None:
    reader = read(**PHONE)
    posts = Posts(reader)
    reader.go(f"{PATH}?post_training_quantization.epochs={ON_A_PHONE}")
    figure = reader.figure()
    places = figure.host.locator("footer").evaluate(BOXES)
    expect(button(figure)).to_have_text("Stop")
    assert figure.host.locator("footer").evaluate(BOXES) == places
    expect(figure.host.locator(".sentences .next")).to_have_text("More is on its way")
    button(figure).tap()
    stopped(figure, "On this server")
    (run,) = posts.ids()
    assert ended(server, run) == "cancelled"


def test_a_run_of_the_browser_that_would_never_end(read: Open) -> None:
    reader = read()
    reader.page.route("**/labs/packs/labs.learning.number_line.*", stalling)
    reader.go(LINE)
    figure = reader.figure()
    ask(figure, 3.33)
    expect(figure.host.locator(".sentences .next")).to_have_text("More is on its way", timeout=PYTHON_MS)
    button(figure).focus()
    expect(button(figure)).to_have_text("Stop")
    reader.page.keyboard.press("Enter")
    stopped(figure, "In your browser")
    assert figure.field("Value").input_value() == "3.33"
    workers = reader.workers
    serial = figure.serial
    ask(figure, 1.25)
    figure.settled(serial)
    expect(figure.badge).to_have_text("In your browser")
    assert reader.workers == workers == 2, "Python was not interrupted, or once more than needed"


def test_before_anything_has_come(read: Open) -> None:
    """While Python is on its way: the settings are kept, and the figure says that the picture is not theirs."""
    reader = read()
    reader.page.route("**/pyodide/pyodide.asm.wasm", lambda _: None)  # is held
    reader.go(LINE)
    figure = reader.figure()
    sentence = figure.sentence
    ask(figure, 2.5)
    expect(button(figure)).to_have_text("Stop")
    button(figure).click()
    alert = figure.host.get_by_role("alert")
    expect(alert).to_contain_text("Stopped before anything of the run came")
    expect(figure.host).to_have_attribute("data-status", "idle")
    assert figure.sentence == sentence
    expect(figure.badge).to_contain_text("Recorded on")
    assert figure.field("Value").input_value() == "2.5"
    serial = figure.serial
    alert.get_by_role("button", name="Try again").click()
    reader.page.unroute("**/pyodide/pyodide.asm.wasm")  # lets go of what is held, too
    figure.settled(serial)
    expect(figure.badge).to_have_text("In your browser")
    expect(alert).to_have_count(0)
    assert "2.5" in figure.sentence


def test_whoever_stops_twice_does_not_start_it_again(read: Open) -> None:
    figure = read(PATH).figure()
    figure.field("Epochs").fill(TWICE)
    figure.field("Epochs").press("Enter")
    expect(button(figure)).to_have_text("Stop")
    expect(figure.host.locator(".sentences .next")).to_have_text("More is on its way")
    button(figure).dblclick()
    stopped(figure, "On this server")


def test_quick_runs_leave_the_button_as_it_is(matrix: Figure) -> None:
    matrix.set("Keep the central", 99)
    expect(button(matrix)).to_have_text("Run again")
    button(matrix).evaluate(LISTEN)
    matrix.host.evaluate(MOVE, ["Keep the central", [90 + index % 10 for index in range(60)], 25, 3])
    matrix.settled()
    assert matrix.host.page.evaluate("() => window.said") == []
    expect(button(matrix)).to_have_text("Run again")

"""Runs that were recorded are shown at once: who chooses one of them waits for no server, and may still ask it."""

import re

from playwright.sync_api import Route, expect
from reader import PYTHON_MS, Open, Reader

PATH = "/labs/compilers/compile_stages/"
PROGRAM = "Program"


def posts(reader: Reader) -> int:
    return reader.requests.count("/api/runs")


def test_every_program_of_the_gallery_is_there_at_once(read: Open) -> None:
    reader = read(PATH + "?compile_stages.step=1")  # there each shows its source
    figure = reader.figure()
    programs = figure.host.get_by_role("combobox", name=PROGRAM).locator("option")
    names = [str(option.get_attribute("value")) for option in programs.all()]
    assert len(names) >= 12
    pictures = set()
    for name in [*names[1:], names[0]]:
        figure.choose(PROGRAM, name)
        expect(figure.badge).to_contain_text("Recorded on")
        pictures.add(figure.host.locator(".picture").inner_text())
        figure.at(1)
    assert len(pictures) == len(names), "each shows its own run"
    assert posts(reader) == 0
    assert not figure.host.locator("[role=alert]").all()


def test_its_steps_are_its_own_and_the_server_can_still_be_asked(read: Open) -> None:
    reader = read(PATH + "?compile_stages.program=softmax&compile_stages.step=3")
    figure = reader.figure()
    figure.at(3)
    expect(figure.badge).to_contain_text("Recorded on")
    figure.scrubber.press("ArrowRight")
    figure.at(4)
    assert posts(reader) == 0
    with reader.page.expect_request(re.compile("/api/runs$")) as asked:
        figure.button("Run it live").click()
    assert asked.value.post_data_json["params"]["program"] == "softmax"
    with reader.page.expect_response(re.compile("/api/runs/[^/]+$")):
        figure.choose(PROGRAM, "layer_norm")  # and the live run, which nobody waits for any more, is stopped
    expect(figure.badge).to_contain_text("Recorded on")
    assert posts(reader) == 1


def test_a_run_is_compared_with_what_was_recorded_of_the_same(read: Open) -> None:
    reader = read(PATH)
    figure = reader.figure()
    figure.choose(PROGRAM, "softmax")
    figure.button("Compare").click()
    panel = figure.host.get_by_role("region", name="Compare", exact=True)
    expect(panel).to_contain_text("shows the recorded run itself")


def test_what_a_gpu_did_is_shown_where_a_gpu_is_asked_for(read: Open) -> None:
    """A run of the same settings on the processor was recorded, too; the server has no GPU."""
    reader = read("/labs/compilers/gpu_kernel_stages/?gpu_kernel_stages.device=cuda")
    figure = reader.figure()
    figure.settled(0)
    assert "/recordings/compilers/gpu_kernel_stages/h100.json" in reader.requests
    assert not figure.host.locator("[role=alert]").all()
    assert posts(reader) == 0


def test_a_gpu_that_was_chosen_is_asked_again(read: Open) -> None:
    """What was recorded on a processor of the next settings is no answer of a GPU."""
    reader = read()
    asked: list[dict[str, object]] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.post_data_json["params"])
        route.fulfill(status=503, body='{"detail": "No cuda worker is alive", "code": "no_worker"}')

    gpu = {"device": "cuda", "name": "A graphics card"}
    reader.page.route("**/api/devices", lambda route: route.fulfill(json=[gpu]))
    reader.page.route("**/api/runs", refuse)
    reader.go("/labs/compilers/decompose_k/")
    figure = reader.figure()
    figure.host.get_by_role("button", name=re.compile("^Run on")).click()
    places = figure.host.get_by_role("group", name="Run on")
    places.get_by_role("button", name="This server’s GPU", exact=True).click()
    figure.settled()
    figure.host.get_by_role("combobox", name="Numbers").select_option("positive")
    expect(figure.host.get_by_role("alert")).to_contain_text("No cuda worker is alive.")
    assert [(run["device"], run["operands"]) for run in asked] == [("cuda", "signed"), ("cuda", "positive")]
    reader.hears("503")


def test_a_lab_of_the_browser_computes(read: Open) -> None:
    """Once it has run there it answers faster than a recording comes, also for what was recorded."""
    figure = read("/labs/learning/uniform_quantization/").figure()
    figure.set("Keep the central", 99)
    expect(figure.badge).to_contain_text("your browser")
    figure.set("Keep the central", 100)
    figure.settled(1)
    expect(figure.badge).to_contain_text("your browser")


def test_a_lab_that_has_not_run_yet_is_not_waited_for(read: Open) -> None:
    """Python is there, and the lab is still on its way."""
    reader = read(saving=False)
    reader.page.route("**/labs/packs/labs.learning.number_line.*", lambda _: None)  # is held
    reader.go("/labs/learning/number_line/")
    reader.page.mouse.move(300, 300)
    reader.page.wait_for_function("() => localStorage.getItem('underhood.python')", timeout=PYTHON_MS)
    figure = reader.figure()
    figure.set("Bits", 5)
    expect(figure.badge).to_contain_text("Recorded on")
    figure.settled(0)


def test_the_first_move_needs_no_python(read: Open) -> None:
    """While it starts, the settings beside the lab's own are there as recorded; further ones are computed."""
    reader = read()
    reader.page.route("**/pyodide/**", lambda route: route.abort())
    reader.go("/labs/learning/number_line/")
    figure = reader.figure()
    before = figure.sentence
    figure.set("Bits", 5)
    expect(figure.badge).to_contain_text("Recorded on")
    assert figure.sentence != before
    figure.settled(0)
    reader.hears("/pyodide/")

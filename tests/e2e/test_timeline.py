"""One timeline for all labs: the steps of a run, the marks on its line, and the sentences beside the shown one."""

import json
from pathlib import Path
from typing import Any

import pytest
from labs.contract import Sentence
from playwright.sync_api import Locator, Route, expect
from reader import MOVING, Figure, Open, Reader

LINE, TRAINING = "learning/number_line", "learning/post_training_quantization"
RECORDINGS = Path(__file__).parents[2] / "content" / "recordings"
NAMES = ["range", "scale", "zero point", "round", "clamp", "restore"]

# Where the marks are, as shares of the way from the first place of the grip to the last.
PLACES = """(figure) => [...figure.querySelectorAll(".scrubber button")].map((tick) => {
  const line = figure.querySelector(".scrubber").getBoundingClientRect(), box = tick.getBoundingClientRect();
  return (box.x + box.width / 2 - line.x - 9) / (line.width - 18);
})"""
# Where the parts of the timeline stand, seen from its top, and how high it is.
FRAME = """(figure) => {
  const timeline = figure.querySelector(".timeline"), { y, height } = timeline.getBoundingClientRect();
  const parts = [...timeline.querySelectorAll(".previous, .next, output, .scrubber")]
    .filter((one) => one.checkVisibility());
  return [...parts.map((one) => Math.round(one.getBoundingClientRect().y - y)), Math.round(height)].join();
}"""
# Press Play; all that the figure says of its steps until it stops.
FILM = """(figure) => new Promise((done) => {
  const output = figure.querySelector("output"), play = figure.querySelector('[aria-label="Play"]'), seen = [];
  play.click();
  const watch = new MutationObserver(() => {
    if (output.textContent !== seen.at(-1)) seen.push(output.textContent);
    if (play.ariaLabel === "Play") (watch.disconnect(), done(seen));
  });
  watch.observe(figure, { childList: true, characterData: true, attributes: true, subtree: true });
})"""


def events(lab: str) -> list[dict[str, Any]]:
    run = json.loads((RECORDINGS / lab / "default.json").read_text("utf-8"))
    return [event for event in run["events"] if "text" in event]


def turns(log: list[dict[str, Any]]) -> list[int]:
    """The steps, counted from 1, whose kind is another than that of the step before."""
    return [i + 1 for i, event in enumerate(log) if i == 0 or event["kind"] != log[i - 1]["kind"]]


def beside(figure: Figure, side: str) -> Locator:
    return figure.host.locator(f".sentences .{side}")


def stretched(read: Open, count: int, **how: Any) -> tuple[Reader, Figure]:
    """A page whose recorded run has this many events."""
    run = json.loads((RECORDINGS / LINE / "default.json").read_text("utf-8"))
    first, *steps, end = run["events"]
    run["events"] = [first, *(steps[i * len(steps) // count] for i in range(count)), end]
    reader = read(**how)

    def answer(route: Route) -> None:
        route.fulfill(body=json.dumps(run), content_type="application/json")

    reader.page.route("**/recordings/**", answer)
    reader.go(f"/labs/{LINE}/")
    figure = reader.figure()
    figure.scrubber.press("Home")
    figure.at(1, of=count)
    return reader, figure


def test_every_turn_of_the_run_is_marked(line: Figure) -> None:
    ticks = line.host.locator(".scrubber button")
    titles = [tick.get_attribute("title") for tick in ticks.all()]
    assert titles == [f"{name}, step {step}" for step, name in enumerate(NAMES, 1)]
    assert line.host.evaluate(PLACES) == pytest.approx([i / 5 for i in range(6)], abs=0.01)
    for step in (1, 4, 2):
        ticks.nth(step - 1).click()
        line.at(step, of=6)
        assert line.host.locator(".scrubber .now").get_attribute("title") == titles[step - 1]


def test_the_line_says_what_is_under_the_mouse(live: Reader, line: Figure) -> None:
    bubble = line.host.locator(".scrubber .bubble")
    line.scrubber.hover(position={"x": 12, "y": 10})
    expect(bubble).to_be_visible()
    expect(bubble).to_have_text("1, range")
    line.at(6)
    live.page.mouse.move(2, 2)
    expect(bubble).to_be_hidden()
    line.button("Forward").focus()
    live.page.keyboard.press("Tab")
    expect(bubble).to_have_text("6, restore")
    expect(bubble).to_be_visible()


def test_the_sentences_beside(live: Reader, line: Figure) -> None:
    texts = [Sentence.unpacked(event["text"]) for event in events(LINE)]
    expect(beside(line, "next")).to_have_text("The run ends here")
    for step in range(5, 0, -1):
        beside(line, "previous").click()
        line.at(step, of=6)
        assert line.sentence == texts[step - 1]
        expect(beside(line, "next")).to_have_text(f"The next step: {texts[step]}")
        expect(beside(line, "next")).to_have_attribute("title", texts[step])
    expect(beside(line, "previous")).to_have_text("The run begins here")
    beside(line, "previous").click(force=True)  # leads nowhere, and keeps the focus
    line.at(1)
    expect(beside(line, "previous")).to_be_focused()
    live.page.keyboard.press("ArrowRight")
    line.at(2)
    beside(line, "next").focus()
    live.page.keyboard.press("Enter")
    line.at(3)


def test_all_of_it_is_in_the_page_before_any_script(read: Open) -> None:
    reader = read(f"/labs/{TRAINING}/", java_script_enabled=False)
    host = reader.page.locator("figure").first
    log = events(TRAINING)
    assert host.locator(".scrubber button").count() == len(turns(log)) == 4
    expect(host.locator(".sentences .previous")).to_contain_text(Sentence.unpacked(log[-2]["text"]))
    expect(host.locator(".sentences .next")).to_have_text("The run ends here")


def test_page_keys_lead_from_turn_to_turn(read: Open) -> None:
    figure = read(f"/labs/{TRAINING}/").figure()
    steps = turns(events(TRAINING))
    for focus in (figure.scrubber, figure.button("Play")):
        for step in reversed(steps[:-1]):
            focus.press("PageUp")
            figure.at(step)
        for step in steps[1:]:
            focus.press("PageDown")
            figure.at(step)


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("lab", [LINE, TRAINING])
def test_no_step_moves_what_stands_below(lab: str, width: int, read: Open) -> None:
    figure = read(f"/labs/{lab}/", viewport={"width": width, "height": 844}).figure()
    frames = set()
    for key in ("PageUp", "PageUp", "ArrowLeft", "Home", "ArrowRight", "End"):
        frames.add(figure.host.evaluate(FRAME))
        serial = figure.serial
        figure.scrubber.press(key)
        figure.settled(serial)
    assert len(frames) == 1, frames


def test_who_wants_no_motion_sees_the_turns(read: Open) -> None:
    figure = read(f"/labs/{TRAINING}/").figure()
    figure.host.get_by_role("combobox", name="Speed").select_option("4×")
    log = events(TRAINING)
    seen = figure.host.evaluate(FILM)
    assert [words for words in seen if not words.startswith(f"step {len(log)} ")] == [
        f"step {step} of {len(log)}" for step in turns(log)[:-1]
    ]
    figure.at(len(log))


def test_the_marks_follow_a_live_run(read: Open) -> None:
    figure = read(f"/labs/{TRAINING}/").figure()
    recorded = figure.host.evaluate(PLACES)
    figure.set("Epochs", 1)
    now, count = figure.steps
    assert now == count < len(events(TRAINING))
    places = figure.host.evaluate(PLACES)
    assert len(places) == 4
    assert places[1] < recorded[1]
    figure.scrubber.press("PageUp")
    expect(figure.scrubber).to_have_attribute("aria-valuetext", f"Step {count - 4} of {count}, quantized")


@pytest.mark.parametrize("width", [1280, 360])
def test_a_long_run(width: int, read: Open) -> None:
    reader, figure = stretched(read, 300, viewport={"width": width, "height": 844})
    assert figure.host.evaluate(PLACES) == pytest.approx([i * 50 / 299 for i in range(6)], abs=0.01)
    for step in (51, 101, 151, 201, 251, 300):
        figure.scrubber.press("PageDown")
        figure.at(step, of=300)
    words = figure.host.locator("output").bounding_box()
    play, speed = figure.button("Forward").bounding_box(), figure.host.get_by_label("Speed").bounding_box()
    assert words and play and speed
    assert words["x"] >= play["x"] + play["width"]
    assert words["x"] + words["width"] <= speed["x"] or words["y"] + words["height"] <= speed["y"]
    assert reader.page.evaluate("() => document.documentElement.scrollWidth") <= width


def test_a_film_is_not_read_out_step_by_step(read: Open) -> None:
    _, figure = stretched(read, 300, **MOVING)
    sentence = figure.host.locator(".sentence")
    expect(sentence).to_have_attribute("aria-live", "polite")
    figure.button("Play").click()
    expect(sentence).to_have_attribute("aria-live", "off")
    figure.button("Pause").click()
    expect(sentence).to_have_attribute("aria-live", "polite")


def test_a_run_of_one_event(read: Open) -> None:
    _, figure = stretched(read, 1)
    expect(figure.scrubber).to_be_disabled()
    assert figure.host.locator(".scrubber button").count() == 0
    for button in ("Restart", "Back", "Play", "Forward"):
        expect(figure.button(button)).to_have_attribute("aria-disabled", "true")
        figure.button(button).click(force=True)
        figure.at(1, of=1)
    expect(beside(figure, "previous")).to_have_text("The run begins here")
    expect(beside(figure, "next")).to_have_text("The run ends here")

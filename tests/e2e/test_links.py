"""The address holds the picture: copied, it opens the same one elsewhere; broken, it says what it could not do."""

import re
from urllib.parse import parse_qs, quote, urlsplit

from measure.paint import ARTICLE
from playwright.sync_api import Dialog, Route, expect
from reader import Figure, Open, Reader

NO_CLIPBOARD = "delete Navigator.prototype.clipboard"  # as on a page that came over plain http from another machine


def change(figure: Figure) -> None:
    figure.set("Bits per weight", 5)
    figure.set("Keep the central", 99.25)
    figure.choose("Scheme", "asymmetric")
    for _ in range(2):
        figure.button("Back").click()
    figure.at(4, of=6)


def test_a_copied_address_opens_the_same_picture(live: Reader, matrix: Figure, read: Open) -> None:
    change(matrix)
    live.address(matrix.key, bits="5", clip="99.25", scheme="asymmetric", step="4")
    matrix.button("Copy link").click()
    expect(matrix.button("Link copied")).to_be_visible()
    copied: str = live.page.evaluate("() => navigator.clipboard.readText()")
    assert urlsplit(copied).fragment == matrix.key
    assert urlsplit(copied).query == urlsplit(live.page.url).query

    elsewhere = read(copied)
    there = elsewhere.figure(matrix.key)
    there.settled(0)
    there.at(4, of=6)
    expect(there.badge).to_have_text("In your browser")
    assert there.sentence == matrix.sentence
    assert there.shapes == matrix.shapes
    assert there.field("Keep the central").input_value() == "99.25"
    assert elsewhere.page.evaluate("() => scrollY") > 500, "the link does not lead to the figure"
    assert elsewhere.figure("choices").badge.inner_text().startswith("Recorded on")
    there.reset()
    there.at(6, of=6)
    expect(elsewhere.page).to_have_url(re.compile(rf"{ARTICLE}(#.*)?$"))


def test_a_link_to_a_step_of_the_recording_needs_no_python(read: Open) -> None:
    reader = read(saving=False)
    reader.page.route("**/pyodide/**", lambda route: route.abort())
    reader.go("/labs/learning/number_line/?number_line.step=3")
    figure = reader.figure("number_line")
    figure.at(3, of=6)
    assert figure.badge.inner_text().startswith("Recorded on")
    figure.scrubber.focus()
    for key, step in (("ArrowRight", 4), ("Home", 1), ("End", 6)):
        reader.page.keyboard.press(key)
        figure.at(step, of=6)
    assert figure.badge.inner_text().startswith("Recorded on")
    reader.hears("/pyodide/")
    reader.hears("dynamically imported module")


def test_a_recording_is_scrubbed_without_python(read: Open) -> None:
    reader = read("/labs/learning/uniform_quantization/")
    figure = reader.figure()
    sentences = set()
    for step in range(5, 0, -1):
        figure.button("Back").click()
        figure.at(step, of=6)
        sentences.add(figure.sentence)
    assert len(sentences) == 5
    assert not [path for path in reader.requests if path.startswith(("/pyodide/", "/labs/labs"))]
    assert reader.workers == 0


def test_a_link_that_asks_for_what_is_not_there(read: Open) -> None:
    asked = {"bits": "99", "nope": "1", "clip": "NaN", "scheme": "<b>x</b>", "full_range": "1", "step": "abc"}
    query = "&".join(f"uniform_quantization.{name}={quote(value)}" for name, value in asked.items())
    reader = read(f"{ARTICLE}?{query}")
    figure = reader.figure("uniform_quantization")
    alerts = figure.host.get_by_role("alert")
    expect(alerts).to_have_count(len(asked))
    said = " ".join(alerts.all_inner_texts())
    for words in (
        "“99”; it must be a whole number from 2 to 8",
        "“nope”, which this figure does not have",
        "“NaN”; it must be a number from 90 to 100",
        "“<b>x</b>”; it must be one of symmetric, asymmetric",
        "“1”; it must be on or off",
        "asks for step “abc”",
    ):
        assert words in said
    assert figure.field("Bits per weight").input_value() == "4"
    assert figure.badge.inner_text().startswith("Recorded on")
    figure.at(6, of=6)
    expect(figure.field("Bits per weight")).to_be_enabled()


def test_a_link_to_a_step_beyond_the_end_shows_the_last(read: Open) -> None:
    figure = read("/labs/learning/number_line/?number_line.step=999").figure("number_line")
    figure.at(6, of=6)


def test_where_there_is_no_clipboard_the_link_can_be_taken_by_hand(read: Open) -> None:
    reader = read()
    reader.page.add_init_script(NO_CLIPBOARD)
    reader.go("/labs/learning/number_line/")
    figure = reader.figure("number_line")
    offered: list[str] = []

    def note(dialog: Dialog) -> None:
        offered.append(dialog.default_value)
        dialog.dismiss()

    reader.page.on("dialog", note)
    with reader.page.expect_event("dialog"):
        figure.button("Copy link").click()
    (link,) = offered
    assert parse_qs(urlsplit(link).query)["number_line.step"] == ["6"]


def test_what_a_link_asks_for_is_awaited_and_nothing_else_shown(read: Open) -> None:
    """The picture that came with the page is of other settings: it stays faint until theirs is there."""
    reader = read()
    held: list[Route] = []
    reader.page.route("**/pyodide/snapshot.bin", lambda route: held.append(route))
    with reader.page.expect_request("**/pyodide/snapshot.bin"):  # the badge may speak of it before it is asked for
        reader.go("/labs/learning/uniform_quantization/?uniform_quantization.bits=3&uniform_quantization.clip=99")
    figure = reader.figure()
    stage = figure.host.locator(".stage")
    expect(figure.host.get_by_text("Computing Bits per weight 3, Keep the central 99…")).to_be_visible()
    expect(stage).to_have_css("opacity", "0.12")
    expect(figure.badge).to_have_text(re.compile(r"^Starting Python( \(\d+ of \d+ MB\)|…)$"))
    for route in held:
        route.continue_()
    expect(stage).to_have_css("opacity", "1")
    expect(figure.badge).to_have_text("In your browser")
    expect(figure.host.locator(".awaited")).to_have_count(0)
    assert "3 bits" in figure.sentence


def test_a_link_to_what_was_recorded_shows_that_at_once(read: Open) -> None:
    reader = read()
    reader.page.route("**/pyodide/**", lambda route: route.abort())
    reader.go("/embed/learning/number_line/?bits=3")
    figure = reader.figure()
    expect(figure.badge).to_contain_text("Recorded on")
    expect(figure.host.locator(".stage")).to_have_css("opacity", "1")
    expect(figure.field("Bits")).to_have_value("3")
    reader.hears("/pyodide/")

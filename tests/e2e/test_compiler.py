"""The fusing compiler under a reader's hands: what is pointed at is lit on its whole way, programs are typed."""

import re

from playwright.sync_api import Locator, expect
from reader import PHONE, Figure, Open

PATH = "/labs/compilers/fusing_compiler/"
THERE = f"{PATH}?fusing_compiler.on=cpu"  # where it starts at once

# The server answers a second late.
LATE = """const ask = window.fetch;
window.fetch = async (...call) => {
  if (String(call[0]?.url ?? call[0]).includes("/api/")) await new Promise((done) => setTimeout(done, 1000));
  return ask(...call);
};"""


def lit(figure: Figure, title: str) -> Locator:
    return figure.host.get_by_role("listbox", name=title, exact=True).locator('[aria-selected="true"]')


def test_a_row_is_lit_from_its_line_to_its_loop(read: Open) -> None:
    reader = read(PATH)
    figure = reader.figure()
    figure.scrubber.fill("13")
    figure.at(14, 17)
    graph = figure.host.get_by_role("listbox", name="Graph")
    graph.get_by_role("option").filter(has_text="= far * far").click()
    expect(lit(figure, "Program")).to_have_text(re.compile(r"^3\s+spread = "))
    expect(lit(figure, "Loops")).to_have_text(["mul6 = sub5 * sub5"])
    reader.page.keyboard.press("ArrowDown")
    expect(lit(figure, "Graph")).to_contain_text("v8.sum(1)")
    expect(lit(figure, "Loops")).to_have_text(["sum7 = 0", "sum7 = sum7 + mul6"])
    assert figure.steps == (14, 17), "the arrows lead from row to row, not from step to step"


def test_a_line_lights_all_that_comes_from_it(read: Open) -> None:
    figure = read(PATH).figure()
    figure.scrubber.fill("15")
    figure.at(16, 17)
    program = figure.host.get_by_role("listbox", name="Program", exact=True)
    program.get_by_role("option").filter(has_text="far = x").click()
    expect(lit(figure, "Graph")).to_have_count(4)
    for line in lit(figure, "C").all():
        expect(line).to_have_text(re.compile("sum1|mul3|sub5"))


def test_what_cannot_be_read_stays_and_so_does_the_picture(read: Open) -> None:
    figure = read(THERE).figure()
    figure.settled(0)
    shapes = figure.shapes
    wrong = "def f(x: f32[4, 5]):\n    return x @ x\n"
    figure.write("Program", wrong)
    expect(figure.host.get_by_role("alert")).to_contain_text("5 columns meet 4 rows; transpose one")
    assert figure.written("Program") == wrong
    assert figure.shapes == shapes
    serial = figure.serial
    figure.write("Program", wrong.replace("x @ x", "x @ x.T"))
    figure.settled(serial)
    expect(figure.host.get_by_role("alert")).to_have_count(0)
    expect(figure.host.get_by_role("listbox", name="Graph")).to_contain_text("x @ v1")


def test_a_switch_takes_its_rewrites_away(read: Open) -> None:
    figure = read(f"{THERE}&fusing_compiler.program=@untidy").figure()
    figure.settled(0)
    figure.scrubber.fill("3")
    assert "v6 * 1 becomes v6 (one)" in figure.sentence
    serial = figure.serial
    figure.host.get_by_role("switch", name="Identities").uncheck()
    figure.settled(serial)
    for step in range(8):
        figure.scrubber.fill(str(step))
        assert not re.search(r"\((one|double sign|divide by)", figure.sentence)


def test_on_a_phone_nothing_is_too_wide(read: Open) -> None:
    reader = read(f"{THERE}&fusing_compiler.program=@attention&fusing_compiler.backward=true", **PHONE)
    figure = reader.figure()
    figure.settled(0)
    figure.scrubber.press("End")  # where there are loops beside the graph to choose from
    figure.button("Graph").click()
    expect(figure.host.get_by_role("listbox", name="Graph")).to_be_visible()
    assert reader.page.evaluate("document.documentElement.scrollWidth") == 390


def test_an_instruction_tells_its_way_and_what_is_lost_is_struck_out(read: Open) -> None:
    figure = read("/labs/bits/code_to_bytes/").figure()
    bytes_ = figure.host.get_by_role("listbox", name="Bytes for x86-64")
    bytes_.get_by_role("option").filter(has_text="shrq").click()
    way = ["i < n", "if t8 goto L1 else L4", "%5 = lshr i33 %4, 1", "shrq %rcx", "48 d1 e9"]
    expect(figure.host.locator(".below dd")).to_have_text(way)
    source = figure.host.get_by_role("listbox", name="C", exact=True)
    expect(source.locator(".lit")).to_have_text(["i", " < ", "n"])
    assert "total += i" in "".join(source.locator(".spent").all_inner_texts())
    expect(figure.host.locator(".stages > svg path")).to_have_count(3)  # of the test, and of two returns


def test_a_loop_is_a_jump_back_until_a_pass_removes_it(read: Open) -> None:
    figure = read("/labs/bits/code_to_bytes/").figure()
    for step, back in ((3, "1 jump back"), (16, "1 jump back"), (18, "no jumps back"), (25, "no jumps back")):
        figure.scrubber.fill(str(step - 1))
        expect(figure.host.locator(".drawn .title")).to_contain_text(back)
    figure.scrubber.fill("16")
    expect(figure.host.locator(".block.gone")).to_have_count(1)
    figure.button("Three-address code").click()
    figure.at(3, 26)


def test_an_editor_stays_while_answers_come_late(read: Open) -> None:
    """A program that cannot be read has fewer stages; a slash is for the editor, not the search."""
    reader = read("/labs/bits/code_to_bytes/")
    reader.page.add_init_script(LATE)
    reader.page.goto(reader.page.url + "?code_to_bytes.on=cpu")
    figure = reader.figure()
    figure.settled(0)
    figure.button("Edit").click()
    editor = figure.field("Program")
    expect(editor).to_be_focused()
    reader.page.keyboard.press("Control+End")
    for line in ("\n// goes on", "\nint (", "\n// and on"):
        serial = figure.serial
        reader.page.keyboard.type(line)
        figure.settled(serial)
        expect(editor).to_be_focused()
    expect(figure.host.get_by_role("alert")).to_contain_text("expected the name of a function")
    assert "// and on" in figure.written("Program")

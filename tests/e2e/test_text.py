"""A program that the reader writes: examples to begin with, every key a new run, errors that lose nothing."""

import re

from playwright.sync_api import expect
from reader import PYTHON_MS, Open

PAGE = "/embed/bits/memory_machine/"
MINE = """\
#include <stdio.h>
int main(void) {
  printf("%d", 6 * 7);
  return 0;
}
"""


def test_an_example_runs_and_so_does_what_the_reader_types(read: Open) -> None:
    live = read(f"{PAGE}?on=cpu")
    figure = live.figure()
    figure.settled(0)
    figure.choose("Program, examples", "factorial")
    expect(figure.host.locator(".picture")).to_contain_text("#include")
    assert live.address(figure.key, source="@factorial")
    before = figure.serial
    figure.write("Program", MINE)
    figure.settled(before)
    figure.scrubber.press("End")
    expect(figure.host.locator(".picture")).to_contain_text("42")
    expect(figure.host.get_by_role("combobox", name="Program, examples")).to_have_value("-1")
    expect(live.page).to_have_url(re.compile("6\\+\\*\\+7"))  # once it rests
    live.page.reload()
    expect(live.figure().host.locator(".picture")).to_contain_text('printf("%d", 6 * 7);')


def test_what_is_no_program_says_where_and_stays_to_be_fixed(read: Open) -> None:
    live = read(f"{PAGE}?on=cpu")
    figure = live.figure()
    figure.settled(0)
    broken = MINE.replace("6 * 7", "6 *")
    figure.write("Program", broken)
    expect(figure.host.get_by_role("alert")).to_contain_text("Line 3", timeout=PYTHON_MS)
    expect(figure.host.locator(".cm-fault")).to_contain_text("6 *")
    assert figure.written("Program") == broken
    before = figure.serial
    figure.write("Program", MINE)
    figure.settled(before)
    expect(figure.host.get_by_role("alert")).to_have_count(0)


def test_a_text_that_is_too_long_is_refused_and_kept(read: Open) -> None:
    figure = read(PAGE).figure()
    long = "/" * 4001
    figure.write("Program", long)
    expect(figure.host.get_by_role("status").filter(has_text="at most 4,000 characters")).to_be_visible()
    assert figure.written("Program").startswith(long[:1000])  # an editor draws of a long line what is in view


def test_a_link_to_an_example_that_is_not_there_names_those_that_are(read: Open) -> None:
    figure = read(f"{PAGE}?source=@nothing").figure()
    expect(figure.host.get_by_role("alert")).to_contain_text("@factorial")
    expect(figure.host.locator(".picture")).to_contain_text("int main")


def test_a_text_that_was_too_long_is_kept_when_it_fits(read: Open) -> None:
    """On the server a pause of the reader starts a run; until then the field once went back to the text before."""
    live = read("/labs/tools/smtp_roundtrip/")
    figure = live.figure()
    field = figure.field("Name of the sender")
    field.fill("Z" * 61)
    expect(field).to_have_attribute("aria-invalid", "true")
    before = figure.serial
    field.press("End")
    field.press("Backspace")
    field.press("Backspace")
    assert field.input_value() == "Z" * 59
    field.press("Enter")
    figure.settled(before)
    expect(field).to_have_value("Z" * 59)
    live.address(figure.key, name="Z" * 59)


def test_a_line_break_of_an_example_is_seen(read: Open) -> None:
    figure = read("/labs/tools/smtp_roundtrip/").figure()
    figure.host.get_by_role("combobox", name="Subject, examples").select_option("two headers")
    expect(figure.field("Subject")).to_have_value("The boat\nBcc: everybody@example.org")
    alert = figure.host.get_by_role("alert")
    expect(alert).to_have_text("The subject has a line break, which would begin another header: take it out.")
    before = figure.serial
    figure.field("Subject").fill("The boat")
    figure.settled(before)
    expect(alert).to_have_count(0)

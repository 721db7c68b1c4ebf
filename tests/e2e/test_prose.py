"""Prose and figures speak of the same things: a term lights its parts and back, words set a figure, and a number in
a sentence is the figure's own."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from measure.paint import ARTICLE
from playwright.sync_api import Locator, Page, expect
from reader import PHONE, Figure, Open, Reader


def lit(page: Page, concept: str | None, figure: str = "number_line") -> None:
    """Wait until this concept is lit in this figure, and nothing in any other."""
    figures = page.locator("[data-lab][data-lit]")
    expect(figures).to_have_count(1 if concept else 0)
    if concept:
        expect(figures).to_have_id(figure)
        expect(figures).to_have_attribute("data-lit", concept)
    else:
        expect(page.locator("[data-lit]")).to_have_count(0)


def clear(page: Page) -> None:
    """Nothing is pointed at, focused or pinned."""
    page.mouse.move(2, 2)
    page.evaluate("() => document.activeElement.blur()")
    page.keyboard.press("Escape")
    lit(page, None)


@pytest.fixture
def page(live: Reader) -> Page:
    clear(live.page)
    return live.page


def term(page: Page, concept: str) -> Locator:
    return page.locator(f".prose li .term[data-concept={concept}]").first


def part(figure: Figure, concept: str) -> Locator:
    return figure.host.locator(f".picture :is(svg, dl) [data-concept={concept}]").first


def painted(one: Locator) -> str:
    style: str = one.evaluate("(one) => getComputedStyle(one).backgroundColor")
    return style


def test_a_term_lights_its_parts_and_fades_the_others(page: Page, line: Figure) -> None:
    assert part(line, "scale").evaluate("(one) => getComputedStyle(one).opacity") == "1"
    term(page, "scale").hover()
    lit(page, "scale")
    expect(part(line, "error")).to_have_css("opacity", "0.2")
    expect(part(line, "scale")).to_have_css("opacity", "1")
    page.mouse.move(2, 2)
    lit(page, None)
    expect(part(line, "error")).to_have_css("opacity", "1")


def test_a_part_lights_the_terms(page: Page, line: Figure) -> None:
    plain = painted(term(page, "code"))
    line.host.locator(".picture .bubble").hover()
    lit(page, "code")
    assert painted(term(page, "code")) != plain
    assert painted(term(page, "scale")) == plain
    assert painted(page.locator("pre [data-concept=code]").first) != plain
    assert painted(page.locator("math [data-concept=code]").first) != plain


def test_a_part_of_another_figure_lights_the_words_about_that_one(page: Page, live: Reader, line: Figure) -> None:
    """The same concept, elsewhere: neither the figure nor the words here have to do with it."""
    other = live.figure("uniform_quantization")
    plain = painted(term(page, "scale"))
    other.host.locator(".picture .term[data-concept=scale]").first.hover()
    lit(page, "scale", "uniform_quantization")
    assert painted(term(page, "scale")) == plain
    expect(part(line, "error")).to_have_css("opacity", "1")


def test_a_symbol_of_a_formula_lights_its_part(page: Page, line: Figure) -> None:
    page.locator("math [data-concept=scale]").first.hover()
    lit(page, "scale")
    expect(part(line, "error")).to_have_css("opacity", "0.2")
    expect(part(line, "scale")).to_have_css("opacity", "1")


def test_a_control_lights_what_it_changes_and_fades_nothing(page: Page, line: Figure) -> None:
    line.host.get_by_role("slider", name="Value to be stored").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    line.settled()
    line.field("Range from").focus()
    lit(page, "range")
    expect(part(line, "error")).to_have_css("opacity", "1")


def test_the_keyboard_lights_pins_and_lets_go(page: Page) -> None:
    page.locator(".prose li a.ask").first.focus()
    page.keyboard.press("Tab")
    first = page.locator(".prose li .term").first
    expect(first).to_be_focused()
    lit(page, "range")
    page.keyboard.press("Enter")
    expect(first).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Tab")
    lit(page, "clipped")  # what has the focus comes before what is pinned
    page.evaluate("() => document.activeElement.blur()")
    lit(page, "range")
    page.keyboard.press("Escape")
    lit(page, None)
    expect(first).to_have_attribute("aria-pressed", "false")


def test_a_tap_lights_and_another_puts_out(read: Open) -> None:
    reader = read(ARTICLE, **PHONE)
    page = reader.page
    scale = term(page, "scale")
    scale.tap()
    lit(page, "scale")
    expect(scale).to_have_attribute("aria-pressed", "true")
    scale.tap()
    lit(page, None)
    bubble = reader.figure("number_line").host.locator(".picture .bubble")
    bubble.tap()
    lit(page, "code")
    term(page, "range").tap()
    lit(page, "range")
    page.locator(".prose > p").first.tap()
    lit(page, None)
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390


def test_a_step_in_the_text_shows_that_step(live: Reader, page: Page, line: Figure) -> None:
    page.get_by_role("link", name="Scale.", exact=True).click()
    line.at(2, of=6)
    expect(line.host.locator(".picture")).to_be_in_viewport(ratio=1)
    live.address("number_line", step="2")
    assert urlsplit(page.url).fragment == "number_line"
    page.get_by_role("link", name="step 6").press("Enter")
    line.at(6, of=6)
    expect(page.locator("#number_line")).to_be_focused()


def test_a_step_keeps_what_the_reader_set(page: Page, line: Figure) -> None:
    line.set("Bits", 3)
    page.get_by_role("link", name="Zero point.", exact=True).click()
    line.at(3, of=6)
    assert line.field("Bits").input_value() == "3"


def test_words_set_parameters(page: Page, matrix: Figure) -> None:
    matrix.set("Keep the central", 99)
    for scheme in ("asymmetric", "symmetric"):  # a list that was used by hand follows the words as well
        matrix.choose("Scheme", scheme)
    serial = matrix.serial
    page.locator("#uniform_quantization .caption").get_by_role("link", name="eight").click()
    matrix.settled(serial)
    assert matrix.field("Bits per weight").input_value() == "8"
    assert matrix.field("Keep the central").input_value() == "99", "what the words do not name stays"
    serial = matrix.serial
    page.get_by_role("link", name="asymmetric, eight bits, and").click()
    matrix.settled(serial)
    expect(matrix.host.get_by_role("combobox", name="Scheme")).to_have_value("asymmetric")
    expect(matrix.host.get_by_role("switch", name="round(w/s)")).to_be_checked()


def test_words_take_back_what_other_words_set(page: Page, matrix: Figure) -> None:
    """Whatever was read and clicked before, a link shows the picture of its own sentence."""
    serial = matrix.serial
    page.get_by_role("link", name="asymmetric, eight bits, and").click()
    matrix.settled(serial)
    expect(matrix.host.get_by_role("switch", name="round(w/s)")).to_be_checked()
    serial = matrix.serial
    page.locator("#uniform_quantization .caption").get_by_role("link", name="eight").click()
    matrix.settled(serial)
    expect(matrix.host.get_by_role("switch", name="round(w/s)")).not_to_be_checked()
    expect(matrix.host.get_by_role("combobox", name="Scheme")).to_have_value("symmetric")
    assert matrix.field("Bits per weight").input_value() == "8"


def test_words_that_ask_for_what_was_recorded_run_nothing(read: Open) -> None:
    reader = read("/compilers/a-fusing-compiler-of-our-own/")
    figure = reader.figure("fusing_compiler")
    serial = figure.serial
    reader.page.get_by_role("link", name="two products").click()
    figure.settled(serial)
    figure.at(3, of=7)
    assert "stay two kernels" in figure.sentence
    reader.page.evaluate(
        """() => document.getElementById("fusing_compiler").dispatchEvent(new CustomEvent("figure-ask", {
          detail: { params: { program: "@layer-norm" }, step: 2 } }))"""
    )
    figure.at(2, of=17)
    expect(figure.host.locator("details.badge summary")).to_contain_text("Recorded on")


def test_words_wake_a_figure_that_sleeps(read: Open) -> None:
    """A click on a link whose figure is far away loads it, and nothing is lost."""
    page = read(ARTICLE).page
    host = page.locator("#post_training_quantization")
    assert host.get_attribute("data-live") is None
    page.get_by_role("link", name="the calibration").evaluate("(link) => link.click()")
    expect(host.locator("output")).to_have_text(re.compile("^step 66 of 71$"))
    expect(host).to_be_in_viewport()


def test_with_a_modifier_words_are_a_link(read: Open) -> None:
    reader = read(ARTICLE)
    with reader.page.context.expect_page() as opened:
        reader.page.get_by_role("link", name="step 6").click(modifiers=["Control"])
    opened.value.wait_for_url(lambda url: bool(urlsplit(url).query))  # it opens as about:blank
    assert parse_qs(urlsplit(opened.value.url).query) == {"number_line.step": ["6"]}


@pytest.fixture
def number(page: Page, matrix: Figure) -> Locator:
    found = page.get_by_role("slider", name="Bits per weight, in the figure").first
    found.scroll_into_view_if_needed()
    return found


def test_a_number_is_dragged(page: Page, matrix: Figure, number: Locator) -> None:
    expect(number).to_have_text("4")
    box = number.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    serial = matrix.serial
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 90, y, steps=9)
    page.mouse.up()
    matrix.settled(serial)
    dragged = number.inner_text()
    assert 5 <= int(dragged) <= 7
    assert matrix.field("Bits per weight").input_value() == dragged
    assert number.bounding_box() == box, "a word has moved"
    page.mouse.move(x, y)
    assert number.inner_text() == dragged, "it still follows after it was let go"


def test_a_number_is_stepped_and_follows(page: Page, matrix: Figure, number: Locator) -> None:
    number.focus()
    for key, value in (("ArrowRight", "5"), ("ArrowDown", "4"), ("End", "8"), ("Home", "2")):
        serial = matrix.serial
        page.keyboard.press(key)
        matrix.settled(serial)
        assert matrix.field("Bits per weight").input_value() == value
        expect(number).to_have_attribute("aria-valuenow", value)
    matrix.set("Bits per weight", 7)
    expect(number).to_have_text("7")
    matrix.reset()
    expect(number).to_have_text("4")


def test_a_number_is_typed(page: Page, matrix: Figure, number: Locator) -> None:
    number.focus()
    page.keyboard.press("Enter")
    field = page.locator(".scrub input")
    expect(field).to_be_focused()
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    expect(field).to_have_attribute("aria-invalid", "true")
    assert "a whole number from 2 to 8" in field.evaluate("(one) => one.validationMessage")
    assert field.input_value() == "9", "what was typed is kept, to be fixed"
    serial = matrix.serial
    field.fill("6")
    field.press("Enter")
    matrix.settled(serial)
    assert matrix.field("Bits per weight").input_value() == "6"
    expect(number).to_be_focused()
    number.dblclick()
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(field).to_have_count(0)
    expect(number).to_have_text("6")


def test_without_a_script_words_are_links_and_text(read: Open) -> None:
    page = read(ARTICLE, java_script_enabled=False).page
    link = page.get_by_role("link", name="step 6")
    assert link.get_attribute("href") == "?number_line.step=6#number_line"
    eight = page.locator("#uniform_quantization .caption").get_by_role("link", name="eight")
    assert eight.get_attribute("href") == "?uniform_quantization.bits=8#uniform_quantization"
    assert page.locator(".scrub").first.inner_text() == "4"
    assert page.locator(".prose .term").count() > 10
    assert page.locator(".term[tabindex], .term[role], .number[role]").count() == 0, "it must not look usable"

"""The home page: its figure follows a line down; its numbers can be changed; its series stand below."""

import re
from collections.abc import Iterator

import pytest
from hero import awake
from labs.descent.one_line import Params, run
from labs.models.one_line.line import EXAMPLES
from measure.serving import Server
from pages import DIST, html, ids
from playwright.sync_api import Browser, Locator, expect
from reader import PHONE, PYTHON_MS, Open, Reader, reading


def sentence(hero: Locator) -> str:
    return hero.locator(".sentence").inner_text()


def bits(hero: Locator) -> str:
    return "".join(hero.locator("[data-level='8'] .bits span").all_text_contents())


@pytest.fixture(scope="module")
def home(browser: Browser, server: Server) -> Iterator[Reader]:
    """Open for all who type a line and only that: Python, which takes seconds, starts in it once."""
    with reading(browser, server.url) as reader:
        reader.go("/")
        yield reader


@pytest.fixture
def hero(home: Reader) -> Iterator[Locator]:
    """The hero with the line that it begins with."""
    hero = awake(home.page.locator("[data-hero]"))
    hero.get_by_role("textbox", name="Your line").fill(Params().line)
    expect(hero.locator(".wrong")).to_have_count(0, timeout=PYTHON_MS)
    expect(hero.locator("figure")).to_have_attribute("data-status", "idle", timeout=PYTHON_MS)
    yield hero
    assert not home.complained()


def test_another_element_is_there_without_waiting(read: Open) -> None:
    hero = awake(read("/").page.locator("[data-hero]"))
    hero.get_by_role("button", name=re.compile(r"^y\[1, 1\]")).click()
    expect(hero.locator(".sentence")).to_have_text(re.compile(r"^y\[1, 1\] is 1\.3:"))
    (found,) = run(Params(element=5))
    assert bits(hero) == found.bits.bits
    expect(hero.locator("[data-level='7'] li").first).to_contain_text(found.machines[0].rows[0].bytes)


def test_what_is_changed_above_follows_below(read: Open) -> None:
    hero = awake(read("/").page.locator("[data-hero]"))
    hero.get_by_role("textbox", name="x[1, 0]").fill("-2.5")
    expect(hero.locator(".origin")).to_have_text("In your browser", timeout=PYTHON_MS)
    (found,) = run(Params(x="1.5 -0.5 2; -2.5 3 -1"))
    expect(hero.locator(".sentence")).to_contain_text(f" is {found.value}:")
    assert bits(hero) == found.bits.bits
    hero.get_by_role("textbox", name="Your line").fill("y = x @ x")
    line = hero.get_by_role("textbox", name="Your line")
    expect(line).to_have_attribute("aria-invalid", "true")
    expect(line).to_have_accessible_description(re.compile("inner lengths have to be equal"))
    hero.get_by_role("textbox", name="Your line").fill("y = x @ x.T")
    expect(hero.locator(".sentence")).to_contain_text("y[1, 1]")
    assert bits(hero) != found.bits.bits


def test_keys_go_down_and_up_a_level(read: Open) -> None:
    page = read("/").page
    hero = awake(page.locator("[data-hero]"))
    hero.locator("[data-level='1']").focus()
    for key, level in (("j", "2"), ("j", "3"), ("k", "2")):
        page.keyboard.press(key)
        expect(hero.locator(f"[data-level='{level}']")).to_be_focused()


def test_they_do_so_from_wherever_the_reader_is(read: Open) -> None:
    page = read("/").page
    hero = awake(page.locator("[data-hero]"))
    page.keyboard.press("j")
    expect(hero.locator("[data-level='1']")).to_be_focused()
    field = hero.get_by_role("textbox", name="b[0]")
    field.press("j")
    expect(field).to_be_focused()


def test_a_cell_says_what_is_not_a_number(read: Open) -> None:
    hero = awake(read("/").page.locator("[data-hero]"))
    cell = hero.get_by_role("textbox", name="w[1, 2]")
    for typed, says in (("1/3", "is not a number: 1/3"), ("inf", "is not a number: inf"), ("", "is empty")):
        cell.fill(typed)
        expect(cell).to_have_attribute("aria-invalid", "true")
        expect(hero.locator(".refused")).to_have_text(f"w[1, 2] {says}")
    cell.blur()
    expect(cell).to_have_value("0.7")
    expect(hero.locator(".refused")).to_have_count(0)
    cell.fill("0,5")
    expect(cell).to_have_value("0.5")
    expect(cell).not_to_have_attribute("aria-invalid", "true")


def test_an_error_on_the_way_does_not_outlive_it(hero: Locator) -> None:
    line = hero.get_by_role("textbox", name="Your line")
    line.fill("y = x +")
    expect(hero.locator(".wrong")).to_have_count(1, timeout=PYTHON_MS)
    line.fill("")
    line.press_sequentially("y = x + x", delay=5)
    expect(hero.locator(".sentence")).to_contain_text("y[1, 2] is −2:")
    expect(hero.locator("figure")).to_have_attribute("data-status", "idle")
    expect(hero.locator(".wrong")).to_have_count(0)


def test_another_line_is_a_press_away(read: Open) -> None:
    hero = awake(read("/").page.locator("[data-hero]"))
    lines = hero.get_by_role("group", name="Other lines")
    titles = [one.get_attribute("title") for one in lines.get_by_role("button").all()]
    assert sorted(map(str, titles)) == sorted(EXAMPLES.values())
    lines.get_by_role("button", name="turned").click()
    expect(hero.get_by_role("textbox", name="Your line")).to_have_value(EXAMPLES["turned"])
    (found,) = run(Params(line=EXAMPLES["turned"]))
    expect(hero.locator(".sentence")).to_contain_text(f"y[{found.index[0]}, {found.index[1]}] is {found.value}:")
    expect(lines.get_by_role("button", pressed=True)).to_have_text("turned")


def test_nothing_moves_while_a_line_is_typed(hero: Locator) -> None:
    before = hero.locator(".tensors").bounding_box()
    hero.get_by_role("textbox", name="Your line").fill("y = relu(x @")
    expect(hero.locator(".wrong")).to_be_visible(timeout=PYTHON_MS)
    assert hero.locator(".tensors").bounding_box() == before


def test_the_loops_of_the_kernel_have_the_chosen_element_lit(read: Open) -> None:
    hero = awake(read("/").page.locator("[data-hero]"))
    level = hero.locator("[data-level='6']")
    hero.get_by_role("button", name=re.compile(r"^y\[0, 3\]")).click()
    (found,) = run(Params(element=3))
    expect(level.locator(".nest")).to_have_count(2)
    rounds = [each.rounds for nest in found.nests for each in nest.loops]
    expect(level.locator(".nest small")).to_have_text(rounds)
    expect(level.locator(".nest .result .on")).to_have_count(2)
    expect(level.locator(".nest i.held")).to_have_count(2)


def test_the_server_answers_for_the_call_and_the_clock_of_an_example(read: Open) -> None:
    hero = awake(read("/").page.locator("[data-hero]"))
    call, clock = (hero.locator(f"[data-level='{level}']") for level in (2, 9))
    expect(clock).to_contain_text("Recorded on")
    hero.get_by_role("textbox", name="Your line").fill("y = x @ w + b")
    expect(clock).to_contain_text("Your line, measured on this server, just now", timeout=PYTHON_MS)
    expect(clock.locator(".rail p")).to_have_text(re.compile(r"^Of .* microseconds, .* are arithmetic"))
    expect(call).to_contain_text("on this server, just now")
    hero.get_by_role("textbox", name="Your line").fill("y = x + x")
    expect(clock).to_contain_text("Your line was not timed")
    expect(call).to_contain_text("and recorded")


def test_without_a_server_both_stay_recorded(read: Open) -> None:
    reader = read("/")
    page = reader.page
    page.route("**/api/**", lambda route: route.abort())
    hero = awake(page.locator("[data-hero]"))
    with page.expect_request("**/api/devices", timeout=PYTHON_MS):
        hero.get_by_role("textbox", name="Your line").fill("y = relu(x @ w) + b")
    expect(hero.locator("[data-level='9']")).to_contain_text("Your line was not timed")
    expect(hero.locator("[data-level='2']")).to_contain_text("and recorded")
    expect(hero.locator(".origin")).to_have_text("In your browser", timeout=PYTHON_MS)
    reader.hears("/api/devices")
    reader.hears("net::ERR_FAILED")


def test_what_is_changed_arrives_in_the_bits_at_the_foot(read: Open) -> None:
    hero = awake(read("/").page.locator("[data-hero]"))
    hero.get_by_role("button", name=re.compile(r"^y\[1, 1\]")).click()
    (found,) = run(Params(element=5))
    expect(hero.locator(".said .bits .set")).to_have_count(found.bits.bits.count("1"))
    expect(hero.locator(".said .bits")).to_be_in_viewport()


def test_a_series_of_one_article_is_that_article(read: Open) -> None:
    page = read("/descent/").page
    expect(page).to_have_url(re.compile("/descent/one-line/$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("One line, all the way down")
    assert "/descent/</loc>" not in (DIST / "sitemap-0.xml").read_text("utf-8")
    assert "/descent/" not in re.findall(r'href="?([^"\s>]+)', html("/"))


def test_each_level_leads_to_the_figure_that_explains_it(read: Open) -> None:
    links = read("/").page.locator("[data-hero] [data-level] .rail > a").all()
    found = [(link.get_attribute("href") or "").split("#") for link in links]
    assert len(found) == 9
    for path, figure in found:
        assert figure in ids(path), (path, figure)


def test_a_level_that_cannot_go_on_keeps_the_last_line_that_could(hero: Locator) -> None:
    line, machine, loops = (
        hero.get_by_role("textbox", name="Your line"),
        *(hero.locator(f"[data-level='{level}'] .view") for level in (7, 5)),
    )
    line.fill("y = x @ w")
    expect(hero.locator(".sentence")).to_contain_text("by 5 operations", timeout=PYTHON_MS)
    code, text = machine.locator("ol").text_content(), loops.locator("pre").text_content()
    line.fill(f"y = {'b + (' * 8}b{')' * 8}")  # more numbers wait than there are registers
    expect(machine.get_by_role("note")).to_contain_text("the last line that did not: y = x @ w")
    assert machine.locator("ol").text_content() == code
    expect(machine.locator("[data-thread]")).to_have_count(0)
    expect(loops.get_by_role("note")).to_have_count(0)
    line.fill("exp = x @ w")  # the compiler has a function of that name
    expect(loops.get_by_role("note")).to_contain_text("the last line that did not: y = b + (b +")
    expect(machine.get_by_role("note")).to_have_count(0)
    line.fill("y = x @ w")
    expect(loops.get_by_role("note")).to_have_count(0)
    assert loops.locator("pre").text_content() == text


@pytest.mark.parametrize("how", [{}, PHONE])
def test_it_is_complete_without_a_script(how: dict[str, object], read: Open) -> None:
    page = read("/", java_script_enabled=False, **how).page
    hero = page.locator("[data-hero]")
    assert hero.locator("[data-level]").count() == 9
    assert len(bits(hero)) == 32
    assert all(each.is_disabled() for each in hero.locator("button, input").all())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_is_written_stands_first_and_what_is_planned_in_one_line(read: Open) -> None:
    page = read("/").page
    empty = page.locator(".map > li").evaluate_all("(all) => all.map((one) => one.classList.contains('empty'))")
    assert empty == sorted(empty)
    for planned in page.locator(".map .planned").all():
        lines = "(one) => one.clientHeight / parseFloat(getComputedStyle(one).lineHeight)"
        assert planned.evaluate(lines) < 1.5, planned.inner_text()

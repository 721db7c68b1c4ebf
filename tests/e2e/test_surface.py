"""Surfaces in three dimensions: fetched when they are asked for, turned by mouse and keys, read as a table."""

import re
from pathlib import Path

import pytest
from checks.accessible import ALL, AXE, FIND
from playwright.sync_api import Locator, expect
from reader import PHONE, Figure, Open, Reader

PATH = "/labs/learning/loss_surface/"
SCENE = re.compile(r"/_astro/Scene[\w.-]*\.js$")
DIST = Path(__file__).parents[2] / "frontend/dist"
EYE = "(box) => box.querySelector('.js-plotly-plot').layout.scene.camera.eye"
PAPER = "(box) => box.querySelector('.js-plotly-plot').layout.paper_bgcolor"
ASK = "Draw it in three dimensions"
SOFTWARE = (
    "GPU stall|willReadFrequently|Automatic fallback to software"  # what a browser without a GPU says of WebGL
)
BLIND = "HTMLCanvasElement.prototype.getContext = () => null"


def fetched(reader: Reader) -> list[str]:
    return [path for path in reader.requests if SCENE.search(path)]


def drawn(reader: Reader) -> tuple[Figure, Locator]:
    reader.go(PATH)
    figure = reader.figure()
    figure.button(ASK).click()
    box = figure.host.get_by_role("application")
    expect(box.locator("canvas").first).to_be_visible(timeout=30_000)
    reader.page.wait_for_function(
        "(box) => box.querySelector('.js-plotly-plot')?.layout?.scene?.camera", arg=box.element_handle()
    )
    return figure, box


def test_it_comes_when_it_is_asked_for_and_in_no_page(read: Open) -> None:
    reader = read()
    reader.go(PATH)
    figure = reader.figure()
    expect(figure.host.locator(".flat svg").first).to_be_visible()  # from above, without Plotly
    assert fetched(reader) == []
    figure.button(ASK).click()
    expect(figure.host.get_by_role("application").locator("canvas").first).to_be_visible(timeout=30_000)
    (path,) = fetched(reader)
    bundle = DIST / path.lstrip("/")
    assert not re.search(r"\beval\(|new Function\b", bundle.read_text("utf-8"))  # our policy would refuse it
    files = (*DIST.rglob("index.html"), *DIST.rglob("offline.json"), DIST / "sw.js")
    assert [each.name for each in files if bundle.name in each.read_text("utf-8")] == []
    reader.hears(SOFTWARE)


def test_who_saves_no_data_gets_it_near_the_screen(read: Open) -> None:
    reader = read(saving=False)
    reader.go(PATH)
    box = reader.figure().host.get_by_role("application")
    expect(box.locator("canvas").first).to_be_visible(timeout=30_000)
    reader.hears(SOFTWARE)


def test_keys_and_mouse_turn_it_and_choose_a_point(read: Open) -> None:
    reader = read()
    figure, box = drawn(reader)
    page = reader.page
    begin = box.evaluate(EYE)
    box.focus()
    page.keyboard.press("ArrowRight")
    turned = box.evaluate(EYE)
    assert turned["z"] == pytest.approx(begin["z"]) and turned["x"] != pytest.approx(begin["x"])
    page.keyboard.press("ArrowUp")
    assert box.evaluate(EYE)["z"] > turned["z"]
    page.keyboard.press("0")
    assert box.evaluate(EYE) == pytest.approx(begin)
    figure.button("Turn right").click()
    assert box.evaluate(EYE) == pytest.approx(turned)
    area = box.bounding_box()
    assert area
    page.mouse.move(area["x"] + 200, area["y"] + 150)
    page.mouse.down()
    page.mouse.move(area["x"] + 320, area["y"] + 160, steps=3)  # each is drawn, without a GPU
    page.mouse.up()
    page.wait_for_function(
        f"([box, x]) => Math.abs(({EYE})(box).x - x) > 0.01", arg=[box.element_handle(), turned["x"]]
    )
    box.focus()
    page.keyboard.press("Shift+ArrowRight")
    said = figure.host.get_by_role("status").filter(has_text="loss: ")
    first, second = re.findall(r"\]: (−?\d+)", said.inner_text())
    page.keyboard.press("Enter")
    figure.settled(figure.serial - 1)
    key = figure.key
    expect(page).to_have_url(re.compile(re.escape(f"{key}.first=")))
    assert figure.field("The first starts at").input_value() == first
    assert figure.field("The second starts at").input_value() == second
    reader.hears(SOFTWARE)


def test_it_is_a_table_with_headings_and_a_picture_to_keep(read: Open) -> None:
    reader = read()
    figure, _ = drawn(reader)
    with reader.page.expect_download() as coming:
        figure.button("PNG").click()
    assert coming.value.suggested_filename == "loss-surface.png"
    assert Path(coming.value.path()).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    figure.button("Table").click()
    table = figure.host.get_by_role("region", name="Loss over two weights").get_by_role("table")
    expect(table.get_by_role("columnheader")).to_have_count(26)
    expect(table.get_by_role("rowheader")).to_have_count(25)
    expect(table.get_by_role("cell")).to_have_count(625)
    reader.hears(SOFTWARE)


def test_a_cell_of_the_table_sets_what_a_point_does(read: Open) -> None:
    """It needs no WebGL: by mouse, and by keys from the cell that has the focus."""
    reader = read(PATH)
    figure = reader.figure()
    figure.button("Table").click()
    cells = figure.host.get_by_role("region", name="Loss over two weights").get_by_role("cell")

    def chosen() -> tuple[str, ...]:
        return tuple(figure.field(f"The {which} starts at").input_value() for which in ("first", "second"))

    before = figure.serial
    cells.nth(3).get_by_role("button").click()
    figure.settled(before)
    heads, sides = (
        [words.replace("−", "-") for words in figure.host.get_by_role(role).all_inner_texts()]
        for role in ("columnheader", "rowheader")
    )
    del heads[0]
    assert chosen() == (heads[3], sides[0])
    reader.page.keyboard.press("ArrowDown")
    reader.page.keyboard.press("ArrowRight")
    reached = cells.nth(len(heads) + 4).get_by_role("button")
    expect(reached).to_be_focused()
    before = figure.serial
    reader.page.keyboard.press("Enter")
    figure.settled(before)
    assert chosen() == (heads[4], sides[1])
    expect(reached).to_be_focused()
    expect(cells.get_by_role("button").and_(figure.host.locator("[tabindex='0']"))).to_have_count(1)


@pytest.mark.parametrize("phone", [False, True])
def test_it_follows_the_theme_fits_and_satisfies_axe(phone: bool, read: Open) -> None:
    reader = read(color_scheme="light", **(PHONE if phone else {}))
    _, box = drawn(reader)
    page = reader.page
    light = box.evaluate(PAPER)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"([box, before]) => ({PAPER})(box) !== before", arg=[box.element_handle(), light])
    assert page.evaluate("() => document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]
    page.evaluate(AXE)
    assert page.evaluate(FIND, [".surface", ALL]) == []
    reader.hears(SOFTWARE)


def test_without_webgl_it_says_so_and_keeps_the_table(read: Open) -> None:
    reader = read()
    reader.page.add_init_script(BLIND)
    reader.go(PATH)
    figure = reader.figure()
    figure.button(ASK).click()
    expect(figure.host.get_by_text("Without WebGL this browser cannot draw it")).to_be_visible()
    assert fetched(reader) == []
    figure.button("Table").click()
    expect(figure.host.get_by_role("rowheader")).to_have_count(25)


def test_a_block_follows_the_hand_before_it_is_timed(read: Open) -> None:
    reader = read("/labs/speed/tile_surface/")
    figure, mouse = reader.figure(), reader.page.mouse
    box = figure.host.locator(".hand").bounding_box()
    assert box
    mouse.move(box["x"] + box["width"] * 64 / 768, box["y"] + box["height"] * 56 / 768)
    mouse.down()
    mouse.up()
    expect(figure.host.get_by_role("img", name=re.compile("^A block of .* × 64 of A"))).to_be_visible()
    expect(reader.page).to_have_url(re.compile("deep=64"))

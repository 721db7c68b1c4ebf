"""A digit is drawn as on paper, and a cell of the table of confusions shows what is in it."""

import re

from playwright.sync_api import Locator, expect
from reader import Figure, Open, Reader

LAB = "/labs/tensors/mlp_digits/"
INK = """(sheet) => [...sheet.querySelectorAll("[role=gridcell]")]
  .map((each) => parseInt(each.ariaLabel.split(": ")[1]))"""


def sheet(figure: Figure) -> Locator:
    return figure.host.get_by_role("grid", name="Your digit")


def ink(figure: Figure) -> list[int]:
    found: list[int] = sheet(figure).evaluate(INK)
    return found


def stroke(reader: Reader, figure: Figure, *points: tuple[float, float]) -> None:
    """Points in pixels of the sheet."""
    sheet(figure).scroll_into_view_if_needed()
    box = sheet(figure).bounding_box()
    assert box is not None
    side = box["width"] / 8
    (x, y), *others = points
    reader.page.mouse.move(box["x"] + side * x, box["y"] + side * y)
    reader.page.mouse.down()
    for x, y in others:
        reader.page.mouse.move(box["x"] + side * x, box["y"] + side * y, steps=4)
    reader.page.mouse.up()


def test_a_stroke_inks_what_it_passes_and_the_rubber_takes_it_away(read: Open) -> None:
    reader = read(f"{LAB}?mlp_digits.on=cpu&mlp_digits.epochs=1&mlp_digits.drawing=@nothing")
    figure = reader.figure()
    stroke(reader, figure, (4.5, 1.5), (4.5, 6.5))
    figure.settled()
    drawn = ink(figure)
    assert [drawn[8 * row + 4] for row in range(2, 6)] == [16] * 4
    assert not any(drawn[8 * row + column] for row in range(8) for column in (0, 1, 2, 6, 7))
    expect(figure.host.locator(".sentence").first).to_contain_text("takes the drawing for a 1")
    expect(reader.page).to_have_url(re.compile(r"mlp_digits\.drawing=(?!%40|@)[^&]*g"))  # once it rests
    figure.button("Eraser").click()
    stroke(reader, figure, (4.5, 5.5), (4.5, 6.5))
    left = ink(figure)
    assert left[8 * 5 + 4] == 0 and left[8 * 2 + 4] == 16
    figure.button("Clear").click()
    assert ink(figure) == [0] * 64


def test_a_pixel_is_inked_by_keyboard(read: Open) -> None:
    reader = read(f"{LAB}?mlp_digits.on=cpu&mlp_digits.epochs=1&mlp_digits.drawing=@nothing")
    figure = reader.figure()
    press = reader.page.keyboard.press
    sheet(figure).locator("[role=gridcell][tabindex='0']").focus()
    for key in ("Home", "ArrowRight", "Space"):
        press(key)
    assert [place for place, value in enumerate(ink(figure)) if value] == [25]
    press("Space")
    assert ink(figure) == [0] * 64


def test_a_cell_shows_its_digits(read: Open) -> None:
    reader = read(LAB)
    figure = reader.figure()
    figure.button("Misread").click()
    cells = figure.host.get_by_role("grid", name="Held-out digits")
    pictures = figure.host.get_by_role("img", name="A handwritten")
    everything = pictures.count()
    cell = cells.get_by_role("gridcell", name="8, read as 1")
    count = int(cell.inner_text())
    assert 0 < count < everything
    cell.click()
    expect(pictures).to_have_count(count)
    expect(pictures.first).to_have_accessible_name("A handwritten 8, read as 1")
    expect(figure.host.get_by_text(f"{count} of the digit 8 read as 1")).to_be_visible()
    reader.page.keyboard.press("Escape")
    expect(pictures).to_have_count(everything)

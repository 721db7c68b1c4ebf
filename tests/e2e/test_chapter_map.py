"""The map of a series: where each chapter stands, and what it builds on."""

from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Page, expect
from reader import PHONE, Open

CONTENT = Path(__file__).parents[2] / "content"


def after(series: str) -> list[list[int]]:
    """Of each chapter, what it builds on."""
    chapters = sorted(path for path in (CONTENT / series).glob("[0-9][0-9]-*.mdx") if path.name.count(".") == 1)
    return [yaml.safe_load(path.read_text("utf-8").split("---\n")[1]).get("after", []) for path in chapters]


@pytest.mark.parametrize("series", ["bits", "compilers", "learning", "pytorch", "speed", "tensors", "tools"])
def test_every_chapter_stands_to_the_right_of_what_it_builds_on(series: str, read: Open) -> None:
    page = read(f"/{series}/").page
    boxes = [chapter.bounding_box() for chapter in page.locator("[data-chapter]").all()]
    assert len(boxes) == len(after(series))
    for to, numbers in enumerate(after(series)):
        for number in numbers:
            before, box = boxes[number - 1], boxes[to]
            assert before
            assert box
            assert before["x"] + before["width"] <= box["x"], f"{to + 1} after {number}"
    assert not [
        (a, b)
        for a, one in enumerate(boxes)
        for b, other in enumerate(boxes[:a])
        if one and other and one["x"] == other["x"] and -one["height"] < one["y"] - other["y"] < other["height"]
    ], "two chapters lie on each other"


def test_a_layer_leads_to_all_that_stands_there(read: Open) -> None:
    page = read("/bits/").page
    page.locator("[data-plan]").get_by_role("link", name="Machine code", exact=True).click()
    page.wait_for_url("**/#machine-code")
    expect(page.locator("#machine-code").get_by_role("link", name="From code to execution")).to_be_in_viewport()


def lit(page: Page) -> set[int]:
    return {int(each.get_attribute("data-chapter") or 0) for each in page.locator("[data-chapter][data-lit]").all()}


def test_pointing_at_a_chapter_lights_all_ways_to_it_and_from_it(read: Open) -> None:
    page = read("/pytorch/").page
    chapters = after("pytorch")
    below, above = {12}, {12}
    for number in range(12, 0, -1):
        below |= {*chapters[number - 1]} if number in below else set()
    for number, numbers in enumerate(chapters, start=1):
        above |= {number} if above & {*numbers} else set()
    page.locator("[data-chapter='12']").hover()
    assert lit(page) == below | above
    page.locator("h1").hover()
    assert lit(page) == set()


def test_on_a_phone_each_chapter_says_what_comes_before_it(read: Open) -> None:
    page = read("/pytorch/", **PHONE).page
    expect(page.locator("[data-chapter='5'] small")).to_contain_text("The tape · after 2 and 4")
    expect(page.locator("[data-plan] svg")).to_be_hidden()

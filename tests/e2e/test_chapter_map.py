"""The map of a long series: where each chapter stands, what it builds on, and what is already written."""

import json
from pathlib import Path

from playwright.sync_api import Page, expect
from reader import PHONE, Open

CONTENT = Path(__file__).parents[2] / "content"
MAP = json.loads((CONTENT / "pytorch" / "map.json").read_text("utf-8"))
WRITTEN = {int(path.name[:2]) for path in (CONTENT / "pytorch").glob("[0-9][0-9]-*.mdx")}


def test_every_chapter_stands_to_the_right_of_what_it_builds_on(read: Open) -> None:
    page = read("/pytorch/").page
    boxes = [chapter.bounding_box() for chapter in page.locator("[data-chapter]").all()]
    assert len(boxes) == len(MAP["chapters"]) == 20
    for to, chapter in enumerate(MAP["chapters"]):
        for number in chapter["after"]:
            before, after = boxes[number - 1], boxes[to]
            assert before
            assert after
            assert before["x"] + before["width"] <= after["x"], f"{chapter['title']} after {number}"
    assert not [
        (a, b)
        for a, one in enumerate(boxes)
        for b, other in enumerate(boxes[:a])
        if one and other and one["x"] == other["x"] and -one["height"] < one["y"] - other["y"] < other["height"]
    ], "two chapters lie on each other"


def test_what_is_written_is_a_link(read: Open) -> None:
    page = read("/pytorch/").page
    for number in range(1, len(MAP["chapters"]) + 1):
        links = page.locator(f"[data-chapter='{number}'] a")
        expect(links).to_have_count(int(number in WRITTEN))


def lit(page: Page) -> set[int]:
    return {int(each.get_attribute("data-chapter") or 0) for each in page.locator("[data-chapter][data-lit]").all()}


def test_pointing_at_a_chapter_lights_all_ways_to_it_and_from_it(read: Open) -> None:
    page = read("/pytorch/").page
    before, after = {12}, {12}
    for number in range(12, 0, -1):
        before |= {*MAP["chapters"][number - 1]["after"]} if number in before else set()
    for number, chapter in enumerate(MAP["chapters"], start=1):
        after |= {number} if after & {*chapter["after"]} else set()
    page.locator("[data-chapter='12']").hover()
    assert lit(page) == before | after
    page.locator("h1").hover()
    assert lit(page) == set()


def test_on_a_phone_each_chapter_says_what_comes_before_it(read: Open) -> None:
    page = read("/pytorch/", **PHONE).page
    expect(page.locator("[data-chapter='5'] small")).to_contain_text("Autograd · after 2 and 4")
    expect(page.locator("[data-plan] svg")).to_be_hidden()

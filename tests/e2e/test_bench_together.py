"""Several devices measure at once, and each draws its line on one chart as it goes."""

import re

from playwright.sync_api import expect
from reader import PYTHON_MS, Open
from test_bench_page import PATH, opened, rows


def test_the_server_and_the_browser_arrive_on_one_chart(read: Open) -> None:
    reader = read(PATH)
    history = opened(reader)
    before = rows(history, "server").count()
    place = reader.page.locator("[data-bench=together]")
    place.scroll_into_view_if_needed()
    gpu = place.get_by_role("checkbox", name=re.compile("^This server’s GPU"))
    expect(gpu).to_be_disabled()
    expect(place).to_contain_text("No machine with a GPU is connected to this server.")
    sizes = place.get_by_label("Rows and columns")
    measure = place.get_by_role("button", name="Measure 2 devices")
    sizes.fill("16, many")
    measure.click()
    expect(place.get_by_role("alert").first).to_contain_text("Type 1 to 8 whole numbers from 16 to 2048")
    sizes.fill("48, 16")
    measure.click()
    expect(place.get_by_role("button", name="Stop")).to_be_visible()
    lines = place.get_by_role("list", name=re.compile("^Series")).get_by_role("button")
    expect(lines).to_have_count(2, timeout=PYTHON_MS)
    expect(place.locator(".how").filter(has_text="Done")).to_have_count(2, timeout=PYTHON_MS)
    place.get_by_text("The numbers as a table").click()
    expect(place.locator("tbody tr")).to_have_count(4)  # two sizes each
    assert before <= 25

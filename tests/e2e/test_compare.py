"""A reader's own run beside the recorded one: the same is called the same, and every difference is named."""

import re

from playwright.sync_api import Locator, Route, expect
from reader import Figure, Open, Reader
from test_run_on import offered

LINE = "/labs/learning/number_line/"
IDENTICAL = "Identical in all 6 steps: every number, word and array is equal."


def comparing(reader: Reader, path: str = LINE) -> tuple[Figure, Locator]:
    """The figure of a page and its comparison, opened."""
    reader.go(path)
    figure = reader.figure()
    figure.button("Compare").click()
    panel = figure.host.get_by_role("region", name="Compare", exact=True)
    expect(panel.get_by_role("group", name="Beside")).to_be_visible()
    return figure, panel


def on_the_server(figure: Figure) -> None:
    before = figure.serial
    offered(figure, "This server’s CPU", re.compile("core")).click()
    figure.settled(before)
    expect(figure.badge).to_have_text("On this server")


def test_the_same_is_identical(read: Open) -> None:
    figure, panel = comparing(read())
    expect(panel).to_contain_text("The figure shows the recorded run itself.")
    on_the_server(figure)
    expect(panel.get_by_role("status")).to_contain_text(IDENTICAL)
    expect(panel).to_contain_text("All 19 fields of this step are equal.")
    one, other = panel.get_by_role("region", name=re.compile("run")).all()[:2]
    expect(one.locator("summary")).to_have_text(re.compile("core"))
    expect(other).to_have_accessible_name("This run: On this server")
    assert one.locator("svg").count() == other.locator("svg").count() > 0
    panel.get_by_role("checkbox").check()
    assert panel.get_by_role("row").count() == 20
    slider = panel.get_by_role("slider", name="Step of both runs")
    slider.focus()
    slider.press("Home")
    figure.at(1, of=6)
    expect(slider).to_have_attribute("aria-valuetext", "Step 1 of 6")
    assert other.locator("p").last.inner_text() == figure.sentence


def test_other_parameters_and_what_they_change(read: Open) -> None:
    figure, panel = comparing(read())
    figure.set("Value", 1.5)
    expect(panel.get_by_role("list", name="Parameters that differ")).to_have_text("Value: 1.3 → 1.5")
    expect(panel.get_by_role("status")).to_contain_text(re.compile(r"Different in 6 of 6 steps, first in step 1\."))
    row = panel.get_by_role("row", name=re.compile("^different value "))
    expect(row.get_by_role("cell")).to_have_text(["1.3", "1.5", re.compile(r"^0\.2 \(13 %\)$")])
    panel.get_by_text("not equal in every step").click()
    panel.get_by_role("row", name=re.compile("clipped|value")).get_by_role("button").first.click()
    figure.at(1, of=6)
    panel.get_by_role("button", name="Run mine with the recorded parameters").click()
    expect(panel.get_by_role("status")).to_contain_text(IDENTICAL)
    assert figure.field("Value").input_value() == "1.3"


def test_the_browser_beside_the_server(read: Open) -> None:
    reader = read()
    figure, panel = comparing(reader)
    figure.set("Bits", 7)
    before = figure.serial
    figure.button("Run it live").click()
    figure.settled(before)
    pin = panel.get_by_role("button", name="Pin this run")
    pin.focus()
    reader.page.keyboard.press("Enter")
    expect(panel.get_by_role("radio", name="the pinned run (in your browser)")).to_be_checked()
    on_the_server(figure)
    expect(panel.get_by_role("status")).to_contain_text(IDENTICAL)
    expect(panel.get_by_role("region", name="Pinned: In your browser", exact=True)).to_be_visible()
    figure.button("Compare").click()
    figure.button("Compare").click()
    expect(panel.get_by_role("status")).to_contain_text(IDENTICAL)  # what was pinned is kept
    panel.get_by_role("radio", name="the recorded run").check()
    expect(panel.get_by_role("status")).to_contain_text(IDENTICAL)  # it was recorded with 7 bits, too


def test_a_recording_that_does_not_come(read: Open) -> None:
    reader = read()

    def missing(route: Route) -> None:
        route.abort()

    reader.page.route("**/recordings/**", missing)
    reader.go(LINE)
    figure = reader.figure()
    figure.button("Compare").click()
    alert = figure.host.get_by_role("region", name="Compare", exact=True).get_by_role("alert")
    expect(alert).to_contain_text("The recorded run could not be loaded; check the connection.")
    reader.page.unroute("**/recordings/**", missing)
    alert.get_by_role("button", name="Try again").click()
    expect(figure.host).to_contain_text("The figure shows the recorded run itself.")
    expect(alert).to_have_count(0)
    reader.hears("/recordings/|Failed to load")


def test_a_lab_that_measures_shows_ratios(read: Open) -> None:
    """The page as it is when a lab measures: two runs of it differ, and the reader is shown by how much."""
    reader = read()

    def measuring(route: Route) -> None:
        page = route.fetch()
        route.fulfill(response=page, body=page.text().replace('"measures":false', '"measures":true'))

    reader.page.route("**/labs/*/*/", measuring)
    figure, panel = comparing(reader)
    figure.set("Bits", 5)
    panel.get_by_role("button", name="Pin this run").click()
    figure.set("Range to", 3.5)
    table = panel.get_by_role("region", name="Timings as ratios")
    expect(table.get_by_role("row", name=re.compile("^scale "))).to_contain_text("×")
    figure.button("Reset").click()
    panel.get_by_role("radio", name="the recorded run").check()
    panel.get_by_role("button", name="Run mine with the recorded parameters").click()
    machines = panel.get_by_role("list", name="How the machines differ")
    expect(machines).to_contain_text(re.compile("^Machine: .*not recorded.* → Chrome .* WebAssembly, Linux"))
    expect(panel.get_by_role("status")).to_contain_text("This lab measures, so no two runs agree in every digit")


def test_on_a_phone_the_two_stand_one_above_the_other(read: Open) -> None:
    reader = read(viewport={"width": 360, "height": 740})
    figure, panel = comparing(reader)
    on_the_server(figure)
    expect(panel.get_by_role("status")).to_contain_text(IDENTICAL)
    panel.get_by_role("checkbox").check()
    one, other = (
        panel.get_by_role("region", name=name, exact=True).bounding_box()
        for name in ("The recorded run", "This run: On this server")
    )
    assert one
    assert other
    assert one["y"] + one["height"] <= other["y"]
    assert reader.page.evaluate("document.documentElement.scrollWidth") <= 360

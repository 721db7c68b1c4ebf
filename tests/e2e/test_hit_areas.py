"""A finger hits the controls of what opens below a figure; a visit of each page checks all others."""

import re

import pytest
from checks.reachable import LEASTS, SMALL
from playwright.sync_api import expect
from reader import PHONE, Open


@pytest.mark.parametrize("panel", ["Compare", "Data", "Source", "Take away"])
def test_every_control_of_a_panel_can_be_hit(panel: str, read: Open) -> None:
    figure = read("/labs/learning/number_line/", **PHONE).figure()
    figure.button(panel).click()
    figure.host.get_by_role("region", name=panel).locator("> :not(.quiet)").first.wait_for()
    small = figure.host.evaluate(SMALL, LEASTS)
    assert not small, "\n".join(small)


@pytest.mark.parametrize("lab", ["speed/cache_counted", "speed/http_servers", "speed/threads_io"])
def test_the_name_of_a_way_leads_a_finger_to_its_step(lab: str, read: Open) -> None:
    figure = read(f"/labs/{lab}/", **PHONE).figure()
    before = figure.sentence
    name = figure.host.locator(".picture :is(.head, th) button").first
    way = name.inner_text()
    assert way.lower() not in before.lower()
    name.tap()
    expect(figure.host.locator("p.sentence")).to_contain_text(re.compile(rf"^{way}\b", re.IGNORECASE))

"""A finger hits the controls of what opens below a figure; a visit of each page checks all others."""

import pytest
from checks.reachable import LEASTS, SMALL
from reader import PHONE, Open


@pytest.mark.parametrize("panel", ["Compare", "Data", "Source", "Take away"])
def test_every_control_of_a_panel_can_be_hit(panel: str, read: Open) -> None:
    figure = read("/labs/learning/number_line/", **PHONE).figure()
    figure.button(panel).click()
    figure.host.get_by_role("region", name=panel).locator("> :not(.quiet)").first.wait_for()
    small = figure.host.evaluate(SMALL, LEASTS)
    assert not small, "\n".join(small)

"""Settings that are folded away have their place, whoever unfolds them."""

import pytest
from reader import Figure, Open

# How far the column beside a picture reaches below the picture's step bar.
BELOW = """(host) => {
  const end = (name) => host.querySelector(name).getBoundingClientRect().bottom;
  return end(".foot footer") - end(".timeline .bar");
}"""
MOST = 150  # one more setting may be a little higher than the picture


def unfolded(figure: Figure) -> None:
    assert figure.host.locator(".unfold").get_attribute("aria-expanded") == "true"
    assert figure.host.locator(".more .control").first.is_visible()


def test_what_a_link_sets_leaves_no_hole_below_the_picture(read: Open) -> None:
    page = read("/compilers/decompose-k/").page
    page.locator('a.ask[data-key="decompose_k"][data-wish*="reduction"]').first.click()
    host = page.locator("#decompose_k")
    host.locator(".more.open").wait_for()
    unfolded(Figure(host, "decompose_k"))
    assert host.evaluate(BELOW) < MOST


@pytest.mark.parametrize("lab", ["learning/number_line", "learning/xor_seeds", "pytorch/operator_schema"])
def test_the_column_is_about_as_high_as_the_picture(lab: str, read: Open) -> None:
    figure = read(f"/labs/{lab}/").figure()
    unfolded(figure)
    assert figure.host.evaluate(BELOW) < MOST

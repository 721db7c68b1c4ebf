"""The figure on hash quality: lines from the bits of a key, and one row of buckets for every step."""

import re

from labs.bits.hash_quality import Params, run
from playwright.sync_api import expect
from reader import Open


def test_a_line_leads_to_each_bit_that_a_bit_of_the_key_changes(read: Open) -> None:
    found = next(event for event in run(Params()) if event.stage == "avalanche")
    shares = found.avalanche.reshape(-1, found.index_bits)
    page = read("/labs/bits/hash_quality/?hash_quality.step=14").page
    for bit, low in [(0, 0), (6, 6), (0, 1), (7, 6), (30, 0)]:
        expect(page.locator(f'[data-mark="wire {bit} {low}"]')).to_have_count(int(shares[bit, low] > 0))
    expect(page.locator('[data-mark^="wire "]')).to_have_count(int((shares > 0).sum()))
    expect(page.locator(".wires")).to_contain_text(f"{int((shares.max(axis=1) == 0).sum())} change nothing")


def test_the_buckets_keep_their_shape_and_change_their_keys(read: Open) -> None:
    """A bar for each bucket at every step, so that bars grow into those of the next."""
    figure = read("/labs/bits/hash_quality/?hash_quality.step=14").figure()
    bars = figure.host.locator('[data-mark="keys"]')
    shapes = []
    for concept in ("code", "error", "scale"):
        expect(bars).to_have_attribute("data-concept", concept)
        shapes.append(bars.get_attribute("d") or "")
        if concept != "scale":
            figure.button("Forward").click()
    assert len(set(shapes)) == 3
    assert len({re.sub(r"[-\d. ]+", "", shape) for shape in shapes}) == 1

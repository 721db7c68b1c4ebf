"""Programs beside what becomes of them: nothing of them is cut, and what a picture is about is marked."""

import pytest
from playwright.sync_api import Locator, expect
from reader import PHONE, Figure, Open

ARTICLE = "/compilers/what-torch-compile-does/"


def listing(figure: Figure, title: str) -> Locator:
    return figure.host.get_by_role("listbox", name=title, exact=True)


def cut(listing: Locator) -> bool:
    return bool(listing.evaluate("(box) => box.scrollWidth > box.clientWidth"))


@pytest.mark.parametrize("how", [{}, PHONE], ids=["wide", "phone"])
def test_where_a_graph_ends_is_marked_and_why_can_be_read(read: Open, how: dict[str, object]) -> None:
    figure = read(ARTICLE, **how).figure("breaks")
    expect(listing(figure, "Python").locator("[aria-current]")).to_have_text("if y.sum() > 0:")
    why = listing(figure, "graph break · graph 1")
    expect(why).to_contain_text("typically no-ops on well-behaved inputs and compile without graph breaks.")
    assert not cut(why) and not cut(listing(figure, "Python"))
    figure.scrubber.fill("1")
    expect(listing(figure, "Python").locator("[aria-current]")).to_have_count(0)


@pytest.mark.parametrize(("lab", "title"), [("compile_stages", "Python"), ("fused_kernels", "Program")])
def test_no_line_of_a_program_is_cut(read: Open, lab: str, title: str) -> None:
    figure = read(f"/labs/compilers/{lab}/").figure()
    figure.scrubber.fill("1")
    assert not cut(listing(figure, title))


@pytest.mark.parametrize("how", [{}, PHONE], ids=["wide", "phone"])
def test_the_last_number_of_a_scale_stays_above_it(read: Open, how: dict[str, object]) -> None:
    head = read("/labs/speed/speedup_factors/", **how).figure().host.locator("thead th").nth(1)
    expect(head).to_contain_text("1,000")
    ends = [
        each.evaluate("(part) => part.getBoundingClientRect().right") for each in (head.locator("span").last, head)
    ]
    assert ends == sorted(ends)

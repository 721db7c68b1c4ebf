"""The map of the book, on the home page: every article and every figure at its layer."""

import re
from pathlib import Path

from labs.discover import find
from playwright.sync_api import expect
from reader import Open

CONTENT = Path(__file__).parents[2] / "content"
ARTICLES = {
    f"{path.parent.name}/{path.stem[3:]}": path.read_text("utf-8")
    for path in CONTENT.glob("*/[0-9][0-9]-*.mdx")
    if path.name.count(".") == 1
}


def test_the_map_has_every_article_once_and_every_figure(read: Open) -> None:
    page = read("/").page
    keys = [each.get_attribute("data-article") for each in page.locator(".layer [data-article]").all()]
    assert sorted(map(str, keys)) == sorted(ARTICLES)
    label = page.get_by_label("live figures")
    figures = page.locator(".layer .own .figures a")
    expect(figures.first).to_be_hidden()
    label.check()
    expect(figures.first).to_be_visible()
    shown = {lab.title for lab in find().values() if f'id="{lab.id}"' in "".join(ARTICLES.values())}
    assert {each.inner_text() for each in page.locator(".layer .figures a").all()} == shown


def test_a_level_leads_to_its_layer_and_back(read: Open) -> None:
    page = read("/").page
    hero = page.locator("[data-hero]")
    hero.scroll_into_view_if_needed()
    expect(hero).to_have_attribute("data-live", "")
    hero.locator("[data-level='3'] .rail p a").click()
    expect(page).to_have_url(re.compile("/#memory$"))
    expect(page.locator("#memory")).to_be_in_viewport()
    page.locator("#memory h3 a").click()
    expect(page).to_have_url(re.compile("/#level-3$"))
    expect(hero.locator("[data-level='3']")).to_be_in_viewport()
    names = hero.locator("[data-level] .to").evaluate_all("(all) => all.map((each) => each.lastChild.textContent)")
    numbered = page.locator(".layer h3:has(a)").all()
    assert [each.inner_text().split()[0] for each in numbered] == [str(n) for n in range(1, 10)]
    assert [each.inner_text().split(maxsplit=1)[1] for each in numbered] == names


def test_pointing_at_a_series_lights_its_articles(read: Open) -> None:
    page = read("/").page
    lit = page.locator(".stand[data-lit]")
    card = page.locator("[data-card='tensors'] a")
    card.hover()
    assert {each.get_attribute("data-series") for each in lit.all()} == {"tensors"}
    page.locator("h1").hover()
    expect(lit).to_have_count(0)
    card.focus()
    expect(lit.first).to_be_attached()

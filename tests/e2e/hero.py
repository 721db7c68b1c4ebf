"""The figure of the home page, once it can be used."""

from playwright.sync_api import Locator, expect


def awake(hero: Locator) -> Locator:
    hero.scroll_into_view_if_needed()
    expect(hero).to_have_attribute("data-live", "")
    return hero

"""An article on a screen that is narrow or is touched."""

from measure.paint import ARTICLE
from playwright.sync_api import expect
from reader import PHONE, Open

MOVED = """() => {
  window.moved = new Promise((done) => addEventListener("scroll", done, { once: true }));
  return scrollY;
}"""


def test_a_finger_on_a_figure_scrolls_the_page(read: Open) -> None:
    page = read(ARTICLE, **PHONE).page
    picture = page.locator("[data-lab] .picture").first
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    assert box
    before = page.evaluate(MOVED)
    touch = page.context.new_cdp_session(page)
    x, y = box["x"] + 20, box["y"] + 60
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for way in range(20, 201, 20):
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y - way}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.evaluate("() => window.moved")
    assert page.evaluate("scrollY") > before


def test_what_is_too_wide_scrolls_inside_itself(read: Open) -> None:
    page = read(ARTICLE, viewport={"width": 360, "height": 800}).page
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    wide = page.locator(".formula[tabindex='0'], .scroll[tabindex='0'], .prose > pre[tabindex='0']")
    expect(wide.first).to_be_attached()
    for box in wide.all():
        assert box.evaluate("(box) => getComputedStyle(box).overflowX") == "auto"
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator(".formula[tabindex]")).to_have_count(0)

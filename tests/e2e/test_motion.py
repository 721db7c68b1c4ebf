"""Nothing moves that was not asked to: not the page while figures come alive, not what is off the screen."""

import pytest
from measure.paint import ARTICLE, SHIFT_BAR, layout_shift
from measure.serving import Server
from playwright.sync_api import Browser, Route, expect
from reader import MOVING, Figure, Open, Reader

# Resolves once what watches for it, too, has been told that the figure left the screen.
LEFT = """(figure) => new Promise((done) => {
  scrollTo(0, document.documentElement.scrollHeight);
  new IntersectionObserver((entries, watch) => entries.at(-1).isIntersecting || (watch.disconnect(), done()))
    .observe(figure);
})"""
RUNNING = "() => document.getAnimations().filter((one) => one.playState === 'running').length"


@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_stays_where_it_is(width: int, browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844})
    try:
        assert layout_shift(context, server.url + ARTICLE) <= SHIFT_BAR
    finally:
        context.close()


# What watches sizes answers within the frame, before anything is painted.
PAINTED_HEIGHT = """(figure) => new Promise((done) =>
  requestAnimationFrame(() => setTimeout(() => done(figure.offsetHeight))))"""


@pytest.mark.parametrize("width", [1280, 390])
def test_a_live_figure_keeps_its_height(width: int, live: Reader, matrix: Figure) -> None:
    """What stands below a figure must not jump while its slider moves."""
    live.page.set_viewport_size({"width": width, "height": 900})
    heights = set()
    for bits in range(2, 9):
        matrix.set("Bits per weight", bits)
        heights.add(matrix.host.evaluate(PAINTED_HEIGHT))
    for _ in range(5):
        matrix.button("Back").click()
        heights.add(matrix.host.evaluate(PAINTED_HEIGHT))
    live.page.set_viewport_size({"width": 1280, "height": 900})
    assert len(heights) == 1, heights


def test_who_wants_no_motion_gets_none(read: Open) -> None:
    reader = read("/labs/learning/post_training_quantization/")
    held: list[Route] = []
    reader.page.route("**/api/runs", lambda route: held.append(route))
    figure = reader.figure()
    figure.button("Run it live").click()
    expect(figure.badge).to_have_text("Computing…")
    assert reader.page.evaluate(RUNNING) == 0
    held[0].continue_()
    figure.settled(0)
    figure.button("Restart").click()
    figure.at(1)
    assert reader.page.evaluate(RUNNING) == 0


def test_a_frame_can_ask_for_less_motion(read: Open) -> None:
    """So that the gallery can show what a reader sees whose system asks for it."""
    for address, moves in (("", True), ("?motion=less", False)):
        figure = (reader := read(f"/embed/learning/number_line/{address}", **MOVING)).figure()
        handle = figure.host.get_by_role("slider", name="Value to be stored")
        lasts = handle.evaluate(
            "(handle) => [handle, ...handle.querySelectorAll('*')].some((one) => ['', '::before', '::after']"
            ".some((part) => getComputedStyle(one, part || undefined).transitionDuration !== '0s'))"
        )
        assert lasts == moves, reader.page.url


def test_a_figure_off_the_screen_sleeps(live: Reader, line: Figure) -> None:
    line.button("Restart").click()
    line.at(1)
    line.button("Play").click()
    line.host.evaluate(LEFT)
    held = line.steps
    assert held[0] < 6, "the machine was too slow to look away in time"
    live.page.wait_for_timeout(3000)  # two steps long
    assert line.steps == held
    line.host.get_by_role("combobox", name="Speed").select_option("4×")
    line.host.scroll_into_view_if_needed()
    line.at(6)  # nobody paused it, so it goes on
    expect(line.button("Play")).to_be_visible()
    line.host.get_by_role("combobox", name="Speed").select_option("1×")


def test_a_pause_is_kept_when_the_figure_comes_back(live: Reader, line: Figure) -> None:
    line.host.get_by_role("combobox", name="Speed").select_option("4×")
    line.button("Restart").click()
    line.at(1)
    line.press_at(2, "Pause", first="Play")
    held = line.steps
    line.host.evaluate(LEFT)
    line.host.scroll_into_view_if_needed()
    live.page.wait_for_timeout(800)
    assert line.steps == held
    line.host.get_by_role("combobox", name="Speed").select_option("1×")

"""Every figure looks as it did: its first, middle and last recorded picture, by day and by night.

`make shots` writes the pictures anew; look at them before they are committed.
What is kept is a quarter of the pixels, so that another machine's smoothing of edges is no difference.
"""

import os
from pathlib import Path

import numpy as np
import png
import pytest
from labs.discover import find
from measure.paint import SAVE_DATA
from measure.serving import Server
from playwright.sync_api import Browser, Page, expect

SHOTS = Path(__file__).parent / "shots"
WRITE = os.environ.get("UNDERHOOD_SHOTS") == "write"
WIDTH, SMALLER = 640, 2
COLOURS = 17  # each channel is kept in steps of this
FAR, SHARE = (
    40,
    0.004,
)  # a pixel differs if a channel does by this much; a picture, if this share of its pixels does

# A font that is late is left out for as long as a page is open; when it is opened again they are all here.
FONTS = "() => Promise.all([...document.fonts].map((font) => font.load()))"
STILL = """async () => {
  await document.fonts.ready;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


def small(pixels: png.Pixels) -> png.Pixels:
    """The means of squares of pixels, in few colours."""
    height, width = (side // SMALLER * SMALLER for side in pixels.shape[:2])
    squares = pixels[:height, :width].reshape(height // SMALLER, SMALLER, width // SMALLER, SMALLER, 3)
    return (np.round(squares.mean(axis=(1, 3)) / COLOURS) * COLOURS).astype(np.uint8)


def difference(one: png.Pixels, other: png.Pixels) -> float:
    """The share of pixels of one that are nowhere near in the other; 1 for pictures of another size."""
    return max(_missing(one, other), _missing(other, one)) if one.shape == other.shape else 1.0


def _missing(one: png.Pixels, other: png.Pixels) -> float:
    """Each pixel may have moved to a neighbour's place."""
    here, there = one.astype(int), np.pad(other.astype(int), ((1, 1), (1, 1), (0, 0)), mode="edge")
    height, width = here.shape[:2]
    apart = [np.abs(here - there[y : y + height, x : x + width]).max(axis=2) for y in range(3) for x in range(3)]
    return float((np.min(apart, axis=0) > FAR).mean())


def steps(count: int) -> dict[str, int]:
    """Names of the key steps, each once."""
    found = {0: "first", count // 2: "middle", count - 1: "last"}
    return {name: index for index, name in found.items()}


def shoot(page: Page, index: int, count: int) -> bytes:
    scrubber = page.get_by_role("slider", name="Step", exact=True)
    if count > 1:
        scrubber.fill(str(index))
    expect(page.locator(".timeline output")).to_have_text(f"step {index + 1} of {count}")
    page.evaluate(STILL)
    return page.locator(".picture").screenshot(animations="disabled", caret="hide")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("lab", find())
def test_a_figure_looks_as_it_did(lab: str, scheme: str, browser: Browser, server: Server) -> None:
    context = browser.new_context(
        viewport={"width": WIDTH, "height": 900},
        color_scheme=scheme,  # type: ignore[arg-type]
        reduced_motion="reduce",
        service_workers="block",
    )
    context.add_init_script(SAVE_DATA)
    page = context.new_page()
    page.goto(f"{server.url}/embed/{lab}/")
    page.evaluate(FONTS)
    page.reload()
    expect(page.locator("[data-lab]")).to_have_attribute("data-live", "")
    count = int(page.locator(".timeline output").inner_text().rpartition(" ")[2])
    wrong = []
    for name, index in steps(count).items():
        seen = small(png.read(page, shoot(page, index, count)))
        path = SHOTS / lab / f"{name}-{scheme}.png"
        if WRITE:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(png.write(seen))
        elif not path.is_file():
            wrong.append(f"there is no {path.name} yet")
        elif (share := difference(png.read(page, path.read_bytes()), seen)) > SHARE:
            path.with_suffix(".seen.png").write_bytes(png.write(seen))
            wrong.append(f"{share:.1%} of {path.name} differs: see {path.with_suffix('.seen.png')}")
    context.close()
    assert not wrong, f"{'; '.join(wrong)}. If that is as it should be: make shots"


def test_a_change_is_found_and_smoothing_is_not(browser: Browser) -> None:
    plain = np.full((80, 320, 3), 255, np.uint8)
    plain[30:32, 20:300] = 0  # a line
    shifted = np.roll(plain, 1, axis=0)
    assert difference(plain, plain) == 0
    assert difference(plain, shifted) <= SHARE
    moved = np.roll(plain, 4, axis=0)
    assert difference(plain, moved) > SHARE
    recoloured = plain.copy()
    recoloured[30:32, 20:300] = (200, 0, 0)
    assert difference(plain, recoloured) > SHARE
    page = browser.new_page()
    assert (png.read(page, png.write(moved)) == moved).all()
    page.close()

"""Every figure looks as it did: its first, middle and last recorded picture by day, the last one by night, too.

`make shots` writes the pictures that are no longer like those kept anew; look at them before they are committed.
"""

from pathlib import Path

import pytest
from frozen import key_steps
from measure.serving import Server
from pictures import SHARE, difference, kept, save, small
from PIL import Image, ImageChops, ImageDraw
from playwright.sync_api import BrowserContext, Page
from studio import LABS, SHOTS, STILL, WRITE, pose, show

SIZE = {"width": 640, "height": 900}


def shoot(page: Page) -> Image.Image:
    page.evaluate(STILL)
    return small(page.locator(".picture").screenshot(animations="disabled", caret="hide"))


@pytest.mark.parametrize("lab", LABS)
def test_a_figure_looks_as_it_did(lab: str, studio: BrowserContext, server: Server) -> None:
    page, count = pose(studio, server, lab, SIZE)
    found = []
    page.emulate_media(color_scheme="light")
    for name, index in key_steps(count).items():
        show(page, index, count)
        found.append(compare(page, SHOTS / lab / f"{name}-light.png"))
    page.emulate_media(color_scheme="dark")
    found.append(compare(page, SHOTS / lab / "last-dark.png"))
    page.close()
    wrong = "; ".join(filter(None, found))
    assert not wrong, f"{wrong}. If that is as it should be: make shots"


def compare(page: Page, path: Path) -> str:
    """How the figure differs from the picture that is kept, or nothing."""
    seen = shoot(page)
    if (share := apart(path, seen)) > SHARE:
        page.wait_for_timeout(500)  # a busy machine may owe the page a frame: what is wrong stays so
        seen = shoot(page)
        share = apart(path, seen)
    if share <= SHARE:
        return ""
    if WRITE:
        save(seen, path)
        return ""
    save(seen, path.with_suffix(".seen.png"))
    return f"{share:.1%} of {path.name} differs: see {path.with_suffix('.seen.png')}"


def apart(path: Path, seen: Image.Image) -> float:
    return difference(kept(path), seen) if path.is_file() else 1.0


def test_no_picture_is_kept_that_nothing_looks_at() -> None:
    names = {*(f"{step}-light.png" for step in ("first", "middle", "last")), "last-dark.png", "events.json"}
    files = [path for path in SHOTS.rglob("*.*") if not path.name.endswith(".seen.png")]
    assert {path.name for path in files} <= names
    assert {str(path.parent.relative_to(SHOTS)) for path in files} <= LABS.keys()


def test_a_change_is_found_and_smoothing_is_not() -> None:
    plain = drawn("black")
    assert difference(plain, plain) == 0
    assert difference(plain, ImageChops.offset(plain, 0, 1)) <= SHARE
    assert difference(plain, ImageChops.offset(plain, 0, 4)) > SHARE
    assert difference(plain, drawn((200, 0, 0))) > SHARE
    assert difference(plain, plain.resize((320, 81))) == 1


def drawn(colour: str | tuple[int, int, int]) -> Image.Image:
    """A line on white."""
    picture = Image.new("RGB", (320, 80), "white")
    ImageDraw.Draw(picture).rectangle((20, 30, 299, 31), colour)
    return picture

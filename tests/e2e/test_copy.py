"""An article in one file: from the disk, without a network, its figures play what was recorded."""

import json
import re
from pathlib import Path

import pytest
from extent import chosen
from labs.contract import Sentence
from playwright.sync_api import Browser, expect
from reader import Figure

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "frontend" / "dist" / "copies"
COPIES = sorted(FOLDER.rglob("*.html"))
ENGLISH = [copy for copy in COPIES if copy.relative_to(FOLDER).parts[0] != "de"]
# One of each series: the two largest, the two with a word of their own below, and short ones.
TYPICAL = (
    "bits/hash-tables",
    "compilers/polyblocks-lowering-through-mlir",
    "descent/one-line",
    "learning/quantization",
    "pytorch/the-caching-allocator",
    "speed/threads",
    "tensors/a-two-layer-network",
    "tools/pictures-through-a-text-pipe",
)
TRIED = chosen(ENGLISH, [FOLDER / f"{name}.html" for name in TYPICAL] if COPIES else [])
MOST = 3_500_000  # bytes
# What sets a parameter; a listing within it can be pointed at in a copy, too.
SET = "fieldset:not([role]) :is(input, select, button):not(.reading *)"


def test_every_article_says_how_large_its_copy_is() -> None:
    assert COPIES
    for copy in COPIES:
        page = FOLDER.parent / copy.relative_to(FOLDER).with_suffix("")
        size = copy.stat().st_size
        assert size < MOST
        said = (page / "index.html").read_text("utf-8").replace(",", ".")
        assert f"({size / 1e6:.1f} MB)</a>" in said


@pytest.mark.parametrize("copy", TRIED, ids=lambda path: path.stem)
def test_it_opens_from_the_disk_without_a_network(copy: Path, browser: Browser) -> None:
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    complaints: list[str] = []
    asked: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda one: asked.append(one.url[:60]) if not one.url.startswith("data:") else None)
    page.goto(copy.as_uri())
    expect(page.locator("[data-lab]:not([data-live])")).to_have_count(0)
    hosts = page.locator("[data-lab][data-live]").all()
    assert len(hosts) == page.locator("[data-lab]").count() > 0
    for host in hosts:
        figure = Figure(host.locator("figure"), host.get_attribute("id") or "")
        props = json.loads(host.locator("[data-props]").text_content() or "")
        path = ROOT / f"content/recordings/{props['first']['recording']}.json"
        events = json.loads(path.read_text("utf-8"))["events"][1:-1]
        expect(figure.badge).to_have_text(re.compile("^Recorded on"))
        if len(events) > 1:  # else there is nowhere to go
            figure.scrubber.focus()
            page.keyboard.press("End")  # an article may open a figure at its first step
        figure.at(len(events), of=len(events))
        # A picture is of shapes, or of words and numbers in their places.
        assert len(figure.shapes) >= 4 or len(host.locator(".picture").inner_text()) > 60
        if len(events) > 1:
            figure.button("Restart").click()
        figure.at(1, of=len(events))
        assert figure.sentence == Sentence.unpacked(events[0]["text"])
        if len(events) > 1:
            figure.scrubber.focus()
            page.keyboard.press("ArrowRight")
            figure.at(2, of=len(events))
            assert figure.sentence == Sentence.unpacked(events[1]["text"])
        assert not host.locator(SET).evaluate_all("(all) => all.some((one) => !one.disabled)")
        expect(host.get_by_text("its figures play their recorded runs")).to_be_visible()
    hosts[0].get_by_role("button", name="Data").click()
    meaning = {"quantization": "Width of one step.", "hash-tables": "How its hash is found."}.get(
        copy.stem, "Meaning"
    )
    expect(hosts[0].get_by_role("region", name="Numbers of this step")).to_contain_text(meaning)
    page.evaluate("() => document.fonts.ready")
    fonts = page.evaluate("() => [...document.fonts].filter((f) => f.status === 'loaded').map((f) => f.family)")
    assert {"Inter", "STIX"} <= {font.strip('"').split()[0] for font in fonts}
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 1280
    lede = page.locator(".lede").evaluate("(p) => getComputedStyle(p).fontFamily")
    assert lede.startswith('"Source Serif 4'), "the styles of the page are not inside"
    assert asked == [copy.as_uri()[:60]]
    assert not complaints
    context.close()


def test_a_picture_that_asks_for_another_run_is_told_that_a_copy_has_none(browser: Browser) -> None:
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto((FOLDER / "descent/one-line.html").as_uri())
    host = page.locator("[data-lab][data-live]").first
    before = host.locator("p.sentence").inner_text()
    host.locator(".matrix .row > button[aria-pressed=false]").first.click()
    expect(host.get_by_role("alert")).to_contain_text("nothing in it can be changed")
    assert host.locator("p.sentence").inner_text() == before
    expect(host.locator(".stale")).to_have_count(0)  # the picture is right as it is
    context.close()

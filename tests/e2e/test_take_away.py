"""What a reader takes away opens elsewhere and holds what the figure shows."""

import base64
import csv
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from labs.contract import Sentence, unpack
from measure.serving import Server
from playwright.sync_api import Browser, Locator, expect
from reader import Figure, Open, Reader, reading
from underhood.author.compare_logs import first_difference

LAB = "/labs/learning/number_line/"
PIXELS = """async (base64) => {
  const image = new Image();
  image.src = "data:" + base64;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const colours = new Map();
  for (let i = 0; i < data.length; i += 4) {
    const colour = data.slice(i, i + 4).join();
    colours.set(colour, (colours.get(colour) ?? 0) + 1);
  }
  const most = [...colours].sort((a, b) => b[1] - a[1]).slice(0, 1)[0];
  return { width: image.width, height: image.height, colours: colours.size, paper: most[0],
    ink: 1 - most[1] / (data.length / 4) };
}"""

Take = Callable[[str], Path]


@pytest.fixture(scope="module")
def shared(browser: Browser, server: Server) -> Iterator[Reader]:
    with reading(browser, server.url) as reader:
        reader.go(LAB)
        opened(reader)
        yield reader


@pytest.fixture
def panel(shared: Reader) -> Iterator[Locator]:
    """The same for all who take the recorded run."""
    yield shared.figure().host.get_by_role("region", name="Take away")
    assert not shared.complained()


def opened(reader: Reader, title: str = "Take away") -> Locator:
    figure = reader.figure()
    figure.button(title).click()
    region = figure.host.get_by_role("region", name=title)
    expect(region.get_by_role("button").or_(region.get_by_role("table")).first).to_be_visible()
    return region


def take(panel: Locator, button: str, patience: float = 60_000) -> Path:
    with panel.page.expect_download(timeout=patience) as coming:
        panel.get_by_role("button", name=button, exact=True).click()
    path = coming.value.path()
    named = path.with_name(coming.value.suggested_filename)
    named.write_bytes(path.read_bytes())
    return named


def look(panel: Locator, kind: str, data: bytes) -> dict[str, Any]:
    seen: dict[str, Any] = panel.page.evaluate(PIXELS, f"{kind};base64,{base64.b64encode(data).decode()}")
    return seen


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_png_holds_the_picture_in_the_readers_theme(read: Open, scheme: str) -> None:
    panel = opened(read(LAB, color_scheme=scheme))
    made = take(panel, "PNG")
    assert made.name == "learning-number_line-step-6.png"
    seen = look(panel, "image/png", made.read_bytes())
    assert seen["width"] == 1920
    assert seen["height"] > 900
    assert seen["colours"] > 200, "a picture has lines, words and their soft edges"
    assert 0.03 < seen["ink"] < 0.5
    assert seen["paper"] == {"light": "255,255,255,255", "dark": "29,32,36,255"}[scheme]


def test_an_svg_opens_outside_the_page(panel: Locator, browser: Browser) -> None:
    made = take(panel, "SVG")
    text = made.read_text("utf-8")
    assert not re.search(r"""(?:src|href)="?(?!#)[^"]*https?://""", text)
    assert "font/woff2;base64," in text
    outside = browser.new_context(offline=True)
    page = outside.new_page()
    page.goto(made.as_uri())
    assert page.locator("desc").text_content() == panel.page.locator(".sentence").first.inner_text()
    colour = page.get_by_text("code 2", exact=True).first.evaluate("(word) => getComputedStyle(word).color")
    word = panel.page.get_by_text("code 2", exact=True).first
    assert colour == word.evaluate("(word) => getComputedStyle(word).color"), (
        "the styles of the page are not inside"
    )
    outside.close()


def test_a_gif_has_every_step(panel: Locator) -> None:
    data = take(panel, "GIF").read_bytes()
    assert data[:6] == b"GIF89a"
    assert int.from_bytes(data[6:8], "little") == 960
    assert data.count(b"\x21\xf9\x04") == 6, "one frame a step"
    assert len(data) < 16 << 20
    assert look(panel, "image/gif", data)["colours"] > 20


def test_a_webm_plays(panel: Locator) -> None:
    data = take(panel, "WebM").read_bytes()
    assert data[:4] == b"\x1a\x45\xdf\xa3"
    assert len(data) > 20_000


def test_a_film_can_be_cancelled(panel: Locator) -> None:
    panel.get_by_role("button", name="WebM", exact=True).click()
    expect(panel.get_by_text(re.compile("^[2-5] of 6$"))).to_be_visible(timeout=30_000)
    panel.get_by_role("button", name="Cancel").click()
    expect(panel.get_by_role("button", name="WebM", exact=True)).to_be_enabled()
    expect(panel.get_by_role("alert")).to_have_count(0)


def test_json_is_a_recording_of_the_run(panel: Locator) -> None:
    taken = json.loads(take(panel, "JSON").read_text("utf-8"))
    command = [sys.executable, "-m", "underhood", "run", "learning/number_line", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    # JavaScript writes 1.0 as 1; to JSON they are the same number.
    again = "(lines) => lines.map((line) => JSON.stringify(JSON.parse(line)))"
    ran = [json.loads(line) for line in panel.page.evaluate(again, done.stdout.splitlines())]
    assert taken.keys() == {"lab", "name", "params", "events"}
    assert taken["lab"] == "learning/number_line"
    # Recordings that were made before machines were told apart by it have no hardware.
    assert {*taken["events"][0]["provenance"], "hardware"} == ran[0]["provenance"].keys()
    assert first_difference(ran[1:], taken["events"][1:]) is None


def test_csv_holds_the_same_numbers(panel: Locator) -> None:
    events = json.loads(take(panel, "JSON").read_text("utf-8"))["events"][1:-1]
    steps = list(csv.DictReader(io.StringIO(take(panel, "CSV of steps").read_text("utf-8"))))
    assert len(steps) == len(events)
    for number, (row, event) in enumerate(zip(steps, events, strict=True), 1):
        assert row["step"] == str(number)
        assert row["text"] == Sentence.unpacked(event["text"])
        assert float(row["scale"]) == event["scale"]
        assert "levels" not in row
    cells = list(csv.DictReader(io.StringIO(take(panel, "CSV of arrays").read_text("utf-8"))))
    last = [row for row in cells if (row["step"], row["field"]) == ("6", "levels")]
    assert [int(row["axis_0"]) for row in last] == [*range(16)]
    np.testing.assert_array_equal(
        np.array([row["value"] for row in last], np.float32), unpack(events[-1]["levels"])
    )


def test_the_notebook_has_the_readers_parameters(read: Open) -> None:
    reader = read(f"{LAB}?number_line.bits=3&number_line.high=2&number_line.scheme=symmetric")
    figure = reader.figure()
    figure.settled(0)
    made = json.loads(take(opened(reader), "Notebook").read_text("utf-8"))
    (cell,) = (cell for cell in made["cells"] if "parameters" in cell["metadata"].get("tags", ()))
    given: dict[str, Any] = {}
    exec("".join(cell["source"]), {"Params": lambda **values: given.update(values)})
    assert given == {"low": -1.0, "high": 2.0, "value": 1.3, "bits": 3, "scheme": "symmetric"}
    assert isinstance(given["high"], float)


def test_every_number_can_be_read_as_a_table(read: Open) -> None:
    reader = read("/labs/learning/uniform_quantization/")
    figure: Figure = reader.figure()
    panel = opened(reader, "Data")
    now = panel.get_by_role("region", name="Numbers of this step")
    row = now.get_by_role("row", name=re.compile("^relative error"))
    expect(row).to_contain_text("mean |error| / mean |weight|")
    figure.button("Restart").click()
    figure.at(1)
    expect(row).to_contain_text("…")
    panel.get_by_text("histogram: 256 numbers, int32", exact=True).click()
    array = panel.get_by_role("region", name="histogram", exact=True)
    expect(array.get_by_role("row")).to_have_count(201)
    panel.get_by_role("button", name="Show 56 more").click()
    expect(array.get_by_role("row")).to_have_count(257)
    panel.get_by_text("All 6 steps, one a row").click()
    steps = panel.get_by_role("region", name="All steps")
    expect(steps.get_by_role("row")).to_have_count(7)
    expect(steps.locator("[aria-current=step]")).to_contain_text("weights")

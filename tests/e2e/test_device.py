"""The ladder on the reader's own device, in a real browser: right every way, honest about gaps, in nobody's way."""

import base64
import json
import re
import urllib.error
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from extent import chosen
from find_chromium import find
from labs.contract import Sentence, unpack
from labs.speed.matmul_device import WAYS, Params
from measure.browser import EMULATED_GPU, FLAGS
from measure.serving import Server
from measure.worker import BUILT, Python
from playwright.sync_api import Browser, Route, expect
from reader import Open, Reader, reading
from test_run_on import offered
from test_take_away import opened, take

LAB = "speed/matmul_device"
PATH = f"/labs/{LAB}/"
ASK_MS = 120_000  # an emulated GPU takes its time
SENTENCE = re.compile(r"[A-Z]((?![.!?]\s+[A-Z])[^\n])*\.")

# One way on whole matrices: the module that the worker loads, given what it would get of NumPy.
PRODUCT = """async ([url, way, n, rows, given]) => {
  const array = (text) => {
    const { buffer } = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return { getBuffer: () => ({ data: new Float32Array(buffer), release() {} }) };
  };
  window.device ??= import(url).then(({ device }) => device(() => true, async () => {}));
  const work = await (await window.device).start(way, n, rows, 2, ...given.map(array));
  if (typeof work === "string") throw new Error(work);
  await work.clocked(2);
  let text = "";
  for (const byte of new Uint8Array((await work.product()).buffer)) text += String.fromCharCode(byte);
  work.close();
  return btoa(text);
}"""
# A run that is dropped in the middle of a way: how it ended, and after how many seconds.
DROP = """([lab, params, way]) => new Promise((done) => {
  const id = window.jobs = (window.jobs ?? 0) + 1;
  let timer, dropped;
  window.python.onmessage = ({ data }) => {
    if (data.id !== id) return;
    if (data.type === "events" && JSON.parse(data.json).some(({ stage }) => stage === way))
      timer ??= setTimeout(() => (window.python.postMessage("drop"), dropped = performance.now()), 150);
    if (data.type === "end") done([data.status, (performance.now() - dropped) / 1000]);
  };
  window.python.postMessage({ id, lab, params, target: 0 });
})"""
LONGEST = """() => {
  window.longest = 0;
  window.frames_seen = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
  }).observe({ type: "longtask" });
  const count = () => (window.frames_seen++, requestAnimationFrame(count));
  count();
}"""


@pytest.fixture(scope="module")
def emulating(browser: Browser) -> Iterator[Browser]:
    """A Chromium that has WebGPU, whatever machine this is."""
    started = browser.browser_type.launch(executable_path=find(), args=[*FLAGS, *EMULATED_GPU])
    yield started
    started.close()


@pytest.fixture(scope="module")
def gpu(emulating: Browser, server: Server) -> Iterator[Python]:
    with reading(emulating, server.url) as reader:
        yield python(reader)


def python(reader: Reader) -> Python:
    reader.go("/bits/")
    reader.page.set_default_timeout(ASK_MS)
    return Python(reader.page)


def last(asked: Python, **params: int) -> Any:
    ran = asked.run(LAB, asdict(Params(repetitions=3, **params)))
    assert (ran.status, ran.reason) == ("ok", "")
    for event in ran.events:
        said = Sentence.unpacked(event["text"])
        assert SENTENCE.fullmatch(said), said
    return unpack(ran.events[-1])


def missing(event: Any) -> dict[str, str]:
    return {name: why for name, why in zip(event["names"], event["missing"], strict=True) if why}


def assert_right(event: Any, cores: int) -> None:
    """Each way ran that this browser has, came near float64, and took some time."""
    assert event["names"] == [way.name for way in WAYS]
    alone = {"WASM threads": "this browser lends 1 core, not 2"}
    assert missing(event) == (alone if cores == 1 else {})
    there = event["rows"] > 0
    assert there.sum() == len(WAYS) - (cores == 1)
    assert (event["error"][there] < 1e-5).all()
    low, median, high = event["speed"][there].T
    assert (low > 0).all() and (low <= median).all() and (median <= high).all()
    assert event["gpu"] == "SwiftShader, a GPU that the processor emulates"


@pytest.mark.parametrize("n", chosen([16, 33, 1000], [33]))  # a fresh run, below, has one that fills its tiles
def test_every_way_comes_near_float64(gpu: Python, n: int) -> None:
    assert_right(last(gpu, n=n, seed=n), gpu.page.evaluate("navigator.hardwareConcurrency"))


@pytest.mark.parametrize("way", ["javascript", "loops", "scalar", "vectors", "naive", "tiled", "registers"])
def test_a_way_makes_every_number_of_the_product(gpu: Python, way: str) -> None:
    (module,) = BUILT.glob("device-*.js")
    for n, rows in ((16, 16), (17, 17), (64, 64), (65, 1), (100, 77), (130, 128), (257, 257)):
        random = np.random.default_rng(n)
        a, b = (random.uniform(-1, 1, (n, n)).astype(np.float32) for _ in range(2))
        given = [base64.b64encode(each.tobytes()).decode() for each in (a, b)]
        text = gpu.page.evaluate(PRODUCT, [f"/_astro/{module.name}", way, n, rows, given])
        made = np.frombuffer(base64.b64decode(text), np.float32).reshape(rows, n)
        exact = a[:rows].astype(np.float64) @ b
        assert np.abs(made - exact).max() / np.abs(exact).max() < 1e-5, (n, rows)


def test_a_page_that_may_not_share_memory_says_so(browser: Browser, server: Server) -> None:
    with reading(browser, server.url) as reader:

        def bare(route: Route) -> None:
            answer = route.fetch()
            kept = {k: v for k, v in answer.headers.items() if not k.startswith("cross-origin-")}
            route.fulfill(response=answer, headers=kept)

        reader.page.route("**/bits/", bare)
        event = last(python(reader), n=48)
        assert not reader.page.evaluate("crossOriginIsolated")
        assert "no SharedArrayBuffer" in missing(event)["WASM threads"]
        assert event["rows"][event["names"].index("WASM SIMD")] == 48
        assert event["tick"] > 2e-5, "the clock of such a page is coarse, and the figure says so"


def test_a_browser_without_webgpu_says_so(browser: Browser, server: Server) -> None:
    flags = [*FLAGS, "--disable-features=WebGPU,WebGPUService", "--disable-blink-features=WebGPU", "--disable-gpu"]
    without = browser.browser_type.launch(executable_path=find(), args=flags)
    with reading(without, server.url) as reader:
        event = last(python(reader), n=48)
    without.close()
    gaps = missing(event)
    for name in ("WebGPU naive", "WebGPU tiled", "WebGPU registers"):
        assert gaps[name] in ("this browser offers no WebGPU", "WebGPU finds no GPU on this device")
    assert event["gpu"] == ""


@pytest.mark.parametrize(
    ("unknown", "words"), [("relaxed*", "SIMD without fused multiply-adds"), ("[rs][ei][lm]*", "no SIMD")]
)
def test_an_older_webassembly_does_what_it_can(browser: Browser, server: Server, unknown: str, words: str) -> None:
    with reading(browser, server.url) as reader:
        names = [path.name for path in BUILT.glob(f"{unknown}.wasm")]
        assert names
        nonsense = b"\0asm\1\0\0\0\x7f"  # as an instruction that it does not know would be
        for name in names:
            reader.page.context.route(f"**/{name}", lambda route: route.fulfill(body=nonsense))
        event = last(python(reader), n=48)
    assert event["vectors"] == words
    assert ("WASM SIMD" in missing(event)) == (words == "no SIMD")
    assert np.nanmax(event["error"]) < 1e-5


def test_the_server_refuses_it_and_the_figure_does_not_offer_it(read: Open, server: Server) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        server.api("/runs", {"lab": LAB, "params": {}})
    assert refused.value.code == 422
    assert "reader's own device" in json.load(refused.value)["detail"][0]["message"]
    figure = read(PATH).figure()
    for name in ("This server’s CPU", "This server’s GPU"):
        offered(figure, name, "This lab measures your own device, so it runs in your browser alone.", there=False)
    figure.button("Source").click()
    panel = figure.host.get_by_role("region", name="Source", exact=True)
    expect(panel).to_contain_text("a sandbox that is lent none of it")
    expect(panel.get_by_role("button", name="Run this code")).to_have_count(0)


@pytest.mark.alone
def test_a_run_holds_nothing_up_and_is_taken_away(read: Open) -> None:
    """The page stays at hand while everything is measured; the log that is taken away is what it shows."""
    reader = read(PATH)
    figure = reader.figure()
    figure.set("Rows and columns", 64)  # Python has started when this is drawn
    reader.page.evaluate(LONGEST)
    longest = []
    for n in (690, 695, 700):  # other programs hold the page up, too, but not each time
        reader.page.evaluate("() => { window.longest = 0; }")
        figure.set("Rows and columns", n)
        longest.append(reader.page.evaluate("longest"))
        if longest[-1] < 100:
            break
    assert min(longest) < 100, "milliseconds without an answer"
    assert reader.page.evaluate("frames_seen") > 20
    expect(figure.badge).to_have_text("In your browser")
    expect(figure.host.get_by_role("alert")).to_have_count(0)
    panel = opened(reader)
    log = json.loads(take(panel, "JSON").read_text("utf-8"))
    assert (log["lab"], log["params"]["n"]) == (LAB, n)
    pictures = [event for event in log["events"] if "text" in event]
    said = figure.host.locator(".timeline output").text_content() or ""
    step, count = map(int, re.findall(r"\d+", said)[:2])  # the lab's poster is not its last step
    assert count == len(pictures)
    assert Sentence.unpacked(pictures[step - 1]["text"]) == figure.sentence
    rows = take(panel, "CSV of arrays").read_text("utf-8").splitlines()
    assert any(",speed," in row for row in rows)
    expect(panel.get_by_role("button", name="Notebook")).to_be_disabled()
    expect(panel).to_contain_text("A notebook has no page that could lend it your device.")


def test_a_run_that_nobody_waits_for_lets_go_at_once(gpu: Python) -> None:
    """Within a way, not only between two: Python need not be started anew."""
    for after in ("JavaScript", "WASM SIMD", "WebGPU naive"):
        status, seconds = gpu.page.evaluate(DROP, [LAB, asdict(Params(n=700)), after])
        assert status == "cancelled"
        assert seconds < 5, after


def test_my_device_stands_beside_the_recorded_one(read: Open) -> None:
    reader = read(PATH)
    figure = reader.figure()
    figure.button("Compare").click()
    panel = figure.host.get_by_role("region", name="Compare", exact=True)
    before = figure.serial
    figure.button("Run it live").click()
    figure.settled(before)
    expect(panel.get_by_role("region", name="Timings as ratios")).to_be_visible()


def test_a_fresh_run_is_what_was_recorded(gpu: Python) -> None:
    path = Path(__file__).parents[2] / "content" / "recordings" / LAB / "default.json"
    recorded = json.loads(path.read_text("utf-8"))
    ran = gpu.run(LAB, recorded["params"] | {"n": 64})  # the emulated GPU takes seconds for more
    old = recorded["events"][1:-1]
    assert [sorted(event) for event in ran.events] == [sorted(event) for event in old]
    assert [event["stage"] for event in ran.events] == [event["stage"] for event in old]
    assert_right(unpack(ran.events[-1]), gpu.page.evaluate("navigator.hardwareConcurrency"))
    assert "SwiftShader" not in old[-1]["gpu"], "what an emulated GPU takes says nothing of a GPU"

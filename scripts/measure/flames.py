"""How far frames are apart while a flame chart of twenty thousand spans, which a profiler recorded, zooms."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, expect

from measure.stats import Result

BAR_MS = 1000 / 60 + 0.5  # a browser tells times of frames in steps of 0.1 ms
PATIENCE_MS = 120_000
LAB = "profiler_trace"
LONG = {"program": "C", "with_stack": "true", "active": "20", "steps": "22"}

# What the page's own callbacks take of a frame, how far frames are apart, and what each drawing fills, while keys
# zoom for two seconds. A drawing begins by clearing the canvas.
ZOOM = """async (area) => {
  const own = [], apart = [], drawn = [], ask = window.requestAnimationFrame;
  window.requestAnimationFrame = (callback) => ask((now) => {
    const begun = performance.now();
    callback(now);
    queueMicrotask(() => queueMicrotask(() => own.push(performance.now() - begun))); // once the canvas is drawn
  });
  const pen = area.querySelector("canvas").getContext("2d");
  pen.clearRect = (...box) => {
    drawn.push({ fills: 0, left: Infinity, right: -Infinity });
    CanvasRenderingContext2D.prototype.clearRect.apply(pen, box);
  };
  pen.fillRect = (x, y, wide, high) => {
    const now = drawn.at(-1);
    now.fills += 1;
    now.left = Math.min(now.left, x);
    now.right = Math.max(now.right, x + wide);
    CanvasRenderingContext2D.prototype.fillRect.call(pen, x, y, wide, high);
  };
  const press = (key) => area.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  let last = await new Promise(ask);
  const begun = last;
  for (let n = 0; last - begun < 2000; n++) {
    if (n % 5 === 0) press(n % 80 < 40 ? "+" : "-");
    const now = await new Promise(ask);
    apart.push(now - last);
    last = now;
  }
  window.requestAnimationFrame = ask;
  delete pen.clearRect;
  delete pen.fillRect;
  return { own, apart, drawn, width: area.querySelector("canvas").clientWidth };
}"""


def flames(browser: Browser, url: str) -> list[Result]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, service_workers="block")
    page = context.new_page()
    page.goto(f"{url}/labs/pytorch/{LAB}/?" + "&".join(f"{LAB}.{name}={value}" for name, value in LONG.items()))
    figure = page.locator("[data-lab] figure").first
    said = figure.locator("p.said")
    expect(said).to_contain_text("shorter spans are not drawn", timeout=PATIENCE_MS)  # so 20,000 are
    expect(figure).to_have_attribute("data-status", "idle", timeout=PATIENCE_MS)
    took: dict[str, Any] = figure.get_by_role("application").evaluate(ZOOM)
    context.close()
    name = "profiler_trace zooms over 20,000 recorded spans"
    return [
        Result(f"{name}: from frame to frame", tuple(took["apart"]), "ms", held="median", bar=BAR_MS),
        Result(f"{name}: the page's own time", tuple(took["own"]), "ms", held="median", bar=BAR_MS),
    ]

"""From a reader's input to the painted picture, in a figure whose lab runs in the browser."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import Locator

PATIENCE_MS = 60_000  # Python has to start in the browser first

# A frame is painted once a task that was queued during its animation callback runs. `data-serial` counts the
# pictures that reached the page. The pause before each input differs, so that no phase of the frame is favoured.
WAITS = """
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = done;
    channel.port2.postMessage(null);
  }));
  const until = (true_) => new Promise((done) => {
    if (true_()) return done();
    const watch = new MutationObserver(() => true_() && (watch.disconnect(), done()));
    watch.observe(figure, { attributes: true });
  });"""
INPUTS = (
    f"async (figure, [selector, values, pause]) => {{{WAITS}"
    """
  const found = figure.querySelector(selector);
  const field = found.shadowRoot?.querySelector("[contenteditable]") ?? found; // an editor has a root of its own
  const write = (value) => {
    if (field.type === "checkbox") return field.click();
    if (!field.isContentEditable) {
      field.value = value;
      field.dispatchEvent(new Event(field.matches("select") ? "change" : "input", { bubbles: true }));
      return;
    }
    field.focus();
    document.execCommand("selectAll");
    document.execCommand("insertText", false, value);
  };
  field.focus({ preventScroll: true }); // as who moves it by keyboard has done, or the pointer's way there
  const took = [];
  for (const [index, value] of values.entries()) {
    await until(() => figure.dataset.status === "idle");
    await new Promise((done) => setTimeout(done, pause + ((index * 7) % 17)));
    const before = Number(figure.dataset.serial);
    const begun = performance.now();
    write(value);
    await until(() => Number(figure.dataset.serial) > before);
    const arrived = performance.now();
    await painted();
    took.push([arrived - begun, performance.now() - begun]);
  }
  await until(() => figure.dataset.status === "idle");
  return took;
}"""
)


def painted(
    figure: Locator, field: str, values: Sequence[float | str], pause_ms: int = 50
) -> list[tuple[float, float]]:
    """Milliseconds until the picture is in the page, and until it is painted, for each value of a field.

    Before each the reader pauses so long and up to 16 ms more; 50 is a held arrow key.
    """
    took: list[tuple[float, float]] = figure.evaluate(INPUTS, [field, list(values), pause_ms])
    return took

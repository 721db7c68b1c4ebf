"""What the series on bits promises: a compiler that keeps up with typing, a machine that keeps up with a finger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from labs.models.c.functions import EXAMPLES
from native.models.llvm.targets import Name
from playwright.sync_api import Browser, Locator, Page, expect

from measure.browser import chromium
from measure.engine import log
from measure.painted import PATIENCE_MS, painted
from measure.serving import Server
from measure.stats import Result

EDIT_BAR_MS = 50.0
LLVM_BAR_MS = 300.0
STATEMENTS_BAR = 50_000.0  # a second
FRAME_BAR_MS = 16.7
STAGES = {"tree": 2, "code": 3}  # the steps of these labs that show them
EDITS = 9
TURNS = 5

# The line under a finger that goes on by a step a frame: how long after each other the frames come.
SCRUB = """async (figure) => {
  const line = figure.querySelector("input[aria-label='Step']");
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const took = [];
  let last = await frame();
  for (let step = 0; step <= Number(line.max); step++) {
    line.value = step;
    line.dispatchEvent(new Event("input", { bubbles: true }));
    const now = await frame();
    took.push(now - last);
    last = now;
  }
  return took;
}"""

LONG = """#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *numbers = malloc(16 * sizeof(int));
    int sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < 16; i++) {
            numbers[i] = round * i;
            sum = sum + numbers[i];
        }
    }
    printf("%d\\n", sum);
    free(numbers);
    return 0;
}
"""


def bits(server: Server) -> list[Result]:
    with chromium() as browser:
        found = [
            *edits(browser, server.url, "bits/code_front"),
            *edits(browser, server.url, "bits/code_to_bytes"),
            speed(browser, server.url),
            scrubbing(browser, server.url),
        ]
    return [*found, *stages(server)]


def edits(browser: Browser, url: str, lab: str) -> list[Result]:
    """An edit adds a statement to the last function, another one each time: what it becomes is then new as well."""
    page, figure = opened(browser, url, lab)
    found = []
    for stage, step in STAGES.items():
        figure.get_by_role("slider", name="Step", exact=True).fill(str(step - 1))
        for name, source in EXAMPLES.items():
            body = source.rstrip().removesuffix("}")
            texts = [f"{body}    {n} + {n};\n}}\n" for n in range(EDITS + 2)]
            took = type_in(figure, texts)[2:]
            found.append(
                Result(f"{lab}: edit of {name} to painted {stage}", tuple(took), "ms", "median", EDIT_BAR_MS)
            )
    page.close()
    return found


def speed(browser: Browser, url: str) -> Result:
    """With everything around it: the program is compiled, ten pictures are drawn, the last one is painted."""
    page, figure = opened(browser, url, "bits/memory_machine")
    most = 100_000
    rates = []
    for name, value in (("Pictures", 10), ("Begin at", most)):
        field = figure.get_by_role("textbox", name=name)
        field.fill(str(value))
        field.press("Enter")
    for n in range(TURNS + 1):
        (took,) = type_in(figure, [LONG.replace("ROUNDS", str(10_000 + n))])
        rates.append(1000 * most / took)
    expect(figure.locator(".sentence")).to_contain_text("100,009 statements")
    page.close()
    name = "memory_machine in the browser, statements without pictures"
    return Result(name, tuple(rates[1:]), "/s", "least", STATEMENTS_BAR)


def scrubbing(browser: Browser, url: str) -> Result:
    page, figure = opened(browser, url, "bits/memory_machine")
    field = figure.get_by_role("textbox", name="Pictures")
    field.fill("1000")
    field.press("Enter")
    type_in(figure, [LONG.replace("ROUNDS", "100")])
    expect(figure.locator(".timeline output")).to_contain_text("of 1000")
    figure.evaluate(SCRUB)
    took: list[float] = figure.evaluate(SCRUB)
    page.close()
    return Result("memory_machine, scrubbing 1,000 steps: frame", tuple(took), "ms", "median", FRAME_BAR_MS)


def opened(browser: Browser, url: str, lab: str, query: str = "") -> tuple[Page, Locator]:
    """Its page, with Python running in it."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{url}/labs/{lab}/{query}")
    figure = page.locator("figure[data-serial]")
    page.locator("[data-lab][data-live]").wait_for()
    figure.get_by_role("button", name="Run it live").click()
    if not page.workers:  # on a slow machine it may have come ahead of need
        page.wait_for_event("worker", timeout=PATIENCE_MS)
    expect(figure).to_have_attribute("data-status", "idle", timeout=PATIENCE_MS)
    return page, figure


def type_in(figure: Locator, texts: Sequence[str]) -> list[float]:
    """Milliseconds from each text to its painted picture."""
    edit = figure.get_by_role("button", name="Edit", exact=True)
    if edit.is_visible():
        edit.click()
        figure.get_by_role("textbox", name="Program").wait_for()
    return [took for _, took in painted(figure, ".control .host", texts)]


def stages(server: Server) -> list[Result]:
    """Every run has arguments of its own, so that none is answered from an earlier log."""
    take(server, {"a": 999})  # the first starts what later ones find warm
    return [
        Result(
            f"code_to_bytes for {target}, POST to last event, every example",
            tuple(
                take(server, {"source": source, "target": target, "a": turn})
                for source in EXAMPLES.values()
                for turn in range(TURNS)
            ),
            "ms",
            "median",
            LLVM_BAR_MS,
        )
        for target in get_args(Name)
    ]


def take(server: Server, params: dict[str, object]) -> float:
    """Milliseconds of a run of code_to_bytes."""
    events = log(server, "bits/code_to_bytes", params)
    if "run" not in (kind for kind, _ in events):
        raise RuntimeError(f"code_to_bytes with {params} ended with {events[-2:]}")
    return events[-1][1]

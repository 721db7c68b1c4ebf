"""What the series on compilers promises of its own in the browser: loops that keep up with typing."""

from __future__ import annotations

from labs.compilers.fusing_compiler.programs import PROGRAMS
from playwright.sync_api import Browser, Locator

from measure.bits import opened, type_in
from measure.stats import Result

LAB = "compilers/fusing_compiler"
BAR_MS = 50.0
EDITS = 15
WARMING = 2  # the first ones find what the program before has left


def front(browser: Browser, url: str) -> list[Result]:
    """From an edit to the painted graph, and to the last picture, with rewrites, fusions and loops before it."""
    page, figure = opened(browser, url, LAB)
    found = [
        result
        for picture, key in (("graph", "Home"), ("CUDA", "End"))
        for result in sorted(edits(figure, picture, key), key=lambda each: -each.median)
    ]
    page.close()
    return found


def edits(figure: Locator, picture: str, key: str) -> list[Result]:
    """The slowest programs come first."""
    found = []
    for name, source in PROGRAMS.items():
        texts = [edited(source, 1.5 + number) for number in range(WARMING + EDITS)]
        type_in(figure, texts[:WARMING])
        figure.get_by_role("slider", name="Step", exact=True).press(key)
        took = type_in(figure, texts[WARMING:])
        found.append(
            Result(f"fusing_compiler, edit of {name} to painted {picture}", tuple(took), "ms", "median", BAR_MS)
        )
    return found


def edited(source: str, factor: float) -> str:
    """What the program returns times a number: another one each time, and everything has to be made anew."""
    before, _, returned = source.rstrip().rpartition("return ")
    return f"{before}return {factor} * ({returned})\n"

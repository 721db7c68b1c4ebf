"""Python in the browser gets the lab that runs, with what that imports: no other lab's code, and no piece twice."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from labs.discover import find
from measure.serving import Server
from playwright.sync_api import Browser
from reader import Reader, reading

PUBLIC = Path(__file__).parents[2] / "frontend" / "dist" / "labs"
COMMON = "labs.contract"
LINE, MATRIX = (find(("labs",))[f"learning/{lab}"].module for lab in ("number_line", "uniform_quantization"))


def files(*modules: str) -> list[str]:
    """Where the packs of these modules are, as the build says."""
    packs = json.loads((PUBLIC / "labs.json").read_text("utf-8"))["packs"]
    names = [name for module in modules for name in (packs[module]["code"], *packs[module]["data"].values())]
    return sorted(f"/labs/{name}" for name in names)


def fetched(reader: Reader) -> list[str]:
    return sorted(path for path in reader.requests if path.startswith("/labs/packs/"))


@pytest.fixture
def alone(browser: Browser, server: Server) -> Iterator[Reader]:
    with reading(browser, server.url, saving=False) as reader:
        yield reader


def test_a_page_with_one_figure_fetches_its_lab(alone: Reader) -> None:
    alone.go("/embed/learning/number_line/")
    figure = alone.figure("number_line")
    for value in (1, 2):
        figure.set("Value", value)
    assert fetched(alone) == files(COMMON, LINE)


def test_a_second_lab_comes_beside_the_first(alone: Reader) -> None:
    alone.go("/learning/quantization/")
    alone.figure("number_line").set("Value", 1)
    before = fetched(alone)
    assert {*files(COMMON, LINE)} <= {*before}
    alone.figure("uniform_quantization").set("Bits per weight", 3)
    alone.figure("number_line").set("Value", 2)
    assert fetched(alone) == files(COMMON, LINE, MATRIX)
    assert any(".npz" in path for path in fetched(alone)), "its data are a file of their own"

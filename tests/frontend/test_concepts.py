"""The vocabulary of concepts can be read by everybody: enough contrast in both themes, colours that stay apart for
colour-blind readers, and never a colour alone."""

import itertools
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SRC = ROOT / "frontend" / "src"
CONCEPTS: dict[str, dict[str, Any]] = json.loads((SRC / "kit" / "concepts.json").read_text("utf-8"))
SERIES: dict[str, dict[str, Any]] = json.loads((SRC / "kit" / "series.json").read_text("utf-8"))
COLOURS = CONCEPTS | SERIES
THEMES = ("light", "dark")
TEXT, MARK = 4.5, 3.0  # WCAG 2.2, 1.4.3 and 1.4.11
TINT = 0.18  # of what is lit, styles/concepts.css
FAR_APART = 10.0  # lines of one chart, which stand beside each other
APART = 3.0  # in hundredths of OKLab; two is a difference that is just seen

Linear = tuple[float, float, float]

# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
SIGHT = {
    "trichromat": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanope": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranope": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanope": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def bytes_of(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def linear(colour: str) -> Linear:
    parts = [byte / 255 for byte in bytes_of(colour)]
    r, g, b = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return r, g, b


def contrast(one: str, other: str) -> float:
    light, dark = sorted(
        (sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(each), strict=True)) for each in (one, other)),
        reverse=True,
    )
    return (light + 0.05) / (dark + 0.05)


def mixed(colour: str, paper: str) -> str:
    """As CSS mixes in srgb."""
    pairs = zip(bytes_of(colour), bytes_of(paper), strict=True)
    return "#" + "".join(f"{round(TINT * over + (1 - TINT) * under):02x}" for over, under in pairs)


def seen(colour: str, sight: str) -> tuple[float, ...]:
    """The place of a colour in OKLab, as somebody sees it."""
    source = linear(colour)
    r, g, b = (min(1.0, max(0.0, sum(w * c for w, c in zip(row, source, strict=True)))) for row in SIGHT[sight])
    long, middle, short = (
        (x * r + y * g + z * b) ** (1 / 3)
        for x, y, z in (
            (0.4122214708, 0.5363325363, 0.0514459929),
            (0.2119034982, 0.6806995451, 0.1073969566),
            (0.0883024619, 0.2817188376, 0.6299787005),
        )
    )
    return tuple(
        100 * (x * long + y * middle + z * short)
        for x, y, z in (
            (0.2104542553, 0.7936177850, -0.0040720468),
            (1.9779984951, -2.4285922050, 0.4505937099),
            (0.0259040371, 0.7827717662, -0.8086757660),
        )
    )


def papers(theme: str) -> list[str]:
    """What text stands on, read off the style sheet."""
    css = (SRC / "styles" / "global.css").read_text("utf-8")
    found = re.findall(r"--paper(?:-raised)?: light-dark\((#\w{6}), (#\w{6})\)", css)
    assert len(found) == 2
    return [pair[THEMES.index(theme)] for pair in found]


def test_the_measure_itself() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)  # the well-known grey that just fails
    assert seen("#ffffff", "trichromat") == pytest.approx((100, 0, 0), abs=0.01)
    red, green = "#c8372d", "#6b7a20"  # far apart, but not for a deuteranope
    assert math.dist(seen(red, "trichromat"), seen(green, "trichromat")) > 15
    assert math.dist(seen(red, "deuteranope"), seen(green, "deuteranope")) < 7


def test_there_are_few_enough_to_learn() -> None:
    assert 8 <= len(CONCEPTS) <= 14


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("colour", COLOURS)
def test_words_and_marks_stand_out(colour: str, theme: str) -> None:
    at = THEMES.index(theme)
    ink, mark = COLOURS[colour]["ink"][at], COLOURS[colour]["mark"][at]
    for paper in papers(theme):
        assert contrast(ink, paper) >= TEXT
        assert contrast(ink, mixed(mark, paper)) >= TEXT, "when it is lit"
        assert contrast(mark, paper) >= MARK


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize(("colours", "apart"), [(CONCEPTS, APART), (SERIES, FAR_APART)], ids=["concepts", "series"])
def test_colours_stay_apart(colours: dict[str, dict[str, Any]], apart: float, sight: str, theme: str) -> None:
    places = {name: seen(each["mark"][THEMES.index(theme)], sight) for name, each in colours.items()}
    close = {
        (one, other): round(distance, 1)
        for one, other in itertools.combinations(colours, 2)
        if (distance := math.dist(places[one], places[other])) < apart
    }
    assert not close


def test_no_colour_is_alone() -> None:
    glyphs = [each["glyph"] for each in COLOURS.values()]
    assert all(glyphs)
    assert len(set(glyphs)) == len(glyphs)
    names = [each["name"] for each in CONCEPTS.values()]
    assert len(set(names)) == len(names)


def test_a_parameter_has_one_concept() -> None:
    params = [name for each in CONCEPTS.values() for name in each["params"]]
    assert len(set(params)) == len(params)


def test_only_colours_that_there_are() -> None:
    """A misspelt or retired variable is no error in CSS: the thing just has no colour."""
    text = {
        path: path.read_text("utf-8") for path in SRC.rglob("*") if path.suffix in {".css", ".svelte", ".astro"}
    }
    made = {f"--{name}{part}" for name in COLOURS for part in ("", "-ink", "-glyph")} | {"--$concept"}
    made |= {f"--$concept{part}" for part in ("-ink", "-glyph")}
    for css in text.values():
        made.update(re.findall(r"(--[\w$-]+)[:=]", css))
    unknown = {
        f"{path.relative_to(SRC)}: {name}"
        for path, css in text.items()
        for name in re.findall(r"var\((--[\w$-]+)\)", css)
        if name not in made
    }
    assert not unknown

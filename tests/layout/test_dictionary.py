"""Whatever a reader is told stands in a dictionary: no template of the interface has words of its own."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SRC = ROOT / "frontend" / "src"
# Figures and what they are drawn with may say their English themselves, in tr("…"), for the catalogues.
DONE = (
    "layouts",
    "page",
    "pages",
    "lab",
    "copy",
    "exercise",
    "prose",
    "source",
    "runner",
    "export",
    "figures/learning",
)
NAMES = {
    "Underhood",
    "RSS",
    "Ctrl",
    "Enter",
    "Tab",
    "Esc",
    "py",
    "underhood run",
    "s",
    "PNG",
    "SVG",
    "GIF",
    "WebM",
    "JSON",
}

SPOKEN = re.compile(
    r'\s(aria-label|aria-valuetext|title|placeholder|alt|label|caption|[xy]Label)="([^"{]*[A-Za-z]{2}[^"{]*)"'
)
SENTENCE = re.compile(r"""(?<!tr\()(["'`])([A-Z][a-z’]+ [a-z][^"'`\n]*)\1""")
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*|<!--.*?-->", re.S)


def without_braces(text: str) -> str:
    """What stands in a template outside of its expressions."""
    kept, depth = [], 0
    for sign in text:
        depth += sign == "{"
        if depth == 0:
            kept.append(sign)
        depth -= sign == "}"
    return "".join(kept)


def words_in(name: str, source: str) -> Iterator[str]:
    """Literal words of a file that a reader would meet."""
    source = COMMENT.sub("", source)
    yield from (
        found[2]
        for found in SENTENCE.finditer(source)
        if "throw new Error" not in found.string[max(0, found.start() - 60) : found.start()]
    )
    if name.endswith(".ts"):
        return
    template = re.sub(r"^---\n.*?\n---\n|<(script|style)\b.*?</\1>", "", source, flags=re.S)
    yield from (found[2] for found in SPOKEN.finditer(template) if found[2] not in NAMES)
    for text in re.findall(r">([^<>]*)<", without_braces(template)):
        words = " ".join(re.findall(r"[A-Za-z][\w’-]*", text))
        if words and words not in NAMES:
            yield words


FILES = sorted(
    path.relative_to(SRC).as_posix()
    for folder in DONE
    for path in (SRC / folder).rglob("*")
    if path.suffix in {".ts", ".svelte", ".astro"} and not path.name.endswith(".worker.ts")
    if "backprop_step" not in path.parts or path.name == "Figure.svelte"  # its parts are in English alone so far
)


@pytest.mark.parametrize("name", FILES)
def test_a_template_has_no_words_of_its_own(name: str) -> None:
    assert [*words_in(name, (SRC / name).read_text("utf-8"))] == []


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("lab/A.svelte", "<p>Loading…</p>"),
        ("lab/A.svelte", '<script lang="ts">\n  const x = 1;\n</script>\n<button title="Run again" {x}></button>'),
        ("lab/A.svelte", "<p>{x} steps</p>"),
        ("lab/A.svelte", '<p>{x ? "Run it live" : y}</p>'),
        ("page/A.astro", '---\nconst x = 1;\n---\n<nav aria-label="On this page"><p>{x}</p></nav>'),
        ("runner/a.ts", 'return failed("The server cannot be reached.");'),
    ],
)
def test_the_search_for_words_bites(name: str, source: str) -> None:
    assert [*words_in(name, source)]


def test_every_word_of_a_translated_figure_is_in_its_catalogue() -> None:
    catalogue: dict[str, str] = json.loads((ROOT / "content/learning/words.de.json").read_text("utf-8"))
    figures = "".join(path.read_text("utf-8") for path in (SRC / "figures/learning").rglob("*.svelte"))
    said = set(re.findall(r'\btr\(\s*"([^"]+)"', figures))
    assert len(said) > 30
    assert said - catalogue.keys() == set()


def test_every_word_of_a_translated_lab_is_in_its_catalogue() -> None:
    catalogue: dict[str, str] = json.loads((ROOT / "content/learning/words.de.json").read_text("utf-8"))
    said: set[str] = set()
    for lab in ("number_line", "uniform_quantization", "post_training_quantization"):
        manifest = json.loads((SRC / f"generated/learning/{lab}/lab.json").read_text("utf-8"))
        said |= {manifest["title"], manifest["summary"]}
        for one in manifest["params"]["properties"].values():
            said |= {one[key] for key in ("title", "description", "group", "unit") if key in one}
            said |= {word for word in one.get("enum", ()) if isinstance(word, str)}
    assert said - catalogue.keys() - {"%"} == set()


def test_a_catalogue_keeps_the_places_of_values() -> None:
    for path in (ROOT / "content").glob("*/words.*.json"):
        for english, other in json.loads(path.read_text("utf-8")).items():
            assert english.count("{}") == other.count("{}"), english

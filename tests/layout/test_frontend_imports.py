"""Who may import whom in the frontend. A figure draws and nothing else; a runner runs and draws nothing."""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "frontend" / "src"
SUFFIXES = {".ts", ".svelte", ".astro"}

# area -> the areas whose values it may import; an area not listed here may import all but figures by name
VALUES = {
    "words": {"words"},
    "figures": {"kit", "generated", "words"},
    "kit": {"kit", "generated", "words"},
    "runner": {"runner", "device", "generated", "words"},
    "device": {"device", ".."},  # what a browser computes with; its kernels lie beside the sources
    "lab": {"lab", "runner", "source", "kit", "generated", "export", "words"},
    "export": {"export", "runner", "words"},  # what a run becomes outside the page
    "source": {"source", "runner", "words"},  # a lab as its reader changed it
    "exercise": {"exercise", "lab", "runner", "source", "kit", "generated", "words"},
    "generated": set[str](),
}
# and whose types, which are gone when the page runs
TYPES = {
    "figures": {"lab"},
    "kit": {"runner"},
    "generated": {"runner", "words"},
    "runner": {"sw"},
    "source": {"lab"},
}
PACKAGES = {
    "runner": ("svelte", "astro"),
    "device": ("svelte", "astro"),
    "export": ("svelte", "astro"),
    "kit": ("astro",),
    "figures": ("astro",),
}  # libraries it must not know
CALLS = {"figures": r"\b(fetch|XMLHttpRequest|WebSocket|EventSource|Worker)\s*\("}

IMPORT = re.compile(r"""\b(?:import|export)\s+(type\s)?\s*(?:[\w\s{},*$]+?\sfrom\s*)?["']([^"']+)["']""")
DYNAMIC = re.compile(r"""\bimport\s*\(\s*["'`]([^"'`]+)["'`]""")


def imports(source: str) -> Iterator[tuple[str, bool]]:
    """What a file imports, and whether only for its types."""
    yield from ((found[2], bool(found[1])) for found in IMPORT.finditer(source))
    yield from ((found[1], False) for found in DYNAMIC.finditer(source))


def complaints(name: str, source: str) -> list[str]:
    """What a file at ``name``, seen from src, must not do."""
    area, build_time = name.partition("/")[0], name.endswith(".astro")
    wrong = [f"calls {found[1]}" for found in re.finditer(CALLS.get(area, r"(?!)"), source)]
    for target, only_types in imports(source):
        if not target.startswith("."):
            wrong += [f"imports {target}" for package in PACKAGES.get(area, ()) if target.split("/")[0] == package]
            continue
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
        into, room = path.partition("/")[0], posixpath.dirname(name)
        if area == "figures" and room.count("/") == 2 and path.startswith(f"{room}/"):
            continue  # a figure's own part
        values = VALUES.get(area)
        allowed = values is None or into in values or (only_types and into in TYPES.get(area, ()))
        allowed = allowed or (
            area in ("lab", "exercise") and build_time and into == "build"
        )  # an .astro file never leaves the build
        if into == "figures" or not allowed:
            wrong.append(f"imports {target}")
    return wrong


FILES = sorted(path for path in SRC.rglob("*") if path.suffix in SUFFIXES) if SRC.is_dir() else []


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SRC)))
def test_imports_follow_the_table(path: Path) -> None:
    name = path.relative_to(SRC).as_posix()
    assert complaints(name, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("figures/learning/a.svelte", 'import { server } from "../../runner/server";'),
        ("figures/learning/a.svelte", 'import B from "./b.svelte";'),
        ("figures/learning/a.svelte", 'import B from "./b/Part.svelte";'),
        ("figures/learning/a/Figure.svelte", 'import B from "../b/Part.svelte";'),
        ("figures/learning/a/Figure.svelte", 'import B from "../b.svelte";'),
        ("figures/learning/a.svelte", 'import { Run } from "../../lab/run.svelte";'),
        ("figures/learning/a.svelte", 'const x = await fetch("/api/labs");'),
        ("runner/server.ts", 'import { onMount } from "svelte";'),
        ("export/film.ts", 'import { tick } from "svelte";'),
        ("export/log.ts", 'import { Run } from "../lab/run.svelte";'),
        ("runner/server.ts", 'import { writable } from "svelte/store";'),
        ("runner/server.ts", 'import Figure from "../lab/Figure.svelte";'),
        ("kit/Plot.svelte", 'import { server } from "../runner/server";'),
        ("lab/mount.ts", 'const figure = await import("../figures/learning/a.svelte");'),
        ("lab/Figure.svelte", 'import {\n  a,\n  b,\n} from "../figures/learning/a.svelte";'),
        ("lab/Figure.svelte", 'import { readRecording } from "../build/recordings";'),
        ("lab/Figure.svelte", 'import "../pages/x";'),
        ("pages/index.astro", 'import A from "../figures/learning/a.svelte";'),
    ],
)
def test_the_table_bites(name: str, source: str) -> None:
    assert complaints(name, source)


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("figures/learning/a.svelte", 'import type { DrawingProps } from "../../lab/drawing";'),
        (
            "figures/learning/a.svelte",
            'import Plot from "../../kit/Plot.svelte";\nimport { line } from "d3-shape";',
        ),
        ("figures/learning/a/Figure.svelte", 'import Part from "./Part.svelte";'),
        ("lab/mount.ts", 'const drawings = import.meta.glob("../figures/**/*.svelte");'),
        ("lab/Lab.astro", 'import { firstPicture } from "../build/recordings";'),
        ("generated/learning/a/types.ts", 'import type { NdArray } from "../../../runner/array";'),
    ],
)
def test_the_table_lets_through(name: str, source: str) -> None:
    assert complaints(name, source) == []

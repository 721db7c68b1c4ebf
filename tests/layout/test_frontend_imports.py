"""Who may import whom in the frontend. A figure draws and nothing else; a runner runs and draws nothing.

The rules are frontend/.dependency-cruiser.mjs. Here they are kept, and each is shown to bite.
"""

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

FRONTEND = Path(__file__).parents[2] / "frontend"
NODE = Path(sys.executable).with_name("node")
CALL = re.compile(r"\b(fetch|XMLHttpRequest|WebSocket|EventSource|Worker)\s*\(")

# name of a file, seen from src -> what it imports
BITES = [
    ("figures/learning/a1.svelte", 'import { server } from "../../runner/server";'),
    ("figures/learning/a2.svelte", 'import B from "./number_line.svelte";'),
    ("figures/learning/a3.svelte", 'import B from "./b/Part.svelte";'),
    ("figures/learning/a4/Figure.svelte", 'import B from "../b/Part.svelte";'),
    ("figures/learning/a5/Figure.svelte", 'import B from "../b.svelte";'),
    ("figures/learning/a6.svelte", 'import { Run } from "../../lab/run.svelte";'),
    ("figures/learning/a7.svelte", 'import "astro";'),
    ("figures/learning/a8.svelte", 'import type { Run } from "../../sw/kept";'),
    ("runner/b1.ts", 'import { onMount } from "svelte";'),
    ("runner/b2.ts", 'import { writable } from "svelte/store";'),
    ("runner/b3.ts", 'import Figure from "../lab/Figure.svelte";'),
    ("runner/b4.ts", 'const figure = await import("../lab/Figure.svelte");'),
    ("export/c1.ts", 'import { tick } from "svelte";'),
    ("export/c2.ts", 'import { Run } from "../lab/run.svelte";'),
    ("device/d1.ts", 'import { server } from "../runner/server";'),
    ("device/d2.ts", 'import "svelte";'),
    ("kit/e1.svelte", 'import { server } from "../runner/server";'),
    ("kit/e2.svelte", 'import type { A } from "../runner/types"; import { b } from "../runner/types";'),
    ("kit/e3.ts", 'import "astro";'),
    ("kit/e4.ts", 'import text from "../../../content/glossary.json";'),
    ("lab/f1.ts", 'const figure = await import("../figures/learning/number_line.svelte");'),
    ("lab/f2.svelte", 'import {\n  a,\n  b,\n} from "../figures/learning/a.svelte";'),
    ("lab/f3.svelte", 'import { readRecording } from "../build/recordings";'),
    ("lab/f4.svelte", 'import "../pages/x";'),
    ("exercise/g1.ts", 'import { readRecording } from "../build/recordings";'),
    ("words/h1.ts", 'import { Run } from "../lab/run.svelte";'),
    ("source/i1.ts", 'import { Run } from "../lab/run.svelte";'),
    ("generated/j1.ts", 'import { NdArray } from "../runner/array";'),
    ("pages/k1.astro", 'import A from "../figures/learning/number_line.svelte";'),
    ("pages/k2.astro", '---\n<p>\n<script>\n  import A from "../figures/learning/number_line.svelte";\n</script>'),
]
LETS_THROUGH = [
    ("figures/learning/l1.svelte", 'import type { DrawingProps } from "../../lab/drawing";'),
    ("figures/learning/l2.svelte", 'import Plot from "../../kit/Plot.svelte";\nimport { line } from "d3-shape";'),
    ("figures/learning/l3/Part.svelte", ""),
    ("figures/learning/l3/Figure.svelte", 'import Part from "./Part.svelte";'),
    ("lab/l4.ts", 'const drawings = import.meta.glob("../figures/**/*.svelte");'),
    ("lab/l5.astro", 'import { firstPicture } from "../build/recordings";'),
    ("device/l6.ts", 'import tiled from "../../../wasm/kernels/matmul_tiled.wgsl?raw";'),
    ("generated/l7.ts", 'import type { NdArray } from "../runner/array";'),
]
WRAPPED = {".svelte": '<script lang="ts">\n{}\n</script>', ".astro": "---\n{}\n---", ".ts": "{}"}


@pytest.fixture(scope="module")
def forbidden() -> dict[str, set[str]]:
    """For each file that imports what it must not, the rules that it breaks; of the sources and of those above."""
    added = {f"src/{name}": WRAPPED[Path(name).suffix].format(text) for name, text in [*BITES, *LETS_THROUGH]}
    done = subprocess.run(
        [NODE, "scripts/imports.mjs"], input=json.dumps(added), cwd=FRONTEND, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    found = defaultdict[str, set[str]](set)
    for each in json.loads(done.stdout):
        found[each["from"]].add(each["rule"])
    return found


def test_imports_follow_the_rules(forbidden: dict[str, set[str]]) -> None:
    shown = {f"src/{name}" for name, _ in BITES}
    assert not {path: rules for path, rules in forbidden.items() if path not in shown}


@pytest.mark.parametrize(("name", "source"), BITES, ids=[name for name, _ in BITES])
def test_a_rule_bites(name: str, source: str, forbidden: dict[str, set[str]]) -> None:
    assert f"src/{name}" in forbidden, source


def test_figures_ask_for_nothing() -> None:
    figures = [*(FRONTEND / "src" / "figures").rglob("*.*")]
    calling = {str(path): found[1] for path in figures if (found := CALL.search(path.read_text("utf-8")))}
    assert figures and not calling
    assert CALL.search('const x = await fetch("/api/labs");')

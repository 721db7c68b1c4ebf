"""Files stay small enough to be read in one sitting."""

import statistics
from pathlib import Path

ROOT = Path(__file__).parents[2]
TREES = ("backend", "wasm", "scripts", "tests", "content", "frontend/src", "frontend/scripts")
SUFFIXES = {".py", ".ts", ".mjs", ".svelte", ".astro", ".c", ".wgsl"}
LARGEST, MEDIAN = 300, 90


def sizes() -> dict[str, int]:
    """Lines of every source file that people write; what is generated is not read from top to bottom."""
    return {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for tree in TREES
        for path in (ROOT / tree).rglob("*")
        if path.suffix in SUFFIXES and path.is_file() and "generated" not in path.parts
    }


def test_no_file_is_too_long() -> None:
    long = {name: lines for name, lines in sizes().items() if lines > LARGEST}
    assert not long, f"longer than {LARGEST} lines: {long}"


def test_most_files_are_short() -> None:
    lines = sizes()
    worst = sorted(lines, key=lambda name: -lines[name])[:10]
    assert statistics.median(lines.values()) < MEDIAN, {name: lines[name] for name in worst}

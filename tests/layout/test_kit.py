"""The kit holds what two or more figures draw with; what one alone uses lies in its room."""

import posixpath
import re
from pathlib import Path

SRC = Path(__file__).parents[2] / "frontend" / "src"
SUFFIXES = {".ts", ".svelte", ".astro"}
IMPORTED = re.compile(r"""(?:from\s*|import\s*\(?\s*)["'](\.[^"'?]+)""")

STARTS_A_WORKER = "kit/code/execute.ts"  # which a figure may not


def importers() -> dict[str, set[str]]:
    """By file, the files that import it."""
    files = {path.relative_to(SRC).as_posix(): path for path in SRC.rglob("*") if path.suffix in SUFFIXES}
    found: dict[str, set[str]] = {name: set() for name in files}
    for name, path in files.items():
        for target in IMPORTED.findall(path.read_text("utf-8")):
            whole = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
            for candidate in (whole, f"{whole}.ts", f"{whole}.svelte", f"{whole}.svelte.ts"):
                if candidate in found:
                    found[candidate].add(name)
    return found


def lab(name: str) -> str:
    """The lab that a file of `figures` belongs to; any other file stands for itself."""
    series_and_lab = "/".join(name.split("/")[1:3]).removesuffix(".svelte")
    return series_and_lab if name.startswith("figures/") else name


def users(name: str, found: dict[str, set[str]], seen: frozenset[str] = frozenset()) -> set[str]:
    """The labs that reach a file of the kit, and whatever else does."""
    reached: set[str] = set()
    for user in found[name] - seen:
        reached |= users(user, found, seen | {name}) if user.startswith("kit/") else {lab(user)}
    return reached


def test_what_is_in_the_kit_is_shared() -> None:
    found = importers()
    figures = {lab(name) for name in found if name.startswith("figures/")}
    reached = {name: users(name, found) for name in found if name.startswith("kit/") and name != STARTS_A_WORKER}
    assert len(reached) > 20
    alone = {name: labs for name, labs in reached.items() if len(labs) < 2 and labs <= figures}
    assert not alone, f"these belong into the rooms of the labs that use them, or to nobody: {alone}"


COUNTED = re.compile(r"(\w+)\.data(?:\[[^\]]*\*|\.(?:slice|subarray)\([^)]*\*)")
FLAT = {"bytes", "tile_of"}  # declared so: bytes of memory, elements of an array of any rank


def test_no_figure_counts_places_in_a_flattened_array() -> None:
    """`row`, `at` and `quartiles` of kit/arrays know an array's shape; a wrong sum would draw a wrong number."""
    files = [path for part in ("figures", "kit", "bench") for path in (SRC / part).rglob("*") if path.is_file()]
    found = {path.relative_to(SRC).as_posix(): {*COUNTED.findall(path.read_text("utf-8"))} - FLAT for path in files}
    assert {name: counted for name, counted in found.items() if counted} == {}

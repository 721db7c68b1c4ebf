"""Listings of one kernel at each stage: which lines are its, and which of many alike are folded away."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from labs.models.fusing import show
from labs.models.fusing.emit_c import Line
from labs.models.fusing.loops import Kernel

from native.compilers.gpu_kernel_stages.emit import EVERYTHING, Emitted
from native.compilers.gpu_kernel_stages.pictures import Count, Row
from native.compilers.gpu_kernel_stages.toolchain import Code

MOST = 72
"""Rows of a listing"""
AHEAD = 8
"""Rows before the first multiply-add"""
ALIKE = 3
"""So many lines alike are shown, and the others folded"""
WIDEST = 110
TELLING = {
    "PTX": r"fma\.rn\.f32|ld\.(?:shared|global)[\w.]*|st\.(?:shared|global)[\w.]*|bar\.sync|ex2[\w.]*",
    "SASS": r"FFMA|LDG[\w.]*|LDS[\w.]*|STS[\w.]*|STG[\w.]*|BAR\.SYNC|MUFU\.\w+|LDL\b|STL\b",
}


def loops(kernel: Kernel) -> list[Line]:
    return [Line("  " * each.depth + each.text, each.node) for each in show.kernel(kernel)]


def extent(emitted: Emitted, name: str, together: bool) -> tuple[int, int]:
    """The first line of a kernel in the file, from 1, and the last."""
    texts = [each.text for each in emitted.lines]
    if together:
        first = texts.index(f"  {{ // {name}")
        return first + 1, texts.index("  }", first) + 1
    first = next(at for at, text in enumerate(texts) if "__global__" in text and f" {name}(" in text)
    return first + 1, texts.index("}", first) + 1


def cuda(emitted: Emitted, name: str, together: bool) -> list[Line]:
    first, last = extent(emitted, name, together)
    return list(emitted.lines[first - 1 : last])


def machine(emitted: Emitted, name: str, together: bool, codes: dict[str, list[Code]]) -> list[Line]:
    """Lines of PTX or SASS, each with the node that its line of CUDA C belongs to."""
    first, last = extent(emitted, name, together)
    found = codes[EVERYTHING if together else name]
    if together:
        found = [each for each in found if first <= each.line <= last]
    return [Line(each.text, emitted.lines[each.line - 1].node if each.line else -1) for each in found]


def counts(stage: str, lines: Sequence[Line]) -> list[Count]:
    if stage not in TELLING:
        return []
    names = (re.search(TELLING[stage], each.text) for each in lines)
    return [Count(name, count) for name, count in Counter(each[0] for each in names if each).most_common(8)]


def rows(lines: Sequence[Line], numbers: dict[int, int]) -> list[Row]:
    """Folded where lines are alike, and cut around the first multiply-add."""

    def alike(line: Line) -> tuple[int, str]:
        words = re.sub(r"^[0-9a-f]{4,}\s+", "", line.text.strip()).split()
        return line.node, next((word for word in words if not word.startswith("@")), "")

    found: list[Row] = []
    for _, group in groupby(lines, alike):
        same = list(group)
        most = ALIKE if len(same) > ALIKE + 1 else len(same)
        found += [Row(short(each.text), numbers.get(each.node, -1), 0) for each in same[:most]]
        if most < len(same):
            found.append(Row("", numbers.get(same[0].node, -1), len(same) - most))
    if len(found) <= MOST:
        return found
    at = next((n for n, each in enumerate(found) if re.search(r"FFMA|fma\.rn\.f32", each.text)), 0)
    start = min(max(0, at - AHEAD), len(found) - MOST)
    before, after = found[:start], found[start + MOST :]
    middle = found[start : start + MOST]
    return [*folded(before), *middle, *folded(after)]


def folded(away: list[Row]) -> list[Row]:
    return [Row("", -1, sum(each.more or 1 for each in away))] if away else []


def short(text: str) -> str:
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"

"""Which instructions matter, how many there are of each, and what of a listing is folded away."""

from __future__ import annotations

import re
from collections import Counter
from functools import partial

from native.pytorch.triton_stages.pictures import Count, Row
from native.pytorch.triton_stages.trace import Line

MOST = 72
"""Rows of a listing"""
WIDEST = 100
ALIKE = 3
"""So many lines alike are shown, and the others folded"""

MACHINE = (
    r"mma\.sync|wgmma\.mma_async|tcgen05\.mma",
    r"cp\.async\.c[ag](?=\.)",
    r"(?:ld|st)\.global(?:\.[vb]\d+)*",
    r"shfl\.sync",
    r"ldmatrix|stmatrix",
    r"(?:ld|st)\.shared(?:\.[vb]\d+)*|tcgen05\.(?:ld|st)(?=\.)",
    r"bar\.sync|barrier\.cta\.sync",
)
PATTERNS: dict[str, tuple[str, ...]] = {
    "ttir": (r"tt\.(?:dot|reduce)(?![\w.])", r"tt\.(?:load|store)(?![\w.])"),
    "ttgir": (
        r"tt\.(?:dot|reduce)(?![\w.])|ttng\.(?:warp_group_dot|tc_gen5_mma)(?!\w)",
        r"ttg\.async_copy_global_to_local",
        r"tt\.(?:load|store)(?![\w.])",
        r"ttg\.(?:convert_layout|local_load)|ttng\.tmem_load",
    ),
    "llir": MACHINE,
    "ptx": MACHINE,
    "sass": (
        r"\b(?:HMMA|HGMMA|UTCHMMA)\b",
        r"\bLDGSTS\b",
        r"\b(?:LDG|STG)\.E(?:\.U?\d+)?\b",
        r"\bSHFL\b",
        r"\b(?:LDSM|STSM)\b",
        r"\b(?:LDS|STS|LDTM|STTM)\b",
        r"\bBAR\.SYNC\b",
        r"\b(?:STL|LDL)\b",
    ),
}
"""Of each stage, the most telling first"""


def matter(stage: str, text: str) -> str:
    """The instruction of a line, if it is one of those; else nothing."""
    found = re.search("|".join(PATTERNS[stage]), text)
    return found[0] if found else ""


def counts(stage: str, lines: list[Line]) -> list[Count]:
    found = Counter(name for each in lines if (name := matter(stage, each.text)))
    return [Count(name, found[name]) for name in sorted(found, key=partial(rank, stage))]


def rank(stage: str, name: str) -> tuple[int, str]:
    return next(at for at, each in enumerate(PATTERNS[stage]) if re.match(each.replace("(?=\\.)", ""), name)), name


def rows(stage: str, lines: list[Line], focus: int) -> list[Row]:
    """Folded where lines are alike, and cut around those of the focus."""
    folded: list[Row] = []
    for group in groups(stage, lines):
        most = ALIKE if len(group) > ALIKE + 1 else len(group)
        folded += [Row(short(each.text), each.line, 0) for each in group[:most]]
        if most < len(group):
            folded.append(Row("", group[0].line, len(group) - most))
    return cut(folded, focus)


def groups(stage: str, lines: list[Line]) -> list[list[Line]]:
    """Neighbours from one line of the source that all do the same of what matters, or none of it."""
    found: list[list[Line]] = []
    last = None
    for each in lines:
        key = (each.line, matter(stage, each.text))
        if key == last and not each.text.startswith(("#", "$", ".", "}")):
            found[-1].append(each)
        else:
            found.append([each])
        last = key
    return found


def cut(found: list[Row], focus: int) -> list[Row]:
    if len(found) <= MOST:
        return found
    at = next((n for n, each in enumerate(found) if each.line == focus), 0)
    start = min(max(0, at - MOST // 3), len(found) - MOST)
    before, shown, after = found[:start], found[start : start + MOST], found[start + MOST :]
    return [
        *([Row("", 0, size(before))] if before else []),
        *shown,
        *([Row("", 0, size(after))] if after else []),
    ]


def size(found: list[Row]) -> int:
    """Lines that rows stand for."""
    return sum(each.more or 1 for each in found)


def short(text: str) -> str:
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"

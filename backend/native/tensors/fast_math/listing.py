"""The assembly of a loop, as the compiler writes it: the part that runs once for each number or vector."""

from __future__ import annotations

import re
import textwrap
from functools import cache

from native.models.kernel import KERNELS, made
from native.tensors.fast_math.kernel import ASSEMBLY

LABEL = re.compile(r"^(\.?[\w$.]+):")
PACKED = re.compile(r"%([xyz])mm")
MOST = 40
"""Lines that are shown."""


@cache
def functions(flags: tuple[str, ...]) -> dict[str, list[str]]:
    """By name: instructions and local labels, which are numbered anew, without directives and comments."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in made(ASSEMBLY[flags]).read_text().splitlines():
        text = re.sub(r"\s+", " ", re.split(r"#|//", line)[0]).strip()
        label = LABEL.match(text)
        if label and not label[1].startswith((".L", "L", "$")):
            lines = found.setdefault(label[1], [])
        elif label or (text and not text.startswith(".")):
            lines.append(text)
    return {name: renumbered(lines) for name, lines in found.items()}


def renumbered(lines: list[str]) -> list[str]:
    """Labels that are jumped to are called 1, 2, …; others are left out. So equal code has equal lines."""
    used = {word for line in lines if not LABEL.match(line) for word in re.findall(r"[.\w$]+", line)}
    labels = [found[1] for line in lines if (found := LABEL.match(line)) and found[1] in used]
    names = {label: f".{n}" for n, label in enumerate(labels, 1)}
    kept = [line for line in lines if not (found := LABEL.match(line)) or found[1] in names]
    tables = {
        word: f"const{n}" for n, word in enumerate(dict.fromkeys(re.findall(r"\.LCPI\w+", "\n".join(kept))), 1)
    }
    return [re.sub(r"[.\w$]+", lambda word: (names | tables).get(word[0], word[0]), line) for line in kept]


def hot(lines: list[str]) -> list[str]:
    """The innermost loop that works on the widest vectors; all of a function that has none."""
    ends = loops(lines)
    inner = [one for one in ends.items() if not any(holds(one, other) for other in ends.items())]
    if not inner:
        return lines[:MOST]
    begin, end = max(inner, key=lambda one: width(lines[one[0] : one[1] + 1]))
    return lines[begin : end + 1][:MOST]


def loops(lines: list[str]) -> dict[int, int]:
    """Where each ends, by where it begins."""
    at = {found[1]: n for n, line in enumerate(lines) if (found := LABEL.match(line))}
    ends: dict[int, int] = {}
    for n, line in enumerate(lines):
        target = line.split()[-1]
        if target in at and at[target] <= n and not line.startswith("call"):
            ends[at[target]] = n
    return ends


def repeats(lines: list[str]) -> bool:
    """Whether anything is done for each number: in a loop, or by memcpy, which copies them."""
    return bool(loops(lines)) or any("memcpy" in line for line in lines)


def holds(loop: tuple[int, int], other: tuple[int, int]) -> bool:
    return loop != other and loop[0] <= other[0] and other[1] <= loop[1]


def width(lines: list[str]) -> tuple[int, int]:
    """Of its widest register, and how many instructions it has."""
    wide = max(("xyz".index(each) for line in lines for each in PACKED.findall(line)), default=-1)
    return wide, len(lines)


def fresh(lines: list[str], others: list[str]) -> list[bool]:
    """Which instructions of these the others have none of."""
    known = {line.split()[0] for line in others if line}
    return [not LABEL.match(line) and line.split()[0] not in known for line in lines]


@cache
def source(loop: str) -> str:
    """A loop as it stands in fast_math.c, without its frame."""
    text = (KERNELS / "fast_math.c").read_text()
    found = re.search(rf"^LOOP\({loop}\) \{{\n(.*?)^\}}", text, re.MULTILINE | re.DOTALL)
    assert found, loop
    return textwrap.dedent(found[1]).rstrip()

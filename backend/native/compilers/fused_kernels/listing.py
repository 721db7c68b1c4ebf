"""The loop that a kernel spends its time in, as assembly, each line with the node it works for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from native.models.llvm.assembly import read
from native.models.llvm.targets import Target

MOST = 160  # lines
JUMP = re.compile(r"j\w+ (\.L\w+)|(?:b\.?\w*|cbn?z \w+,) (\.L\w+)")
VECTOR = re.compile(r"%[xyz]mm|\b[vqdsz]\d+\b")


@dataclass(frozen=True)
class Line:
    text: str
    node: int
    """-1 for none."""


def functions(assembly: str) -> dict[str, list[Line]]:
    """The code of each function."""
    found: dict[str, list[Line]] = {}
    rows: list[Line] = []
    for _, row in read(assembly, Target("")):
        name = row.text.rstrip(":").strip('"')
        if row.text.endswith(":") and not name.startswith(".L"):
            rows = found.setdefault(name, [])
        else:
            rows.append(Line(row.text, row.place - 1 if row.place > 0 else -1))
    return found


def hottest(lines: list[Line]) -> list[Line]:
    """The innermost loop with most vectors in it; all lines if there is no loop."""
    labels = {line.text.rstrip(":"): place for place, line in enumerate(lines) if line.text.endswith(":")}
    loops = []
    for place, line in enumerate(lines):
        if (jump := JUMP.match(line.text)) and labels.get(jump[1] or jump[2], place) < place:
            loops.append((labels[jump[1] or jump[2]], place + 1))
    inner = [a for a in loops if not any(a != b and a[0] <= b[0] and b[1] <= a[1] for b in loops)]
    inner.sort(key=lambda loop: sum(bool(VECTOR.search(line.text)) for line in lines[slice(*loop)]))
    return lines[slice(*inner[-1])][:MOST] if inner else lines[:MOST]

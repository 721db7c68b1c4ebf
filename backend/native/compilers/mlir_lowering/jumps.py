"""What loops have become where there are none any more: blocks of code, and jumps back to earlier ones."""

from __future__ import annotations

import re
from dataclasses import dataclass

LABEL = re.compile(r"^\s*(?:\^(bb\d+)|(\d+):|(\$L__\w+):|(?:define|func\.func|llvm\.func|\.visible \.entry)\b)")
JUMP = re.compile(r"(?:\bbr\b|cond_br|\bbra\b)(.*)")
TARGET = re.compile(r"\^(bb\d+)|label %(\d+)|(\$L__\w+)")


@dataclass(frozen=True)
class Block:
    name: str
    """Empty for where a function begins."""
    line: int
    to: list[str]
    """Where it may jump."""
    back: list[str]
    """Those of them that come before: what they jump over is a loop."""


def blocks(text: str) -> list[Block]:
    found: list[Block] = []
    seen: set[str] = set()
    for number, line in enumerate(text.split("\n")):
        if label := LABEL.match(line):
            name = next(filter(None, label.groups()), "")
            if not name:
                seen = set()
            seen.add(name)
            found.append(Block(name, number, [], []))
        if found and (jump := JUMP.search(line)) and not line.lstrip().startswith(";"):
            for parts in TARGET.findall(jump[1]):
                name = next(filter(None, parts))
                found[-1].to.append(name)
                if name in seen:
                    found[-1].back.append(name)
    return found

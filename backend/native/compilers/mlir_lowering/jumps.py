"""What loops have become where there are none any more: blocks of code, and jumps back to earlier ones."""

from __future__ import annotations

import re
from dataclasses import dataclass

LABEL = re.compile(
    r"^\s*(?:\^(bb\d+)|([\w.]+):(?= |$)|(\$L__\w+):|(?:define|func\.func|llvm\.func|\.visible \.entry)\b)"
)
JUMP = re.compile(r"(?:\bbr\b|cond_br|\bbra\b)(.*)")
TARGET = re.compile(r"\^(bb\d+)|label %([\w.]+)|(\$L__\w+)")
SHARED = re.compile(r"\bomp\.loop_nest \(")  # whose blocks are numbered anew


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
    around: list[tuple[str, Block | None]] = []
    """For each open brace what names of blocks ended with before it, and the block that it is in."""
    now, after, shares = None, "", 0
    for number, line in enumerate(text.split("\n")):
        if line.lstrip().startswith("}") and around:
            after, now = around.pop()
        label, shared = LABEL.match(line), SHARED.search(line)
        if line.endswith("{"):
            around.append((after, now))
        if shared:
            shares += 1
            after = f".{shares}"
        if label or shared:
            name = f"omp{after}" if shared else next((each + after for each in label.groups() if each), "")  # type: ignore[union-attr]
            seen = (seen if name else set()) | {name}
            now = Block(name, number, [], [])
            found.append(now)
        if now and (jump := JUMP.search(line)) and not line.lstrip().startswith(";"):
            for parts in TARGET.findall(jump[1]):
                name = next(filter(None, parts)) + after
                now.to.append(name)
                if name in seen:
                    now.back.append(name)
    return found

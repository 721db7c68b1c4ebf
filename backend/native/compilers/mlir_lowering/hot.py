"""The innermost loop of a product as blocks and jumps: what goes from step to step, and what a step does."""

from __future__ import annotations

import re
from dataclasses import dataclass

from native.compilers.mlir_lowering.jumps import Block, blocks

PRODUCT = re.compile(r"fmuladd")
LOAD, STORE = re.compile(r"= (?:llvm\.)?load "), re.compile(r"^\s*(?:llvm\.)?store ")
COPY = re.compile(r"shufflevector")
TILE = re.compile(r"array<(\d+) x vector<(\d+)xf32>>|\[(\d+) x <(\d+) x float>\]")
IN_ALL = re.compile(r"^\s*(?:%\w+ = |llvm\.|store |br )")


@dataclass(frozen=True)
class Hot:
    """Four blocks: what comes before the loop, its head, which asks for a step more, its body, and its exit."""

    before: str
    head: str
    body: str
    behind: str
    rows: int
    """vectors that the body hands to the head for the next step; 0 where the tile is in memory"""
    columns: int
    """numbers of each"""
    lanes: int
    """numbers that a register of the processor holds"""
    loads: int
    stores: int
    copies: int
    """instructions that put one number of A in all lanes"""
    products: int
    """multiply-adds of vectors"""
    others: int
    """instructions that compute addresses and take vectors apart and together"""


def hottest(text: str, lanes: int) -> list[Hot]:
    """The loop with most multiply-adds of vectors; none where nothing jumps back from one."""
    lines, found = text.split("\n"), blocks(text)
    ends = [each.line for each in found[1:]] + [len(lines)]
    inside = {each.name: lines[each.line + 1 : end] for each, end in zip(found, ends, strict=True)}
    looping = [each for each in found if each.back and count(PRODUCT, inside[each.name])]
    if not looping:
        return []
    body = max(looping, key=lambda each: count(PRODUCT, inside[each.name]))
    head = next(each for each in found if each.name == body.back[0])
    before = next(each for each in found if head.name in each.to and each is not body)
    code = inside[body.name]
    all_ = count(IN_ALL, code)
    loads, stores, copies, products = (count(what, code) for what in (LOAD, STORE, COPY, PRODUCT))
    rows, columns = carried([lines[head.line], *inside[head.name]])
    return [
        Hot(
            before.name,
            head.name,
            body.name,
            exit_of(head, body),
            rows,
            columns,
            lanes,
            loads,
            stores,
            copies,
            products,
            all_ - loads - stores - copies - products,
        )
    ]


def exit_of(head: Block, body: Block) -> str:
    return next((each for each in head.to if each != body.name), "")


def count(what: re.Pattern[str], lines: list[str]) -> int:
    return sum(bool(what.search(line)) for line in lines)


def carried(lines: list[str]) -> tuple[int, int]:
    """Rows and columns of the tile that is an argument of a block, or chosen by its phi."""
    for line in lines:
        if (line.lstrip().startswith("^") or " phi " in line) and (found := TILE.search(line)):
            rows, columns = (int(each) for each in found.groups() if each)
            return rows, columns
    return 0, 0

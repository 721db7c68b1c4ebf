"""The control-flow graph of a function: blocks that run from their first instruction to their last.

A block is left by its last instruction alone. Code that nothing leads to is left out, as compilers do.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from labs.models.c.code import Instruction, Routine

LEAVES = ("jump", "branch", "return")


@dataclass(eq=False)
class Block:
    """``body`` holds instructions with their index in the routine."""

    number: int
    body: list[tuple[int, Instruction]] = field(default_factory=list)
    successors: list[Block] = field(default_factory=list)
    predecessors: list[Block] = field(default_factory=list)
    dominator: Block | None = None
    """The last block that every way from the entry to here goes through; the entry has none."""
    frontier: list[Block] = field(default_factory=list)
    """Where what this block dominates ends: the blocks at which another way joins."""

    below: list[Block] = field(default_factory=list)
    """The blocks whose dominator this is."""


def build(routine: Routine) -> list[Block]:
    """The blocks that can be reached, in the order of the program, with dominators and frontiers."""
    blocks = link(cut(routine))
    order = backwards(blocks[0])[::-1]
    reached = set(map(id, order))
    blocks = [block for block in blocks if id(block) in reached]
    for number, block in enumerate(blocks):
        block.number = number
        block.predecessors = [each for each in block.predecessors if id(each) in reached]
    dominate(order)
    return blocks


def cut(routine: Routine) -> list[Block]:
    """At every label, and behind every instruction that leaves."""
    blocks = [Block(0)]
    for index, each in enumerate(routine.body):
        before = blocks[-1].body
        if each.op == "label" and not (before and before[-1][1].op in LEAVES):
            # It falls through; said aloud, so that every block ends in what it does next. A function that begins
            # with a loop gets an entry of its own: nothing may lead back to where arguments come in.
            before.append((-1, replace(each, op="jump")))
        if before and (each.op == "label" or before[-1][1].op in LEAVES):
            blocks.append(Block(len(blocks)))
        blocks[-1].body.append((index, each))
    return blocks


def link(blocks: list[Block]) -> list[Block]:
    labels = {block.body[0][1].label: block for block in blocks if block.body[0][1].op == "label"}
    for block in blocks:
        last = block.body[-1][1]
        ways = {"jump": [last.label], "branch": [last.label, last.other]}.get(last.op, [])
        for way in dict.fromkeys(ways):
            block.successors.append(labels[way])
            labels[way].predecessors.append(block)
    return blocks


def backwards(entry: Block) -> list[Block]:
    """In postorder: each block after all that can only be reached through it."""
    found: list[Block] = []
    seen = {id(entry)}
    path = [(entry, iter(entry.successors))]
    while path:
        block, ways = path[-1]
        following = next((way for way in ways if id(way) not in seen), None)
        if following is None:
            found.append(block)
            path.pop()
        else:
            seen.add(id(following))
            path.append((following, iter(following.successors)))
    return found


def dominate(order: list[Block]) -> None:
    """Cooper, Harvey and Kennedy: walk up from two predecessors until the walks meet, till nothing changes.

    ``order`` is reverse postorder.
    """
    rank = {id(block): n for n, block in enumerate(order)}
    known: dict[int, Block] = {id(order[0]): order[0]}
    changed = True
    while changed:
        changed = False
        for block in order[1:]:
            ways = [each for each in block.predecessors if id(each) in known]
            meet = ways[0]
            for way in ways[1:]:
                while meet is not way:
                    if rank[id(meet)] > rank[id(way)]:
                        meet = known[id(meet)]
                    else:
                        way = known[id(way)]
            if known.get(id(block)) is not meet:
                known[id(block)] = meet
                changed = True
    for block in order[1:]:
        block.dominator = known[id(block)]
        block.dominator.below.append(block)
    for block in order:
        for way in block.predecessors if len(block.predecessors) > 1 else ():
            runner: Block | None = way
            while runner is not None and runner is not block.dominator:
                if block not in runner.frontier:
                    runner.frontier.append(block)
                runner = runner.dominator

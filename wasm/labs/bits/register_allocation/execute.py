"""Runs code over names or registers, and counts what it costs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from labs.bits.register_allocation.flat import Block, Line
from labs.models.c.arithmetic import COMPARE, convert, integer
from labs.models.c.memory import Fault

MOST = 100_000  # lines


@dataclass(frozen=True)
class Outcome:
    result: int | None
    trouble: str
    """Why there is no result."""
    executed: int
    memory: int
    """Loads and stores."""
    moves: int


def execute(blocks: list[Block], arguments: list[int]) -> Outcome:
    """From the first line to a return, a fault, or ``MOST`` lines."""
    holds: dict[str, int] = defaultdict(int)
    memory: dict[int, int] = defaultdict(int)
    executed = touched = moves = 0
    block = blocks[0]
    while True:
        for line in block.lines:
            executed += 1
            if executed > MOST:
                return Outcome(None, f"it does not end within {MOST:,} lines", executed, touched, moves)
            touched += line.op in ("load", "store")
            moves += line.op == "move"
            values = [each if isinstance(each, int) else holds[each] for each in line.operands]
            match line.op:
                case "return":
                    return Outcome(values[0] if values else None, "", executed, touched, moves)
                case "jump":
                    block = blocks[block.successors[0]]
                case "branch":
                    block = blocks[block.successors[0 if values[0] else -1]]
                case "store":
                    memory[line.slot] = values[0]
                case "load":
                    holds[line.result] = memory[line.slot]
                case "argument":
                    holds[line.result] = line.made.wrap(arguments[line.slot])
                case _:
                    try:
                        holds[line.result] = compute(line, values)
                    except Fault as fault:
                        return Outcome(None, str(fault), executed, touched, moves)


def compute(line: Line, values: list[int]) -> int:
    if line.op == "move":
        return values[0]
    if line.op == "convert":
        return int(convert(values[0], line.type, line.made))
    if line.op == "negate":
        return integer("-", 0, values[0], line.type)
    if line.op == "invert":
        return line.type.wrap(~values[0])
    if line.op in COMPARE:
        return int(COMPARE[line.op](values[0], values[1]))
    return integer(line.op, values[0], values[1], line.type)

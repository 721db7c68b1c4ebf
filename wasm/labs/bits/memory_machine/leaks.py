"""What was never freed, and that no pointer of the program leads to any more when it ends."""

from __future__ import annotations

from labs.models.c.machine import Machine
from labs.models.c.memory import Block


def leaked(machine: Machine) -> list[Block]:
    living = machine.memory.living("heap")
    reached: set[int] = set()
    todo = [block for block in machine.memory.blocks if block.segment in ("constants", "variables")]
    while todo:
        for target in todo.pop().origins.values():
            if target.segment == "heap" and target.number not in reached:
                reached.add(target.number)
                todo.append(target)
    return [block for block in living if block.number not in reached]

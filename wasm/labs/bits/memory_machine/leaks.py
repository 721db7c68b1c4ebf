"""What was never freed, and that no pointer of the program leads to any more when it ends."""

from __future__ import annotations

from labs.models.c.machine import Machine
from labs.models.c.memory import Block


def leaked(machine: Machine) -> list[Block]:
    living = machine.memory.living("heap")
    reached: set[int] = set()
    # After exit the calls are still there, and what their variables point to can still be found.
    todo = [block for block in machine.memory.blocks if block.segment in ("constants", "variables")]
    todo += [block for frame in machine.frames for block in frame.blocks.values() if block.state == "live"]
    while todo:
        for target in todo.pop().origins.values():
            if target.segment == "heap" and target.state == "live" and target.number not in reached:
                reached.add(target.number)
                todo.append(target)
    return [block for block in living if block.number not in reached]

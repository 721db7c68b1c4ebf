"""The code rewritten: names in memory for those that got no register, and registers for the others."""

from __future__ import annotations

from dataclasses import replace

from labs.bits.register_allocation.flat import Block, Line


def spill(blocks: list[Block], groups: list[list[str]], first_slot: int) -> list[Block]:
    """Each group of names gets one place in memory: read before every use, written behind every setting."""
    slots = {name: first_slot + n for n, names in enumerate(groups) for name in names}
    count = sum(line.temporary for block in blocks for line in block.lines)  # each has a name of its own

    def fresh(name: str) -> str:
        nonlocal count
        count += 1
        return f"{name.partition('_')[0]}~{count}"

    made = []
    for block in blocks:
        lines: list[Line] = []
        for line in block.lines:
            source = line.operands[0] if line.operands else None
            if line.op == "move" and isinstance(source, str) and slots.get(source, -1) == slots.get(line.result):
                continue  # both are the same place
            names = {}
            for name in dict.fromkeys(line.uses):
                if name in slots:
                    names[name] = fresh(name)
                    lines.append(Line("load", names[name], (), place=line.place, slot=slots[name], temporary=True))
            operands = tuple(names.get(each, each) if isinstance(each, str) else each for each in line.operands)
            if line.result not in slots:
                lines.append(replace(line, operands=operands))
                continue
            result = fresh(line.result)
            lines.append(replace(line, operands=operands, result=result))
            slot = slots[line.result]
            lines.append(Line("store", "", (result,), place=line.place, slot=slot, temporary=True))
        made.append(replace(block, lines=tuple(lines)))
    return made


def assign(blocks: list[Block], names: dict[str, str]) -> list[Block]:
    """Registers in place of names; a move from a register to itself goes."""
    made = []
    for block in blocks:
        lines = [line.renamed(names) for line in block.lines]
        kept = [each for each in lines if not (each.op == "move" and each.operands == (each.result,))]
        made.append(replace(block, lines=tuple(kept)))
    return made

"""Static single assignment: every variable whose address stays at home becomes values, each computed in one place.

A load of such a variable is the value it last got, a store gives it a new one, and where two ways meet with two
values a phi says which comes from where. Phis are placed on the frontiers of the blocks that store (Cytron and
others, 1991), and only where the variable is read again before it is written: the pruned form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from labs.models.c import types
from labs.models.c.code import Address, Instruction, Operand, Routine, Slot, Temporary
from labs.models.c.graph import Block, build


@dataclass(frozen=True)
class Version(Temporary):
    """A value that the program has a name for: ``i_2`` is the second that ``i`` gets."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Undefined:
    """What a variable holds before anything was stored in it."""

    type: types.Type

    def __str__(self) -> str:
        return "undefined"


Value = Operand | Undefined


@dataclass
class Phi:
    """At the start of a block: the value that belongs to the block we came from."""

    result: Temporary
    slot: Slot
    sources: dict[int, Value] = field(default_factory=dict)
    """By the number of the block before."""

    def __str__(self) -> str:
        inside = ", ".join(f"B{number}: {value}" for number, value in self.sources.items())
        return f"{self.result} = phi({inside})"


@dataclass
class Form:
    """A function in SSA form. ``bodies`` and ``phis`` are by the number of the block."""

    routine: Routine
    blocks: list[Block]
    promoted: list[Slot]
    phis: list[list[Phi]]
    bodies: list[list[tuple[int, Instruction]]]
    arguments: dict[str, Temporary]
    """The value with which a promoted parameter begins, by the key of its slot."""


def convert(routine: Routine) -> Form:
    return Builder(routine).form()


def promotable(routine: Routine) -> list[Slot]:
    """Numbers and pointers that are always loaded and stored whole: no pointer can reach them."""
    keep = {slot.key: slot for slot in routine.slots if types.is_scalar(slot.type)}
    for each in routine.body:
        for n, operand in enumerate(each.operands):
            if isinstance(operand, Address) and operand.local and operand.of in keep:
                whole = each.op in ("load", "store") and each.type == keep[operand.of].type
                if n or not whole:
                    del keep[operand.of]
    return list(keep.values())


class Builder:
    def __init__(self, routine: Routine) -> None:
        self.routine, self.blocks = routine, build(routine)
        self.slots = {slot.key: slot for slot in promotable(routine)}
        self.count = max((each.result.number for each in routine.body if each.result), default=0)
        self.values: dict[int, Value] = {}  # of temporaries that were loads
        self.names: dict[int, tuple[str, types.Type]] = {}  # of the values that a variable gets, by number
        self.phis: list[dict[str, Phi]] = [{} for _ in self.blocks]
        self.bodies: list[list[tuple[int, Instruction]]] = [[] for _ in self.blocks]
        self.arguments = {s.key: self.new(s.type) for s in self.slots.values() if s.parameter}

    def form(self) -> Form:
        self.place()
        for key, argument in self.arguments.items():
            self.name(argument, key)
        self.rename()
        self.drop_copies()
        return self.finish()

    def new(self, kind: types.Type) -> Temporary:
        self.count += 1
        return Temporary(self.count, kind)

    # -- where phis stand ------------------------------------------------------------------------------

    def place(self) -> None:
        alive = self.alive()
        for key, slot in self.slots.items():
            work = [block for block in self.blocks if any(self.written(each) == key for _, each in block.body)]
            if slot.parameter:
                work.append(self.blocks[0])
            while work:
                for meet in work.pop().frontier:
                    if key not in self.phis[meet.number] and key in alive[meet.number]:
                        self.phis[meet.number][key] = Phi(self.new(slot.type), slot)
                        work.append(meet)

    def alive(self) -> list[set[str]]:
        """By block: the variables that are read there or later before they are written."""
        reads: list[set[str]] = []
        writes: list[set[str]] = []
        for block in self.blocks:
            read, written = set[str](), set[str]()
            for _, each in block.body:
                if (key := self.loaded(each)) and key not in written:
                    read.add(key)
                if key := self.written(each):
                    written.add(key)
            reads.append(read)
            writes.append(written)
        alive = [set(read) for read in reads]
        work = list(self.blocks)
        while work:
            block = work.pop()
            after = set[str]().union(*(alive[each.number] for each in block.successors))
            now = reads[block.number] | (after - writes[block.number])
            if now != alive[block.number]:
                alive[block.number] = now
                work += block.predecessors
        return alive

    def loaded(self, it: Instruction) -> str:
        return self.variable(it) if it.op == "load" else ""

    def written(self, it: Instruction) -> str:
        """The variable that gets a value here, or forgets the one it had."""
        if it.op in ("live", "dead"):
            return it.name if it.name in self.slots else ""
        return self.variable(it) if it.op == "store" else ""

    def variable(self, it: Instruction) -> str:
        address = it.operands[0]
        return address.of if isinstance(address, Address) and address.local and address.of in self.slots else ""

    # -- which value a variable has --------------------------------------------------------------------

    def rename(self) -> None:
        """Down the tree of dominators: children begin with what variables hold at the end of their parent."""
        start: dict[str, Value] = {key: Undefined(slot.type) for key, slot in self.slots.items()}
        work: list[tuple[Block, dict[str, Value]]] = [(self.blocks[0], start | self.arguments)]
        while work:
            block, holds = work.pop()
            for key, phi in self.phis[block.number].items():
                holds[key] = phi.result
                self.name(phi.result, key)
            for index, each in block.body:
                self.one(block, index, each, holds)
            for following in block.successors:
                for key, phi in self.phis[following.number].items():
                    phi.sources[block.number] = holds[key]
            work += [(child, dict(holds)) for child in reversed(block.below)]

    def one(self, block: Block, index: int, it: Instruction, holds: dict[str, Value]) -> None:
        if it.op == "load" and (key := self.loaded(it)):
            assert it.result
            self.values[it.result.number] = holds[key]
        elif it.op == "store" and (key := self.written(it)):
            value = self.resolve(it.operands[1])
            holds[key] = value
            if isinstance(value, Temporary):
                self.name(value, key)
        elif it.op in ("live", "dead") and it.name in self.slots:
            holds[it.name] = Undefined(self.slots[it.name].type)
        elif it.op not in ("live", "dead", "constant", "statement", "label"):
            self.bodies[block.number].append((index, it))

    def name(self, value: Temporary, key: str) -> None:
        """The first variable that gets a value names it; one that the program does not name gives no name."""
        if self.slots[key].name:
            self.names.setdefault(value.number, (key, value.type))

    def resolve(self, operand: Value) -> Value:
        while isinstance(operand, Temporary) and operand.number in self.values:
            found = self.values[operand.number]
            # The same bits may be seen as another type, as a pointer of another kind.
            operand = replace(found, type=operand.type) if found.type != operand.type else found
        return operand

    def drop_copies(self) -> None:
        """A phi all of whose sources are one value, or itself, is that value; removing one may free another."""
        changed = True
        while changed:
            changed = False
            for phis in self.phis:
                for key, phi in list(phis.items()):
                    others = {v for v in map(self.resolve, phi.sources.values()) if v != phi.result}
                    if len(others) == 1 and not isinstance(value := others.pop(), Undefined):
                        self.values[phi.result.number] = value
                        del phis[key]
                        changed = True

    # -- names -----------------------------------------------------------------------------------------

    def finish(self) -> Form:
        versions: dict[int, str] = {}
        counts: Counter[str] = Counter()
        for number in self.defined():
            if number in self.names:
                key = self.names[number][0]
                counts[key] += 1
                versions[number] = f"{key}_{counts[key]}"

        def shown(operand: Value) -> Value:
            found = self.resolve(operand)
            if isinstance(found, Temporary) and found.number in versions:
                return Version(found.number, found.type, versions[found.number])
            return found

        def named(each: Instruction) -> Instruction:
            result = shown(each.result) if each.result else None
            return replace(each, result=result, operands=tuple(map(shown, each.operands)))  # type: ignore[arg-type]

        return Form(
            self.routine, self.blocks, list(self.slots.values()),
            [[Phi(shown(p.result), p.slot, {n: shown(v) for n, v in sorted(p.sources.items())})  # type: ignore[arg-type]
              for p in phis.values()] for phis in self.phis],
            [[(index, named(each)) for index, each in body] for body in self.bodies],
            {key: shown(value) for key, value in self.arguments.items()},  # type: ignore[misc]
        )  # fmt: skip

    def defined(self) -> Iterator[int]:
        """The numbers of all values, in the order in which they stand."""
        yield from (value.number for value in self.arguments.values())
        for phis, body in zip(self.phis, self.bodies, strict=True):
            yield from (phi.result.number for phi in phis.values())
            yield from (each.result.number for _, each in body if each.result)

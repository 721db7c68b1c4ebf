"""A kernel as phases: the turns of a parallel loop are shared by threads, what lies between them is done by one.

Accumulators that live longer than a phase are handed on: each piece of a phase leaves its part in a place of its
own, and a later reader joins all parts in one order: a result does not depend on who was faster.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from labs.models.fusing.accesses import accesses
from labs.models.fusing.loops import (
    Buffer,
    Kernel,
    Let,
    Loop,
    Product,
    Start,
    Statement,
    Update,
    statements,
)

from native.models.compiler import products, sums
from native.models.compiler.loops import Maker
from native.models.compiler.product_kernel import strips
from native.models.compiler.work import shareable
from native.models.compiler.writer import MEMORY, SIZES, Writer

PIECES = 4
"""For each thread, so that one that is late does not keep the others waiting for long."""
STACK = 1 << 16
"""Bytes of a local buffer that lies on the stack; a larger one is asked for."""
PARTS = ".parts"
X86 = ("x86_64", "AMD64")
ATTRIBUTES = 'attributes #0 = { nounwind "prefer-vector-width"="512" "min-legal-vector-width"="512" }'


@dataclass(frozen=True)
class Machine:
    register: int
    """Bytes of a vector register."""
    scales: bool
    """Whether it multiplies vectors by powers of two."""
    threads: int = 1
    worth: float = 4e5
    """Operations from which on a loop is shared by threads."""
    cache: int = 1 << 25
    """Bytes; a kernel that touches more writes around them, and asks ahead for what it reads."""
    around: bool = True
    ahead: int = 2048
    """Bytes; with less, chains with a sigmoid left a tenth of the bandwidth unused."""
    large: int = 1 << 24
    """Bytes of a result from which on it asks for large pages."""


@dataclass
class Phase:
    name: str
    turns: int
    pieces: int
    text: str
    declared: set[str]
    notes: list[str]
    """What the module says of places in the program."""


@dataclass
class Handed:
    """Parts of an accumulator: where they begin among the parts of all, and from how many pieces they come."""

    begin: int
    pieces: int


@dataclass
class Cutter:
    """Writes the functions of one kernel. ``buffers`` are its own and what it needs besides."""

    kernel: Kernel
    machine: Machine
    slots: dict[str, int]
    """Where the address of each buffer stands in the list that functions get."""
    scope: int = 0
    """Number of the first place in the program, for readers of assembly; 0 for none."""
    buffers: dict[str, Buffer] = field(default_factory=dict)
    done: list[tuple[Statement, ...]] = field(default_factory=list)
    handed: dict[str, list[Handed]] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    """Local buffers that carry something from phase to phase."""
    room: int = 0

    def __post_init__(self) -> None:
        own = handed_over(groups(self.kernel.body, self.machine))
        shared = [
            replace(each, role="temporary") if each.name in own and each.role == "local" else each
            for each in self.kernel.buffers
        ]
        self.buffers = {each.name: each for each in (*shared, Buffer(PARTS, "f64", 0, "temporary"))}
        self.hidden = own & {each.name for each in self.kernel.buffers if each.role == "local"}

    def phases(self) -> Iterator[Phase]:
        for number, group in enumerate(groups(self.kernel.body, self.machine)):
            name = f"{self.kernel.name}.{number}"
            yield from self.packing(group, name)
            lone = group[0]
            shared = isinstance(lone, Loop) and shareable(lone, self.machine.threads, self.machine.worth)
            turns = lone.extent if isinstance(lone, Loop) and shared else 1
            pieces = min(turns, PIECES * self.machine.threads) if shared else 1
            yield self.phase(name, group, turns, pieces, shared)
            self.done.append(group)
        self.buffers[PARTS] = Buffer(PARTS, "f64", self.room, "temporary")

    def packing(self, group: tuple[Statement, ...], name: str) -> Iterator[Phase]:
        """A phase for each right side of a product that stays the same, and room for all that is copied."""
        for number, each in enumerate(products.found(group, self.buffers)):
            blocks, right, same = products.rooms(each, products.types(each, self.buffers))
            if right.name in self.buffers:
                continue
            self.buffers |= {room.name: room for room in (*blocks, right)}
            if same:
                maker = self.maker()
                products.pack(maker, each, "%from", "%to")
                turns = strips(each.columns)
                worth = self.machine.threads > 1 and each.columns * each.depth > self.machine.worth
                pieces = min(turns, PIECES * self.machine.threads) if worth else 1
                yield self.function(f"{name}.pack{number}", maker.w, turns, pieces)

    def maker(self) -> Maker:
        machine = self.machine
        beyond = 4 * sum(each.size for each in self.kernel.buffers if each.role != "local") > machine.cache
        w = Writer(scales=machine.scales, scope=self.scope)
        around, ahead = beyond and machine.around, beyond * machine.ahead
        return Maker(w, self.buffers, machine.register, around, ahead)

    def phase(self, name: str, group: tuple[Statement, ...], turns: int, pieces: int, shared: bool) -> Phase:
        maker = self.maker()
        updated = {each.names[0] for each in statements(group) if isinstance(each, Update)}
        live = self.replay(maker, updated if shared else set())
        if shared:
            assert isinstance(group[0], Loop)
            maker.prepare(group[0])
            maker.turns(group[0], "%from", "%to")
            for it in live.values():
                sums.joined(maker.w, it)
        else:
            maker.body(group, list(live.values()))
        live |= {name: it for name, (it, part) in maker.totals.items() if part == 0 and it.loop is None}
        for first, it in live.items():
            if first in updated and any(first in each.names for each in self.top(group)):
                self.hand_on(maker.w, it, pieces, shared)
        if maker.around:
            maker.w.say("fence release")
            if platform.machine() in X86:  # there stores around the caches are ordered by this alone
                maker.w.declared.add("declare void @llvm.x86.sse.sfence()")
                maker.w.say("call void @llvm.x86.sse.sfence()")
        return self.function(name, maker.w, turns, pieces)

    def top(self, group: tuple[Statement, ...]) -> list[Start]:
        return [each for body in (*self.done, group) for each in body if isinstance(each, Start)]

    def replay(self, maker: Maker, anew: set[str]) -> dict[str, sums.Sum]:
        """What earlier phases named at the top: numbers again, and accumulators from their parts or ``anew``."""
        live: dict[str, sums.Sum] = {}
        for each in (each for group in self.done for each in group):
            if isinstance(each, Let):
                maker.statement(each)
            elif isinstance(each, Start):
                it = live[each.names[0]] = maker.start(each)
                for parts in self.handed.get(each.names[0], []) if each.names[0] not in anew else []:
                    maker.counted(0, parts.pieces, 1, partial(self.take, maker.w, it, parts))
        return live

    def take(self, w: Writer, it: sums.Sum, parts: Handed, piece: str | int) -> None:
        values = []
        for part in range(len(it.start.names)):
            where = self.place(w, parts, part, piece)
            values.append(w.put(f"load {it.kind}, ptr {where}, align 8", it.kind))
        sums.update(w, it, it.whole, values, None)

    def hand_on(self, w: Writer, it: sums.Sum, pieces: int, shared: bool) -> None:
        parts = Handed(self.room, pieces)
        self.room += pieces * len(it.start.names)
        for part, value in enumerate(sums.read(w, it, it.whole)):
            w.say(f"store {value}, ptr {self.place(w, parts, part, '%piece' if shared else 0)}, align 8")
        name = it.start.names[0]
        self.handed[name] = [*self.handed.get(name, []), parts] if shared else [parts]

    def place(self, w: Writer, parts: Handed, part: int, piece: str | int) -> str:
        where = w.affine([(piece, 1)], parts.begin + part * parts.pieces)
        return w.put(f'getelementptr double, ptr %"{PARTS}", i64 {where}', "ptr").name

    def function(self, name: str, w: Writer, turns: int, pieces: int) -> Phase:
        """With the addresses of buffers as parameters that do not overlap; and the one that threads call, which
        takes them from a list."""
        own = [each for each in self.buffers.values() if each.role == "local"]
        given = [each for each in self.buffers.values() if each.role != "local"]
        head, tail = [], []
        for each in own:
            size = -(-each.size * SIZES[MEMORY[each.dtype]] // 64) * 64
            if size <= STACK:
                head.append(f'  %"{each.name}" = alloca [{size} x i8], align 64')
            else:
                w.declared |= {"declare ptr @aligned_alloc(i64, i64)", "declare void @free(ptr)"}
                head.append(f'  %"{each.name}" = call ptr @aligned_alloc(i64 64, i64 {size})')
                tail.append(f'  call void @free(ptr %"{each.name}")')
        lines = [line for part in w.lines for line in ([part] if isinstance(part, str) else part)]
        takes = ", ".join(f'ptr noalias %"{each.name}"' for each in given)
        place = f" !dbg !{self.scope}" if self.scope else ""
        body = [
            f'define internal void @"{name}.body"({takes}, i64 %from, i64 %to, i64 %piece) noinline #0{place} {{',
            "entry:",
            *w.entry,
            *head,
            *lines,
            *tail,
            "  ret void",
            "}",
            f'define void @"{name}"(ptr %buffers, i64 %from, i64 %to, i64 %piece) #0 {{',
        ]
        for place_, each in enumerate(given):
            slot = self.slots.setdefault(self.key(each), len(self.slots))
            body.append(f"  %p{place_} = getelementptr ptr, ptr %buffers, i64 {slot}")
            body.append(f"  %a{place_} = load ptr, ptr %p{place_}")
        passed = ", ".join(f"ptr %a{place_}" for place_ in range(len(given)))
        body += [f'  call void @"{name}.body"({passed}, i64 %from, i64 %to, i64 %piece)', "  ret void", "}"]
        notes = self.notes(name) if self.scope else []
        return Phase(name, turns, pieces, "\n".join(body), w.declared, notes)

    def notes(self, name: str) -> list[str]:
        """Line 2 stands for node 0, and line 1 for none."""
        here = self.scope
        nodes = max((getattr(each, "node", 0) for each in statements(self.kernel.body)), default=0)
        function = f'name: "{name}", file: !4, line: 1, type: !5, unit: !1, spFlags: DISPFlagDefinition'
        self.scope += nodes + 3
        return [
            f"!{here} = distinct !DISubprogram({function})",
            *(f"!{here + 1 + n} = !DILocation(line: {n + 1}, column: 1, scope: !{here})" for n in range(nodes + 2)),
        ]

    def key(self, it: Buffer) -> str:
        """Its name in the whole program."""
        own = it.name.startswith(".") or it.name in self.hidden
        return f"{self.kernel.name}.{it.name}" if own else it.name

    def extra(self) -> list[tuple[int, Buffer]]:
        """Buffers that the program does not know of, and where their addresses stand."""
        given = [each for each in self.buffers.values() if each.role != "local" and self.key(each) != each.name]
        return [(self.slots[self.key(each)], each) for each in given]


def handed_over(parts: list[tuple[Statement, ...]]) -> set[str]:
    """Buffers that are read in a phase which does not write them: threads share these, and have no own."""
    found: set[str] = set()
    for group in parts:
        read = {name for name, _, writes in accesses(group) if not writes}
        written = {name for name, _, writes in accesses(group) if writes}
        for each in statements(group):
            if isinstance(each, Product):
                read |= {each.left.buffer, each.right.buffer}
                written.add(each.out.buffer)
        found |= read - written
    return found


def groups(body: tuple[Statement, ...], machine: Machine) -> list[tuple[Statement, ...]]:
    """Each loop that is shared is a group of its own."""
    found: list[list[Statement]] = [[]]
    for each in body:
        if isinstance(each, Loop) and shareable(each, machine.threads, machine.worth):
            found += [[each], []]
        else:
            found[-1].append(each)
    return [tuple(group) for group in found if group]

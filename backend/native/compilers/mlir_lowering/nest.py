"""Loops and what they read and write, found in the text of a module; and how often all of it happens."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Literal

from native.compilers.mlir_lowering.bounds import Bound, Linear, linear, maps
from native.compilers.mlir_lowering.operands import extent_of, names_in, shapes_of, split

Kind = Literal["loop", "tile", "vector", "parallel", "reduction", "grid", "threads", "work", "block"]
NAME = r"(%[\w#]+)"
FOR = re.compile(
    r"(?:affine|scf)\.for " + NAME + r" = (.+?) to (.+?)(?: step (\S+))?(?: iter_args.*)? (?:: \w+ )?\{$"
)
PARALLEL = re.compile(
    r"(?:scf\.parallel|omp\.loop_nest) \((.+?)\)(?: : \w+)? = \((.+?)\) to \((.+?)\) step \((.+?)\)"
)
FORALL = re.compile(r"scf\.forall \((.+?)\) in \((.+?)\)")
LAUNCH = re.compile(r"gpu\.launch blocks\((.+?)\) in \((.+?)\) threads\((.+?)\) in \((.+?)\)")
LAUNCH_FUNC = re.compile(r"gpu\.launch_func +\S*?@(\w+)::@\w+ blocks in \((.+?)\) threads in \((.+?)\)")
GENERIC = re.compile(r"linalg\.generic \{indexing_maps = \[(.+?)\], iterator_types = \[(.*?)\]\}")
NAMED = re.compile(r"(linalg\.(?!yield|index)\w+|torch\.aten\.[\w.]+|tensor\.(?:expand|collapse)_shape)\b")
READ = re.compile(r"(?:affine|memref|vector)\.(?:load|transfer_read|vector_load|maskedload) (%\w+)\[(.*?)\]")
WRITE = re.compile(r"(?:affine\.store|memref\.store|vector\.transfer_write|vector\.store) %[\w#]+, (%\w+)\[(.*?)\]")
FLOATS = re.compile(r"(arith\.(addf|subf|mulf|divf|maximumf|minimumf|cmpf|negf)|math\.\w+)\b.*f(32|64)")
LANES = re.compile(r"vector<(\d+)x")
CONSTANT = re.compile(NAME + r" = arith\.constant (-?\d+) : index")
SUM = re.compile(NAME + r" = arith\.(addi|subi|muli|minsi) (%\w+), (%\w+)")
APPLY = re.compile(NAME + r" = affine\.apply (#map\d*)\((.*?)\)")
UNITS = {"grid": "blocks", "threads": "threads"}
PLAIN = re.compile(r"(int|float|true|false|none|str|cst)")  # names of what is no tensor


@dataclass(frozen=True)
class Access:
    buffer: str
    index: str
    lanes: int = 1

    def __str__(self) -> str:
        return f"{self.buffer}[{self.index}]" if self.index else self.buffer


@dataclass
class Node:
    """A loop, or an operation on whole tensors, with what stands directly in it."""

    kind: Kind
    name: str
    line: int
    lower: Bound | None = (Linear(0),)
    upper: Bound | None = (Linear(1),)
    step: int = 1
    reads: list[Access] = field(default_factory=list)
    writes: list[Access] = field(default_factory=list)
    floats: int = 0
    """Operations on floats, lanes counted."""
    inside: list[Node] = field(default_factory=list)

    @property
    def extent(self) -> int | None:
        """Trips around it, where that hangs on no other loop; the most, where the last ones are cut short."""
        found = [low_high for low_high in self.spans() if not low_high.of]
        return max(0, math.ceil(min(each.constant for each in found) / self.step)) if found else None

    def spans(self) -> list[Linear]:
        if not self.lower or not self.upper:
            return []
        return [high.plus(low, -1) for low in self.lower for high in self.upper]


def nest(text: str) -> list[Node]:
    """The loops of a module, outermost first, and the operations beside them."""
    return Reader(text).read()


class Reader:
    def __init__(self, text: str) -> None:
        self.lines, self.maps = text.split("\n"), maps(text)
        self.names: dict[str, Linear] = {}
        self.least: dict[str, Bound] = {}
        """Of names that stand for the least of several numbers."""
        self.results: dict[str, Access] = {}
        """What stands for an element of a result in the operation on tensors that is open."""
        self.stack: list[list[Node]] = []
        """For each open brace the loops that it opened, outermost first; mostly one or none."""
        self.top: list[Node] = []

    def read(self) -> list[Node]:
        for number, raw in enumerate(self.lines):
            line = raw.strip()
            if line.startswith("}"):
                self.stack.pop()
                line = line[1:].strip()
            opened = self.opened(line, number)
            for each in opened:
                self.place(each, opened)
            if line.endswith("{"):
                self.stack.append(opened)
            elif not opened:
                self.note(line, number)
        return self.top

    def place(self, node: Node, opened: list[Node]) -> None:
        """Into the innermost loop that is open, or into the one before it of the same line."""
        before = opened.index(node)
        if before:
            opened[before - 1].inside.append(node)
        elif inner := self.inner():
            inner.inside.append(node)
        else:
            self.top.append(node)

    def inner(self) -> Node | None:
        return next((nodes[-1] for nodes in reversed(self.stack) if nodes), None)

    def opened(self, line: str, number: int) -> list[Node]:
        """The loops that a line opens."""
        if found := FOR.search(line):
            return [self.loop("loop", found[1], found[2], found[3], found[4] or "1", number)]
        if found := PARALLEL.search(line):
            names, lows, highs, steps = (split(each) for each in found.groups())
            parts = zip(names, lows, highs, steps, strict=True)
            return [self.loop("parallel", *each, number) for each in parts]
        if found := FORALL.search(line):
            pairs = zip(split(found[1]), split(found[2]), strict=True)
            return [self.loop("parallel", name, "0", high, "1", number) for name, high in pairs]
        if found := LAUNCH.search(line):
            return self.launch(found[2], found[4], number)
        if found := LAUNCH_FUNC.search(line):
            return self.launch(found[2], found[3], number, found[1])
        if found := GENERIC.search(line):
            return self.generic(line, found[1], found[2], number)
        return []

    def loop(self, kind: Kind, name: str, lower: str, upper: str, step: str, number: int) -> Node:
        self.names[name] = Linear(0, {name: 1})
        low, high, by = self.bound(lower), self.bound(upper), self.value(step)
        return Node(kind, name, number, low, high, by.constant if by and not by.of else 1)

    def launch(self, grid: str, threads: str, number: int, name: str = "") -> list[Node]:
        """A grid of blocks and the threads of a block, each as one loop of as many trips."""
        kinds: tuple[tuple[Kind, str], ...] = (("grid", grid), ("threads", threads))
        nodes = []
        for kind, text in kinds:
            sizes = [self.value(each.split("=")[-1].strip()) for each in split(text)]
            numbers = [each.constant if each else 1 for each in sizes]
            while len(numbers) > 1 and numbers[-1] == 1:
                numbers.pop()
            shown = " × ".join(map(str, numbers))
            label = f"{name}: {shown} blocks" if kind == "grid" and name else f"{shown} {UNITS[kind]}"
            nodes.append(Node(kind, label, number, (Linear(0),), (Linear(math.prod(numbers)),)))
        return nodes

    def generic(self, line: str, named: str, iterators: str, number: int) -> list[Node]:
        """An operation that spells out its indices: a loop for each dimension, and the work inside."""
        used = [self.maps[each] for each in split(named)]
        operands, shapes = [*names_in(line, "ins("), *names_in(line, "outs(")], shapes_of(line)
        kinds: list[Kind] = ["parallel" if "parallel" in each else "reduction" for each in split(iterators)]
        nodes = []
        for at, kind in enumerate(kinds):
            size = extent_of(f"d{at}", used, shapes)
            nodes.append(Node(kind, f"d{at}", number, (Linear(0),), (Linear(size),) if size else None))
        nodes = [each for each in nodes if each.extent != 1]
        nodes = nodes or [Node("parallel", "d0", number)]
        accesses = [Access(name, ", ".join(each.results)) for name, each in zip(operands, used, strict=True)]
        given = len(names_in(line, "ins("))
        nodes[-1].reads = [each for each in accesses[:given] if each.index]
        nodes[-1].writes = accesses[given:]
        return nodes

    def note(self, line: str, number: int) -> None:
        """What a line without loops does."""
        self.define(line)
        inner = self.inner()
        if inner and line.startswith("^bb0"):
            names = re.findall(r"(%\w+):", line)[-len(inner.writes) :]
            self.results = dict(zip(names, inner.writes, strict=True))
        elif inner and not line.startswith("linalg.yield"):
            used = (self.results.get(name) for name in re.findall(r"%\w+", line))
            inner.reads += [each for each in used if each and each not in inner.reads]
        lanes = int(found[1]) if (found := LANES.search(line)) else 1
        if found := READ.search(line):
            access = Access(found[1][1:], self.shown(found[2]), lanes if "permutation_map" not in line else 1)
            self.into(number).reads.append(access)
        elif found := WRITE.search(line):
            self.into(number).writes.append(Access(found[1][1:], self.shown(found[2]), lanes))
        elif FLOATS.search(line) and inner:
            inner.floats += lanes
        elif found := NAMED.search(line):
            given = names_in(line, "ins(") or re.findall(r"%(\w+)", line.partition(found[1])[2])
            outs = names_in(line, "outs(") or re.findall(r"^%(\w+)", line)
            node = Node("work", found[1], number)
            node.reads = [Access(each, "") for each in given if not PLAIN.match(each)]
            node.writes = [Access(each, "") for each in outs]
            (inner.inside if inner else self.top).append(node)

    def into(self, number: int) -> Node:
        """The loop that an access stands in; one outside of all loops is work that happens once."""
        if inner := self.inner():
            return inner
        if not self.top or self.top[-1].kind != "work" or self.top[-1].name:
            self.top.append(Node("work", "", number))
        return self.top[-1]

    def define(self, line: str) -> None:
        for name in re.findall(r"^(%\w+) = ", line):  # numbers are given anew in each loop
            self.names.pop(name, None)
            self.least.pop(name, None)
        if found := CONSTANT.match(line):
            self.names[found[1]] = Linear(int(found[2]))
        elif found := SUM.match(line):
            name, what, one, two = found[1], found[2], self.value(found[3]), self.value(found[4])
            if what == "minsi":
                both = self.bound(found[3]), self.bound(found[4])
                if both[0] and both[1]:
                    self.least[name] = (*both[0], *both[1])
            elif one and two:
                if what != "muli":
                    self.names[name] = one.plus(two, 1 if what == "addi" else -1)
                elif not (one.of and two.of):
                    self.names[name] = one.scaled(two.constant) if one.of else two.scaled(one.constant)
        elif found := APPLY.match(line):
            values = self.maps[found[2]].of([self.value(each) for each in split(found[3])])
            if values:
                self.names[found[1]] = values[0]

    def shown(self, index: str) -> str:
        """An index in terms of loops, where its numbers are sums of theirs."""
        values = ((each, self.value(each)) for each in split(index))
        return ", ".join((str(value) if value else each).replace("%", "") for each, value in values)

    def value(self, text: str) -> Linear | None:
        return linear(text, self.names)

    def bound(self, text: str) -> Bound | None:
        text = text.removeprefix("min ").removeprefix("max ")
        if found := re.match(r"(#map\d*)\((.*?)\)", text):
            return self.maps[found[1]].of([self.value(each) for each in split(found[2])])
        if text in self.least:
            return self.least[text]
        value = self.value(text)
        return (value,) if value else None

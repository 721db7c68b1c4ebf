"""A graph of what must come before what, with a node for everything that the host or the device does.

Longest paths in it give the times, reachability the races.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

LAUNCH, MARK = 7, 2


@dataclass
class Graph:
    """Nodes with how long they take and what comes before them. No engine is ever full here."""

    legacy: bool
    took: list[int] = field(default_factory=lambda: [0])
    before: list[list[int]] = field(default_factory=lambda: [[]])
    host: int = 0
    """The host's last node"""
    tail: dict[str, int] = field(default_factory=dict)
    recorded: dict[str, int] = field(default_factory=dict)
    uses: list[tuple[int, int, bool]] = field(default_factory=list)
    """A block, a node that touches it, and whether it writes"""
    lines: list[str] = field(default_factory=list)
    work: dict[int, int] = field(default_factory=dict)
    """Kernels and copies: their nodes, by the order in which they were launched"""
    blocks: list[tuple[str, bool, list[int]]] = field(default_factory=list)
    """[blocks] the stream, whether it is free, and the nodes that have to be over before it is used again"""
    tensors: dict[str, tuple[int, set[str]]] = field(default_factory=dict)

    def node(self, took: int, *before: int) -> int:
        self.took.append(took)
        self.before.append(list(before))
        return len(self.took) - 1

    def ends(self) -> list[int]:
        found: list[int] = []
        for took, before in zip(self.took, self.before, strict=True):
            found.append(took + max((found[each] for each in before), default=0))
        return found

    def on_host(self, took: int, *before: int) -> None:
        self.host = self.node(took, self.host, *before)

    def on_stream(self, stream: str, took: int, *before: int) -> int:
        ahead = [self.tail[stream]] if stream in self.tail else []
        if self.legacy:
            ahead += [at for name, at in self.tail.items() if (name == "default") != (stream == "default")]
        made = self.node(took, self.host, *ahead, *before)
        self.tail[stream] = made
        return made

    def block(self, stream: str) -> int:
        for n, (owner, free, waits) in enumerate(self.blocks):
            now = self.ends()
            if free and waits and all(now[each] <= now[self.host] for each in waits):
                self.on_host(0, *waits)
                self.blocks[n] = (owner, True, [])
        for n, (owner, free, waits) in enumerate(self.blocks):
            if owner == stream and free and not waits:
                self.blocks[n] = (owner, False, [])
                return n
        self.blocks.append((stream, False, []))
        return len(self.blocks) - 1

    def drop(self, name: str) -> None:
        block, used = self.tensors.pop(name)
        owner = self.blocks[block][0]
        waits = [self.tail[each] for each in used if each != owner and each in self.tail]
        self.blocks[block] = (owner, True, waits)

    def reach(self) -> NDArray[np.bool_]:
        size = len(self.took)
        found = np.zeros((size, size), bool)
        for n, before in enumerate(self.before):
            for each in before:
                found[each, n] = True
        for middle in range(size):
            found |= np.outer(found[:, middle], found[middle])
        return found

    def races(self) -> set[tuple[int, int, int]]:
        reach, number = self.reach(), {node: n for n, node in self.work.items()}
        return {
            (number[a], number[b], block)
            for i, (block, a, writes) in enumerate(self.uses)
            for other, b, also in self.uses[i + 1 :]
            if block == other and a != b and (writes or also) and not reach[a, b]
        }


def random_program(seed: int, legacy: bool, waits: float) -> Graph:
    """A program and its graph, put together side by side."""
    rng, graph = random.Random(seed), Graph(legacy)
    names = ["default", "s", "t"][: rng.randint(1, 3)]
    graph.lines = [f"{name} = Stream()" for name in names[1:]] + ["e = Event()", "f = Event()"]
    launched = 0
    for turn in range(rng.randint(4, 22)):
        stream, other, event = rng.choice(names), rng.choice(names), rng.choice("ef")
        us, put = rng.randint(1, 90), []
        known = sorted(graph.tensors)
        what = rng.random()
        if what < waits:
            kind = rng.choice(["record", "event", "stream", "all", "sync", "of event", "work"])
            if kind == "record":
                put = [f"{event}.record({stream})"]
                graph.on_host(MARK)
                graph.recorded[event] = graph.on_stream(stream, 0)
            elif kind == "event":
                put = [f"{stream}.wait_event({event})"]
                graph.on_host(MARK)
                graph.on_stream(stream, 0, *[graph.recorded[event]] if event in graph.recorded else [])
            elif kind == "stream" and stream != other:
                put = [f"{stream}.wait_stream({other})"]
                graph.on_host(MARK)
                graph.on_stream(stream, 0, graph.on_stream(other, 0))
            elif kind == "all":
                put = ["synchronize()"]
                graph.on_host(0, *graph.tail.values())
            elif kind == "sync":
                put = [f"{stream}.synchronize()"]
                graph.on_host(0, *[graph.tail[stream]] if stream in graph.tail else [])
            elif kind == "of event":
                put = [f"{event}.synchronize()"]
                graph.on_host(0, *[graph.recorded[event]] if event in graph.recorded else [])
            elif kind == "work":
                put = [f"work({us})"]
                graph.on_host(us)
        elif what < waits + 0.1 and known:
            put = [f"del {known[0]}"]
            graph.drop(known[0])
        elif what < waits + 0.2 and known:
            name = rng.choice(known)
            put = [f"{name}.record_stream({other})"]
            graph.tensors[name][1].add(other)
        else:
            reads = rng.sample(known, min(len(known), rng.randint(0, 2)))
            kind = rng.choice(["kernel", "kernel", "kernel", "kernel_", "to_device", "to_host"])
            name = rng.choice("abc") + (str(turn) if rng.random() < 0.5 else "")
            pinned = rng.choice(["", ", pinned=True", ", non_blocking=True"])
            if kind == "kernel_" and known:
                name = rng.choice(known)
                put = [f"{name}.kernel_({', '.join([str(us), *reads])}, share=1)"]
            elif kind == "to_device":
                reads, put = [], [f"{name} = to_device({us}{pinned})"]
            elif kind == "to_host" and reads:
                reads, name = reads[:1], "h"
                put = [f"h = to_host({us}, {reads[0]}{pinned})"]
            else:
                kind = "kernel"
                put = [f"{name} = kernel({', '.join([str(us), *reads])}, share=1)"]
            new = graph.block(stream) if kind in ("kernel", "to_device") else -1
            graph.on_host(LAUNCH)
            node = graph.on_stream(stream, us)
            graph.work[launched] = node
            launched += 1
            graph.uses += [(graph.tensors[each][0], node, False) for each in reads]
            if new >= 0:
                if name in graph.tensors:
                    graph.drop(name)
                graph.tensors[name] = (new, set())
            if kind != "to_host":
                graph.uses.append((graph.tensors[name][0], node, True))
            if kind.startswith("to_"):
                graph.on_host(0, node)
        graph.lines += [f"with stream({stream}):", *(f"    {each}" for each in put)] if put else []
    graph.lines += ["last = kernel(1, share=1)"]
    block = graph.block("default")
    graph.on_host(LAUNCH)
    graph.work[launched] = graph.on_stream("default", 1)
    graph.uses.append((block, graph.work[launched], True))
    return graph

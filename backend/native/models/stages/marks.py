"""Marks: which operations of the program a line comes from, kept on the whole way through Inductor.

PyTorch itself carries what a node's ``custom`` says through differentiation and through its passes on graphs. Below
that Inductor glues functions together and forgets whose they were; here each of them remembers, and what it does
while it is called is marked: the operations of a loop's body, then the lines of C++ that these become.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch

from native.models.stages.pictures import Marks, Operation

KEY = "underhood"
MARK = re.compile(r" ?/\*@([\d,]*)\*/")


@dataclass
class Operations:
    """Of a program, in the order in which they were seen; the same one has the same number in every compilation."""

    file: str
    first: int
    """The line of the file where the program begins."""
    seen: list[Operation] = field(default_factory=list)
    numbers: dict[tuple[int, int], int] = field(default_factory=dict)

    def mark(self, graph: torch.fx.Graph) -> None:
        """Number what a graph of Dynamo's does."""
        at: Counter[int] = Counter()
        for node in graph.nodes:
            if not node.op.startswith("call_"):
                continue
            line = self.line(node)
            key = (line, at[line])
            at[line] += 1
            if key not in self.numbers:
                self.numbers[key] = len(self.seen)
                self.seen.append(Operation(node.name, line))
            node.meta["custom"] = {**node.meta.get("custom", {}), KEY: (self.numbers[key],)}

    def line(self, node: torch.fx.Node) -> int:
        """Of the program, from 1; 0 for none."""
        found = re.findall(r'File "([^"]+)", line (\d+)', node.meta.get("stack_trace") or "")
        return next((int(line) - self.first + 1 for file, line in reversed(found) if file == self.file), 0)

    def of(self, node: torch.fx.Node | None) -> Marks:
        """Of a node in any graph; one that a pass has made again comes from all that its line does."""
        if node is None:
            return ()
        if marks := node.meta.get("custom", {}).get(KEY):
            return tuple(marks)
        line = self.line(node)
        return tuple(number for number, each in enumerate(self.seen) if line and each.line == line)

    def pass_on(self, before: Iterable[torch.fx.Node], after: Iterable[Any]) -> None:
        """To nodes that know of no operation."""
        marks = together(self.of(node) for node in before)
        for node in after:
            if marks and isinstance(node, torch.fx.Node) and not self.of(node):
                node.meta["custom"] = {**node.meta.get("custom", {}), KEY: marks}


def together(many: Any) -> Marks:
    return tuple(sorted({mark for marks in many for mark in marks}))


def taken(line: str) -> tuple[str, Marks]:
    """A line of C++ without its marks, and those."""
    marks = together(tuple(map(int, found.split(","))) for found in MARK.findall(line) if found)
    return MARK.sub("", line), marks


@contextmanager
def marking(operations: Operations) -> Iterator[None]:
    """Whatever Inductor compiles meanwhile is marked."""
    from torch._inductor import ir, pattern_matcher
    from torch._inductor.loop_body import InterpreterShim, LightTracer
    from torch._inductor.utils import DeferredLineBase, IndentedBuffer
    from torch._inductor.virtualized import V

    now: list[Marks] = [()]

    def within(marks: Marks, work: Callable[..., Any]) -> Callable[..., Any]:
        def marked(*args: Any, **named: Any) -> Any:
            now.append(marks)
            try:
                return work(*args, **named)
            finally:
                now.pop()

        marked.marks = marks  # type: ignore[attr-defined]
        return marked

    def made(self: Any) -> None:
        """A loop knows the node that asks for it; one that is made out of it is still its work."""
        before_made(self)
        marks = getattr(self.inner_fn, "marks", None)
        if marks is None:
            marks = operations.of(getattr(V.graph, "current_node", None))
            self._post_init_setattr("inner_fn", within(marks, self.inner_fn))
        for name in ("store_output", "store_reduction"):
            if hasattr(self, name):
                self._post_init_setattr(name, within(marks, getattr(self, name)))

    def create(self: Any, *args: Any, **named: Any) -> torch.fx.Node:
        node = before_create(self, *args, **named)
        node.meta[KEY] = now[-1]
        return node

    def writeline(self: Any, line: Any) -> None:
        shim = V.interpreter
        node = shim.current_node if isinstance(shim, InterpreterShim) else None
        marks = node.meta.get(KEY, ()) if node is not None else ()
        sign = f" /*@{','.join(map(str, marks))}*/"
        if marks and isinstance(line, str) and line.strip() and not line.endswith("\\"):
            line = line + sign
        elif marks and isinstance(line, DeferredLineBase):
            line = line._new_line(line.line + sign)
        before_line(self, line)

    def instead(self: torch.fx.Node, other: Any, *args: Any, **named: Any) -> Any:
        """What a pass puts in the place of a node does the work of that node."""
        operations.pass_on([self], [other])
        return before_instead(self, other, *args, **named)

    def matched(match: Any, *args: Any, **named: Any) -> Any:
        """And what it puts in the place of several does the work of all."""
        added = before_matched(match, *args, **named)
        operations.pass_on(match.nodes, added)
        return added

    before_made, before_create = ir.Loops.__post_init__, LightTracer.create_node
    before_line, before_instead = IndentedBuffer.writeline, torch.fx.Node.replace_all_uses_with
    before_matched = pattern_matcher.ReplacementPatternEntry.replace_with_graph
    with replaced(
        (torch.fx.Node, "replace_all_uses_with", instead),
        (pattern_matcher.ReplacementPatternEntry, "replace_with_graph", staticmethod(matched)),
        (ir.Loops, "__post_init__", made),
        (LightTracer, "create_node", create),
        (IndentedBuffer, "writeline", writeline),
    ):
        yield


@contextmanager
def replaced(*parts: tuple[Any, str, Any]) -> Iterator[None]:
    """Other functions in the place of PyTorch's own, for as long as it takes."""
    before = [(owner, name, owner.__dict__.get(name)) for owner, name, _ in parts]
    for owner, name, new in parts:
        setattr(owner, name, new)
    try:
        yield
    finally:
        for owner, name, old in before:
            if old is None:
                delattr(owner, name)
            else:
                setattr(owner, name, old)

"""Which nodes become one kernel: two groups are joined if that is predicted to take less time, and only then.

Every pair that is looked at leaves a decision, with what it was for: bytes and operations before and after.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from labs.models.fusing.attention import UNLIKE
from labs.models.fusing.cost import Cost, Machine, following, priced
from labs.models.fusing.graph import Node
from labs.models.fusing.loops import Kernel, Program
from labs.models.fusing.lower import BLOCK, assembled, kernels_of
from labs.models.fusing.online import pairs
from labs.models.fusing.passes import Passes, ordered
from labs.models.fusing.plan import Group, Plan
from labs.models.fusing.space import RefusedError
from labs.models.fusing.traffic import Part, traffic

Policy = Literal["none", "greedy", "cost"]
Why = Literal["traffic", "launch", "recompute", "parallelism", "working set", "product", "shape", "order"]


@dataclass(frozen=True)
class Decision:
    first: tuple[int, ...]
    second: tuple[int, ...]
    """Numbers of the nodes of both groups."""
    joined: bool
    why: Why
    reason: str
    before: Cost
    after: Cost | None
    """None where they cannot be one kernel at all; an estimate where it would compute a product again and again."""


@dataclass(frozen=True)
class Fusion:
    program: Program
    groups: tuple[tuple[int, ...], ...]
    """Numbers of the nodes, kernel after kernel; copies and zeros have none."""
    decisions: tuple[Decision, ...]


@dataclass(frozen=True)
class Trial:
    kernel: Kernel
    cost: Cost
    moved: Part
    online: bool
    """Whether two reductions are taken in one pass, because the row does not fit into the cache."""

    @property
    def again(self) -> float:
        """Lines loaded; of what is the kernel's own only those that were thrown out before."""
        own = {each.name for each in self.kernel.buffers if each.role == "local"}
        once = sum(lines for name, lines in self.moved.lines.items() if name in own)
        return sum(self.moved.loaded.values()) - once


@dataclass
class Fuser:
    plan: Plan
    policy: Policy = "cost"
    machine: Machine = field(default_factory=Machine)
    block: int = BLOCK
    passes: Passes = field(default_factory=Passes)
    """Those that change the order of loops are counted on."""
    groups: list[Group] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    tried: dict[Group, Trial] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.groups = [(node,) for node in self.plan.work]
        if self.policy != "none":
            for node in self.plan.work:
                self.producers(node)
            self.siblings()
        self.groups = self.ordered()

    def producers(self, node: Node) -> None:
        """Joins a node's group to those it reads from, the nearest first."""
        for base in sorted(self.plan.sources(node), key=self.plan.number.__getitem__, reverse=True):
            first, second = self.of(base), self.of(node)
            if first and second and first is not second:
                self.consider(first, second)

    def siblings(self) -> None:
        """Groups that read the same, and neither needs the other."""
        seen: set[tuple[Group, Group]] = set()
        again = True
        while again:
            again = False
            for first, second in self.pairs():
                if (first, second) not in seen:
                    seen.add((first, second))
                    again = self.consider(first, second)
                    if again:
                        break

    def pairs(self) -> Iterator[tuple[Group, Group]]:
        for place, first in enumerate(self.groups):
            reads = self.reads(first)
            for second in self.groups[place + 1 :]:
                if any(math.prod(each.shape) > 1 for each in reads & self.reads(second)):
                    yield first, second

    def consider(self, first: Group, second: Group) -> bool:
        a, b = self.trial(first), self.trial(second)
        before = self.apart(a, b)
        together = self.sort((*first, *second))
        after: Cost | None = None
        why: Why
        if self.between(first, second) or self.between(second, first):
            joined, why, reason = False, "order", "an operation between them needs the one, and the other needs it"
        else:
            try:
                after = self.trial(together).cost
            except RefusedError as refused:
                joined, why, reason = False, *self.structure(first, second, refused)
                if why == "product" and (times := self.again(second)) > 1:
                    after = self.repeated(a.cost, b.cost, before, times)
            else:
                joined, why, reason = self.judged(before, after, first, second)
        one, other = (tuple(map(self.plan.number.__getitem__, group)) for group in (first, second))
        self.decisions.append(Decision(one, other, joined, why, reason, before, after))
        if joined:
            self.groups = [together if each is first else each for each in self.groups if each is not second]
        return joined

    def judged(self, before: Cost, after: Cost, first: Group, second: Group) -> tuple[bool, Why, str]:
        saved = before.bytes - after.bytes
        if after.time < before.time or self.policy == "greedy":
            if saved / self.machine.bandwidth > self.machine.launch:
                return True, "traffic", f"{said(saved)} less goes through memory"
            return True, "launch", "one kernel fewer has to be launched"
        more = (after.operations + after.products) / (before.operations + before.products)
        if saved < 0 and more < 1.05:
            return (
                False,
                "working set",
                f"the data of one iteration outgrow the cache: {said(-saved)} more are loaded",
            )
        if more > 1:
            gain = f", to move {said(saved)} less" if saved > 0 else ""
            return False, "recompute", f"it would compute {more:.2f} times as much{gain}"
        turns = "1 iteration is" if after.turns == 1 else f"{after.turns} iterations are"
        shared = f"{turns} harder to share among {self.machine.threads} threads than {before.turns}"
        return False, "parallelism", shared

    def structure(self, first: Group, second: Group, refused: RefusedError) -> tuple[Why, str]:
        if all(any(node.op == "matmul" for node in group) for group in (first, second)):
            times = self.again(second)
            if str(refused) != UNLIKE:
                return "product", str(refused)
            if times > 1:
                return "product", f"each of {times} blocks of columns would compute the first product again"
            return "product", "two products are only joined around a softmax"
        return "shape", str(refused)

    def again(self, group: Group) -> int:
        """In how many blocks of columns a product would be cut, if it were cut both ways."""
        product = next((node for node in group if node.op == "matmul"), None)
        return -(-product.shape[-1] // self.block) if product else 1

    def repeated(self, a: Cost, b: Cost, before: Cost, times: int) -> Cost:
        """What it would take to compute the first for every block of the second, for comparison."""
        operations, products = a.operations * times + b.operations, a.products * times + b.products
        busy = (operations / self.machine.throughput + products / self.machine.products) / self.machine.threads
        return replace(before, operations=operations, products=products, time=self.machine.launch + busy)

    # costs

    def trial(self, group: Group) -> Trial:
        if group not in self.tried:
            trial = self.tries(group, False)
            if self.policy == "cost" and pairs(self.plan, group):
                online = self.tries(group, True)
                if online.cost.time < trial.cost.time and online.again < 0.9 * trial.again:
                    trial = online
            self.tried[group] = trial
        return self.tried[group]

    def tries(self, group: Group, online: bool) -> Trial:
        kernel = kernels_of(self.plan, group, self.block, 0, self.policy != "greedy", online)[-1]
        kernel, _ = ordered(kernel, self.passes)
        moved = traffic(kernel, self.machine.cache)
        return Trial(kernel, priced(kernel, moved.bytes, self.machine), moved, online)

    def apart(self, a: Trial, b: Trial) -> Cost:
        """Of both, one after the other; what the first leaves in the cache the second need not load."""
        moved = following([a.moved, b.moved], self.machine.cache)[1]
        x, y = a.cost, priced(b.kernel, moved, self.machine)
        parts = (x.bytes + y.bytes, x.operations + y.operations, x.products + y.products)
        return Cost(*parts, turns=max(x.turns, y.turns), time=x.time + y.time)

    # order

    def of(self, node: Node) -> Group | None:
        return next((group for group in self.groups if node in group), None)

    def sort(self, nodes: Sequence[Node]) -> Group:
        return tuple(sorted(dict.fromkeys(nodes), key=self.plan.number.__getitem__))

    def reads(self, group: Group) -> set[Node]:
        return {base for node in group for base in self.plan.sources(node) if base.op != "const"} - set(group)

    def between(self, first: Group, second: Group) -> bool:
        """Whether a way leads from the first to the second through a third."""
        inside, seen = set(first), set(first)
        ahead = [(user, True) for node in first for user in self.plan.users[node]]
        while ahead:
            node, near = ahead.pop()
            if node in seen:
                continue
            if node in second:
                if not near:
                    return True
                continue
            seen.add(node)
            near = near and (node in inside or self.of(node) is None)
            group = self.of(node) or (node,)
            ahead += [(user, near) for each in group for user in self.plan.users[each]]
        return False

    def ordered(self) -> list[Group]:
        """Every group after those it reads from."""
        done: list[Group] = []
        home = {node: group for group in self.groups for node in group}

        def visit(group: Group) -> None:
            if group not in done:
                for node in group:
                    for base in self.plan.sources(node):
                        if base in home and home[base] is not group:
                            visit(home[base])
                done.append(group)

        for group in self.groups:
            visit(group)
        return done


def fuse(
    outputs: Sequence[Node],
    policy: Policy = "cost",
    machine: Machine | None = None,
    block: int = BLOCK,
    passes: Passes | None = None,
) -> Fusion:
    plan = Plan(tuple(outputs))
    fuser = Fuser(plan, policy, machine or Machine(), block, passes or Passes())
    kernels: list[Kernel] = []
    for group in fuser.groups:
        kernels += kernels_of(plan, group, block, len(kernels), policy != "greedy", fuser.trial(group).online)
    groups = tuple(tuple(map(plan.number.__getitem__, group)) for group in fuser.groups)
    return Fusion(assembled(plan, kernels), groups, tuple(fuser.decisions))


def said(size: float) -> str:
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if abs(size) >= unit:
            return f"{size / unit:,.1f} {name}"
    return f"{size:.0f} bytes"

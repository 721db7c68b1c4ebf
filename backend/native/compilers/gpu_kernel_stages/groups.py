"""Which operations become one kernel on a GPU: what the fusing compiler can join, as far as a block of threads can.

Two things differ from a processor. A block holds a tile of a product and never a whole row of it, so a sum along
that row is another kernel. And a kernel that only copies a tensor into another order is none: what makes the
tensor writes it in that order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

from labs.models.fusing.affine import plus, times
from labs.models.fusing.cost import Cost, Machine
from labs.models.fusing.fuse import Decision, Fuser, Why, said
from labs.models.fusing.graph import BYTES, REDUCE
from labs.models.fusing.loops import Index, Kernel, Load, Loop, Program, Statement, Store
from labs.models.fusing.lower import assembled, kernels_of
from labs.models.fusing.plan import Group, Plan
from labs.models.fusing.read import read
from labs.models.fusing.rewrite import EXACT, rewritten
from labs.models.fusing.space import RefusedError

Policy = Literal["cost", "none"]
ROWS = 32
"""Of a product, in a turn of the outer loop; a program has at least two such turns"""


@dataclass(frozen=True)
class Grouped:
    plan: Plan
    program: Program
    groups: tuple[Group, ...]
    """The nodes of each kernel"""
    decisions: tuple[Decision, ...]
    sunk: tuple[tuple[int, int], ...]
    """Numbers of a copy's node, and of the node that is written in its order instead"""


class GpuFuser(Fuser):
    def judged(self, before: Cost, after: Cost, first: Group, second: Group) -> tuple[bool, Why, str]:
        nodes = {*first, *second}
        product = any(node.op == "matmul" for node in nodes)
        summed = {node.op for node in nodes} & set(REDUCE)
        if product and summed and "amax" not in summed:
            return False, "parallelism", "a block of threads holds a tile of the product, and no whole row to sum"
        if any(node.op == "matmul" for node in first) and self.only_summed(second):
            return False, "traffic", "only a sum reads it, so it is made where the sum is"
        saved = self.moved(first) + self.moved(second) - self.moved(self.sort(tuple(nodes)))
        if saved > 0:
            return True, "traffic", f"{said(saved)} less goes through memory"
        return True, "launch", "one kernel fewer has to be launched"

    def structure(self, first: Group, second: Group, refused: RefusedError) -> tuple[Why, str]:
        if any(node.op == "matmul" for node in second) and not any(node.op == "matmul" for node in first):
            return "recompute", "every tile of the product would compute its rows again"
        return super().structure(first, second, refused)

    def moved(self, group: Group) -> int:
        """Bytes of what it reads and of what it writes, each once."""
        both = (*self.reads(group), *self.plan.stored(group))
        return sum(math.prod(each.shape) * BYTES[each.dtype] for each in both)

    def only_summed(self, group: Group) -> bool:
        last = group[-1]
        users = [each for each in self.plan.users[last] if each not in group]
        return last not in self.plan.kept and bool(users) and all(each.op == "sum" for each in users)


def grouped(source: str, policy: Policy, machine: Machine) -> Grouped:
    """The kernels of a program as loops."""
    graph = rewritten(read(source), EXACT)
    plan = Plan(graph.outputs)
    fuser = GpuFuser(plan, policy, machine, ROWS)
    kernels: list[Kernel] = []
    groups: list[Group] = []
    for group in fuser.groups:
        kernels += kernels_of(plan, group, ROWS, len(kernels), online=False)
        groups.append(group)
    program, groups, sunk = without_copies(assembled(plan, kernels), groups, plan) if policy == "cost" else (
        assembled(plan, kernels), groups, ()
    )  # fmt: skip
    return Grouped(plan, program, tuple(groups), tuple(fuser.decisions), sunk)


def without_copies(
    program: Program, groups: list[Group], plan: Plan
) -> tuple[Program, list[Group], tuple[tuple[int, int], ...]]:
    """Each copy of a temporary goes into the kernel that makes it, if nothing else reads the temporary."""
    kernels, homes, sunk = list(program.kernels), list(groups), []
    for copy in program.kernels:
        place = kernels.index(copy)
        where = moved(copy)
        if where is None or place == 0:
            continue
        load, store = where
        readers = [each for each in kernels if any(b.name == load.buffer for b in each.buffers)]
        if len(readers) != 2 or readers[1] is not copy:
            continue
        maker = kernels.index(readers[0])
        target = next(each for each in copy.buffers if each.name == store.buffer)
        body = redirected(readers[0].body, load, store)
        buffers = tuple(target if each.name == load.buffer else each for each in readers[0].buffers)
        kernels[maker] = replace(readers[0], buffers=buffers, body=body)
        sunk.append((plan.number[homes[place][-1]], plan.number[homes[maker][-1]]))
        homes[maker] = (*homes[maker], *homes[place])
        del kernels[place], homes[place]
    named = {each.name for kernel in kernels for each in kernel.buffers}
    kept = tuple(each for each in program.buffers if each.name in named)
    return replace(program, kernels=tuple(kernels), buffers=kept), homes, tuple(sunk)


def moved(kernel: Kernel) -> tuple[Load, Store] | None:
    """The load and the store of a kernel that does nothing else."""
    body = kernel.body
    while len(body) == 1 and isinstance(body[0], Loop):
        body = body[0].body
    match body:
        case (Store(value=Load()) as store,):
            assert isinstance(store.value, Load)
            return store.value, store
    return None


def redirected(body: tuple[Statement, ...], load: Load, store: Store) -> tuple[Statement, ...]:
    """With the stores to the copied buffer in the copy's order."""

    def of(it: Statement) -> Statement:
        match it:
            case Loop():
                return replace(it, body=tuple(map(of, it.body)))
            case Store() if it.buffer == load.buffer:
                return replace(it, buffer=store.buffer, index=reordered(it.index, load.index, store.index))
        return it

    return tuple(map(of, body))


def reordered(index: Index, before: Index, after: Index) -> Index:
    """A place in the order ``after``: each stride is a multiple of one of ``before``'s, the largest that fits."""
    strides = sorted(((stride, after.along(name)) for name, stride in before.strides), reverse=True)
    parts = []
    for name, stride in index.strides:
        old, new = next((old, new) for old, new in strides if stride % old == 0)
        parts.append(times(Index(((name, 1),)), stride // old * new))
    return plus(*parts)

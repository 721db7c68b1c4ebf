"""What a kernel will cost: bytes moved, operations, and the time that both take on some machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from labs.models.fusing.accesses import values
from labs.models.fusing.loops import (
    Apply,
    Expr,
    Kernel,
    Let,
    Loop,
    Product,
    Program,
    Start,
    Statement,
    Store,
    Update,
    loads,
)
from labs.models.fusing.traffic import LINE, Lines, Part, reuse, traffic
from labs.models.fusing.weights import MONOIDS, weight


@dataclass(frozen=True)
class Machine:
    cache: int = 1 << 20
    """Bytes that a core keeps to itself."""
    bandwidth: float = 12.0
    """Bytes from memory in a nanosecond."""
    throughput: float = 16.0
    """Additions, or loads from the cache, in a nanosecond, when vectors are used."""
    products: float = 45.0
    """Multiply-adds of the packed kernel in a nanosecond."""
    threads: int = 2
    hindrance: float = 0.25
    """Moving and computing go on at once, but not quite: this part of the shorter one is added to the longer."""
    launch: float = 1000.0
    """Nanoseconds to begin a kernel."""


@dataclass(frozen=True)
class Cost:
    bytes: float
    operations: float
    """Weighted: see weights.py."""
    products: float
    """Multiply-adds in matrix products."""
    turns: int
    """Of the parallel loop; 1 if there is none."""
    time: float
    """Nanoseconds."""


def cost(kernel: Kernel, machine: Machine) -> Cost:
    """Of the kernel alone: nothing lies in the cache before."""
    return priced(kernel, traffic(kernel, machine.cache).bytes, machine)


def priced(kernel: Kernel, moved: float, machine: Machine) -> Cost:
    operations, products = work(kernel.body)
    turns = max(
        (each.extent for each in kernel.body if isinstance(each, Loop) and each.kind == "parallel"), default=1
    )
    share = -(-turns // min(machine.threads, turns)) / turns
    busy = (operations / machine.throughput + products / machine.products) * share
    carrying = moved / machine.bandwidth
    time = machine.launch + max(carrying, busy) + machine.hindrance * min(carrying, busy)
    return Cost(moved, operations, products, turns, time)


def costs(program: Program, machine: Machine) -> list[Cost]:
    """Of every kernel, with what the ones before it left in the cache."""
    parts = [traffic(kernel, machine.cache) for kernel in program.kernels]
    shares = following(parts, machine.cache)
    return [priced(kernel, share, machine) for kernel, share in zip(program.kernels, shares, strict=True)]


def following(parts: Sequence[Part], cache: int) -> list[float]:
    """Bytes that each kernel moves after those before it."""
    pieces = [(number, piece) for number, part in enumerate(parts) for piece in part.within or [part]]
    together: Lines = {}
    for part in parts:
        for name, lines in part.lines.items():
            together[name] = max(lines, together.get(name, 0))
    shares = reuse([piece for _, piece in pieces], together, cache // LINE)
    moved = [0.0 for _ in parts]
    for (number, _), (loaded, carried) in zip(pieces, shares, strict=True):
        moved[number] += LINE * (sum(loaded.values()) + sum(carried.values()))
    return moved


@lru_cache(1024)
def work(body: tuple[Statement, ...], turns: float = 1, blocks: Loop | None = None) -> tuple[float, float]:
    """Weighted operations, and multiply-adds of products; `blocks` is the loop over blocks of a product's rows."""
    operations = products = 0.0
    for each in body:
        match each:
            case Loop():
                # a loop cut into blocks makes as many turns as its limit says, over all blocks
                cut = each.outer and each.limit
                share = each.limit / (each.extent * -(-each.limit // each.extent)) if cut else 1
                around = each if each.limit and not each.outer else blocks
                inner, more = work(each.body, turns * each.extent * share, around)
                operations, products = operations + inner, products + more
            case Let() | Update() | Store():
                operations += turns * steps(each)
            case Product():
                rows = blocks.limit / blocks.extent if blocks else each.rows  # the last block may have fewer
                products += turns * rows * each.columns * each.depth
            case Start():
                pass
    return operations, products


def steps(statement: Let | Update | Store) -> float:
    """A number that it names twice it loads once."""
    here = values(statement)
    once = len({load for value in here for load in loads(value)})
    match statement:
        case Update():
            once += MONOIDS.get(statement.monoid, 1)
        case Store():
            once += 1
    return once + sum(map(applied, here))


def applied(value: Expr) -> int:
    return weight(value.op) + sum(map(applied, value.args)) if isinstance(value, Apply) else 0

"""A forward and a backward pass, told moment by moment, beside what the other policies cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from labs.contract import Sentence, say

from native.models.chain import Chain, Passed, passed
from native.models.chain_pieces import Piece
from native.models.torch_threads import one_thread
from native.models.watch import Alive, Moment
from native.pytorch.checkpointing import plans
from native.pytorch.checkpointing.chain import BYTES, pieces, saves
from native.pytorch.checkpointing.pictures import POLICIES, Block, Cost, Policy, State

if TYPE_CHECKING:
    from native.pytorch.checkpointing import Params

KIB = 1024


def widths(layers: int, width: int, shape: str) -> list[int]:
    """Of the input and of each layer; whole eighths of the widest."""
    found = []
    for n in range(layers + 1):
        t = n / layers
        share = {"even": 1.0, "narrowing": 1 - t, "widening": t, "hourglass": abs(2 * t - 1)}[shape]
        found.append(width // 8 * max(1, round(8 * share)))
    return found


class Story:
    def __init__(self, params: Params) -> None:
        self.params = params
        self.chain = Chain(widths(params.layers, params.width, params.shape), params.rows, params.seed)
        self.sizes = plans.sizes(self.chain.widths, params.rows, BYTES)
        self.saves = saves(self.chain)
        self.plans = {each: plans.planned(each, self.sizes, params.length, params.segments) for each in POLICIES}
        self.made: dict[tuple[Piece, ...], Passed] = {}  # two policies may come to the same pieces
        self.runs: dict[Policy, Passed] = {}
        self.compare(("none", params.policy))  # the other policies run once there is a picture to look at
        self.run, self.plan = self.runs[params.policy], self.plans[params.policy]
        self.own = self.cost(params.policy)
        turn = next(n for n, each in enumerate(self.run.moments) if each.backward)
        self.later = {each.name for each in self.run.moments[turn].alive if not each.again}
        self.checkpointed = {n + 1 for each in self.plan if each.checkpointed for n in range(each.start, each.stop)}

    def compare(self, policies: Sequence[Policy]) -> None:
        with one_thread():
            self.runs |= {each: self.passed(each) for each in policies}
        self.costs = [self.cost(each) for each in POLICIES if each in self.runs]
        self.equal = all(map(self.same, self.runs))

    def passed(self, policy: Policy) -> Passed:
        key = tuple(pieces(self.plans[policy], policy))
        if key not in self.made:
            self.made[key] = passed(self.chain, key)
        return self.made[key]

    def cost(self, policy: Policy) -> Cost:
        run = self.runs[policy]
        work = sum(map(self.work, run.moments)) / sum(self.sizes.work)
        return Cost(policy, run.peak, round(work, 4), run.moved)

    def same(self, policy: Policy) -> bool:
        pairs = zip(self.runs[policy].gradients, self.runs["none"].gradients, strict=True)
        return all(torch.equal(a, b) for a, b in pairs)

    def work(self, moment: Moment) -> int:
        """Done again by the operator of this moment."""
        made = moment.made
        again = made is not None and made.again and made.name.startswith("z")
        return self.sizes.work[number(made.name)] if made and again else 0

    def tell(self) -> Iterator[dict[str, Any]]:
        curve: list[int] = []
        done = 0
        for n, moment in enumerate(self.run.moments):
            curve.append(moment.bytes)
            done += self.work(moment)
            yield self.picture(n, curve, done, self.stage(moment), self.says(moment))
            if n == 0:
                self.compare(POLICIES)
        yield self.picture(n, curve, done, "compared", self.verdict())

    def picture(self, n: int, curve: list[int], done: int, stage: str, text: Sentence) -> dict[str, Any]:
        moment = self.run.moments[n]
        made = moment.made
        return {
            "stage": stage,
            "text": text,
            "layer": number(made.name) + made.name.startswith("dh") if made else 0,
            "moment": n,
            "moments": len(self.run.moments),
            "widths": self.chain.widths,
            "blocks": [*self.blocks(moment)],
            "segments": self.plan,
            "curve": np.array(curve, np.float32),
            "alive": curve[-1],
            "peak": max(curve),
            "again": round(done / sum(self.sizes.work), 4),
            "costs": self.costs,
            "equal": self.equal,
        }

    def blocks(self, moment: Moment) -> Iterator[Block]:
        for each in moment.alive:
            yield self.block(each.name, each.bytes, self.state(each), each is moment.made)
        rows = {each.name for each in moment.alive}
        for name in moment.filed:
            if name not in rows:
                size = (self.sizes.h if name[0] == "h" else self.sizes.z)[number(name)]
                yield self.block(name, size, "file", False)

    def block(self, name: str, size: int, state: State, now: bool) -> Block:
        row = name.rstrip("0123456789")
        assert row in ("z", "h", "dz", "dh")
        key = f"{name} again" if state == "again" else name
        return Block(key, row, number(name), size, state, now)  # type: ignore[arg-type]

    def state(self, alive: Alive) -> State:
        if alive.name.startswith("d"):
            return "gradient"
        if alive.again:
            return "again"
        return "kept" if alive.name in self.later else "passing"

    def stage(self, moment: Moment) -> str:
        made = moment.made
        if made and made.again:
            return "again"
        return "backward" if moment.backward else "forward"

    # -- sentences -----------------------------------------------------------------------------------------

    def says(self, moment: Moment) -> Sentence:
        made, kib = moment.made, moment.bytes / KIB
        if made is None:
            return say("Backward is over: {:,.0f} KiB are still alive, the network’s result.", kib)
        layer = number(made.name)
        if made.again:
            return say(
                "Backward needs what was not kept, so {} is computed again; {:,.0f} KiB are alive.", made.name, kib
            )
        if made.name.startswith("dz"):
            return say(
                "GeluBackward0 of layer {} reads z{} and writes dz{}; {:,.0f} KiB are alive.",
                layer,
                layer,
                layer,
                kib,
            )
        if made.name.startswith("dh"):
            what = "MmBackward0 of layer {} has released its h{} and writes dh{}; {:,.0f} KiB are alive."
            if layer:
                what = "MmBackward0 of layer {} reads h{} for its weights and writes dh{}; {:,.0f} KiB are alive."
            return say(what, layer + 1, layer, layer, kib)
        node, saved = self.saves[made.name]
        if self.params.policy == "offload":
            return say(
                "{} is written; what {} saves goes into a file; {:,.0f} KiB in memory.", made.name, node, kib
            )
        if layer not in self.checkpointed:
            return say(
                "{} is written, and {} saves {}; {:,.0f} KiB are alive.", made.name, node, " and ".join(saved), kib
            )
        if self.params.policy == "selective" and made.name.startswith("z"):
            return say(
                "{} is written inside a checkpoint, which keeps matrix products; {:,.0f} KiB are alive.",
                made.name,
                kib,
            )
        return say(
            "{} is written inside a checkpoint, so {} saves nothing; {:,.0f} KiB are alive.", made.name, node, kib
        )

    def verdict(self) -> Sentence:
        own, plain = self.own, self.costs[0]
        if self.params.policy == "offload":
            return say(
                "The peak is {:,.0f} KiB instead of {:,.0f}; {:,.0f} KiB were moved to files and back.",
                own.peak / KIB, plain.peak / KIB, own.moved / KIB,
            )  # fmt: skip
        return say(
            "The peak is {:,.0f} KiB, {:,.0f} without checkpoints; {:.0%} of the products were computed twice.",
            own.peak / KIB, plain.peak / KIB, own.again,
        )  # fmt: skip


def number(name: str) -> int:
    return int(name.lstrip("dzh"))

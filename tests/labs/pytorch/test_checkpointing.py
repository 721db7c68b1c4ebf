"""The bytes alive after each operator, and the best segments, against intervals between first and last reads."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence

import pytest
import torch
from labs.contract import LabError
from native.models.chain import Chain, Passed
from native.models.chain import passed as passed_in_pieces
from native.models.chain_pieces import Piece
from native.models.torch_threads import one_thread
from native.models.watch import Moment
from native.pytorch.checkpointing import Params, Passing, plans, run
from native.pytorch.checkpointing.chain import BYTES, pieces
from native.pytorch.checkpointing.pictures import POLICIES, Policy, Segment
from native.pytorch.checkpointing.story import Story
from torch.autograd.graph import saved_tensors_hooks
from torch.utils.flop_counter import FlopCounterMode


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    with one_thread():
        yield


def passed(chain: Chain, plan: Sequence[Segment], policy: Policy) -> Passed:
    return passed_in_pieces(chain, pieces(plan, policy))


def program(plan: Sequence[Piece], layers: int) -> Iterator[tuple[list[str], list[str]]]:
    """What each operator writes, and what it reads. A ' marks what is computed or read once more."""
    begins = {each.stop: each.start for each in plan}
    for n in range(1, layers + 1):
        yield [f"z{n}"], [f"h{n - 1}"]
        # Whoever calls a segment holds its input until it returns.
        yield [f"h{n}"], [f"z{n}"] + ([f"h{begins[n]}"] if begins.get(n) else [])
    for each in reversed(plan):
        inside = range(each.start + 1, each.stop + 1)
        z = {n: f"z{n}" for n in inside}
        h = {n: f"h{n}" for n in range(each.start, each.stop)}
        if each.keeps in ("input", "products"):
            for n in inside:
                if each.keeps == "input":
                    z[n] += "'"
                    yield [z[n]], [h[n - 1]]
                if n < each.stop:
                    h[n] += "'"
                    yield [h[n]], [z[n]]
        for n in reversed(inside):
            if each.keeps == "files":
                yield [f"dz{n}", f"z{n}'"], [f"dh{n}"]
                yield [f"dh{n - 1}"] + [f"h{n - 1}'"] * (n > 1), [f"dz{n}"]
            else:
                yield [f"dz{n}"], [z[n], f"dh{n}"]
                yield [f"dh{n - 1}"], [h[n - 1], f"dz{n}"]
    yield [], [f"h{layers}"]


def intervals(plan: Sequence[Segment], policy: Policy, layers: int) -> list[set[str]]:
    return intervals_of(pieces(plan, policy), layers)


def intervals_of(plan: Sequence[Piece], layers: int) -> list[set[str]]:
    """The names alive at each moment: from where they are written to where they are read last."""
    steps = list(program(plan, layers))
    last = {name: at for at, (writes, reads) in enumerate(steps) for name in (*writes, *reads)}
    alive, found = set[str](), []
    for at, (writes, _) in enumerate(steps):
        alive = {name for name in alive if last[name] >= at} | set(writes)
        found.append(alive - {"dh0", f"dh{layers}"})
    del found[-2]  # layer 1 has no gradient of its input: only the weight's
    return found


def bytes_of(names: set[str], widths: Sequence[int], rows: int) -> int:
    return sum(widths[int(name.strip("dzh'"))] * rows * BYTES for name in names)


def measured(moments: Sequence[Moment]) -> list[set[str]]:
    return [{each.name + "'" * each.again for each in moment.alive} for moment in moments]


def splits(layers: int, start: int = 0) -> Iterator[list[Segment]]:
    if start == layers:
        yield []
    for stop in range(start + 1, layers + 1):
        for rest in splits(layers, stop):
            yield [Segment(start, stop, True), *rest]
            yield [Segment(start, stop, False), *rest]


def drawn(n: int, most: int = 7) -> tuple[Chain, random.Random]:
    draw = random.Random(n)
    widths = [draw.choice([2, 3, 8, 16, 40]) for _ in range(draw.randint(2, most) + 1)]
    return Chain(widths, draw.choice([2, 3, 8]), n), draw


@pytest.mark.parametrize("n", range(30))
def test_every_moment_is_that_of_the_intervals(n: int) -> None:
    chain, draw = drawn(n, 9)
    of = plans.sizes(chain.widths, chain.rows, BYTES)
    plain = passed(chain, plans.planned("none", of, 1), "none")
    length = draw.randint(1, 10)
    for policy in POLICIES:
        plan = plans.planned(policy, of, length)
        if policy == "every":
            plan = draw.choice(list(splits(min(chain.layers, 6))))
            plan += [Segment(at, at + 1, True) for at in range(plan[-1].stop, chain.layers)]
        shown = passed(chain, plan, policy)
        expected = intervals(plan, policy, chain.layers)
        assert measured(shown.moments) == expected, (policy, plan)
        for moment, names in zip(shown.moments, expected, strict=True):
            assert sum(each.bytes for each in moment.alive) == bytes_of(names, chain.widths, chain.rows)
        most = max(bytes_of(names, chain.widths, chain.rows) for names in expected)
        if policy not in ("selective", "offload"):
            assert plans.peak(plan, of) == most, plan
        for a, b in zip(shown.gradients, plain.gradients, strict=True):
            assert torch.equal(a, b)


@pytest.mark.parametrize("n", range(12))
def test_no_choice_of_segments_is_better(n: int) -> None:
    chain, _ = drawn(100 + n, 5)
    of = plans.sizes(chain.widths, chain.rows, BYTES)
    best = plans.best(of)

    def cost(plan: Sequence[Segment]) -> tuple[int, int]:
        shown = intervals(plan, "best", chain.layers)
        return max(bytes_of(names, chain.widths, chain.rows) for names in shown), plans.again(plan, of)

    assert cost(best) == min(map(cost, splits(chain.layers)))


@pytest.mark.parametrize("n", range(8))
def test_segments_of_the_reader_are_what_runs(n: int) -> None:
    chain, draw = drawn(300 + n)
    plan = draw.choice(list(splits(chain.layers)))
    words = [("" if each.checkpointed else "k") + str(each.stop - each.start) for each in plan]
    assert plans.chosen(draw.choice([" ", ", ", ","]).join(words), chain.layers) == plan
    shown = passed(chain, plan, "yours")
    assert measured(shown.moments) == intervals(plan, "yours", chain.layers)


@pytest.mark.parametrize("n", range(12))
def test_pieces_that_keep_different_things(n: int) -> None:
    """Each its own, beside others: no lab's policy mixes them, the reader's segments in ``ways_timed`` do."""
    chain, draw = drawn(400 + n, 9)
    plan, at = list[Piece](), 0
    while at < chain.layers:
        stop = min(chain.layers, at + draw.randint(1, 4))
        plan.append(Piece(at, stop, draw.choice(["all", "input", "products", "files"])))  # type: ignore[arg-type]
        at = stop
    shown, plain = (passed_in_pieces(chain, each) for each in (plan, [Piece(0, chain.layers, "all")]))
    expected = intervals_of(plan, chain.layers)
    assert measured(shown.moments) == expected
    assert shown.peak == max(bytes_of(names, chain.widths, chain.rows) for names in expected)
    assert all(torch.equal(a, b) for a, b in zip(shown.gradients, plain.gradients, strict=True))


def test_segments_that_do_not_fit_and_words_that_are_none() -> None:
    whole = Segment(0, 4, False)
    assert plans.chosen("", 4) == plans.chosen(" , ", 4) == plans.chosen("k4", 4) == [whole]
    assert plans.chosen("3 9 9", 5) == [Segment(0, 3, True), Segment(3, 5, True)]
    assert plans.chosen("02", 5) == [Segment(0, 2, True), Segment(2, 5, False)]
    for word in ("0", "-1", "k", "3k", "kk2", "1.5", "٣", "100", "\x00", "3\x003", "(" * 80):
        with pytest.raises(LabError) as raised:
            list(run(Params(policy="yours", segments=f"2 {word}")))
        advice = f"{word[:12]!r} is no segment: write lengths with spaces between, such as 3 2 k2."
        assert str(raised.value) == advice


@pytest.mark.parametrize("layers", [2, 4, 6, 9, 12, 16])
def test_closed_form_for_even_widths(layers: int) -> None:
    block = 8 * 16 * BYTES
    for length in (n for n in range(1, layers + 1) if layers % n == 0):
        story = Story(Params(layers=layers, length=length, width=16, rows=8))
        story.compare(POLICIES)
        costs = {each.policy: each for each in story.costs}
        assert costs["none"].peak == (2 * layers + 1) * block
        assert costs["every"].peak == (layers // length + 2 * length) * block
        assert costs["every"].again == 1 and costs["selective"].again == 0
        assert costs["selective"].peak == (layers + layers // length + length) * block
        assert costs["offload"].moved == 2 * (2 * layers - 1) * block
        assert costs["best"].peak <= min(costs["every"].peak, costs["sqrt"].peak)


def flops(chain: Chain, plan: Sequence[Segment], backward: bool) -> int:
    with FlopCounterMode(display=False) as counter:
        h = chain.forward(pieces(plan, "every"))
        if backward:
            h.backward(chain.direction)
    return counter.get_total_flops()


@pytest.mark.parametrize("n", range(6))
def test_work_done_again_is_what_torch_counts(n: int) -> None:
    chain, draw = drawn(200 + n)
    of = plans.sizes(chain.widths, chain.rows, BYTES)
    plain = [Segment(0, chain.layers, False)]
    plan = draw.choice(list(splits(chain.layers)))
    assert flops(chain, plain, False) == sum(of.work)
    assert flops(chain, plan, True) - flops(chain, plain, True) == plans.again(plan, of)


def test_what_nodes_save_is_what_hooks_see() -> None:
    story = Story(Params(layers=5, shape="hourglass"))
    seen = dict[int, int]()

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        seen[tensor.data_ptr()] = tensor.untyped_storage().nbytes()
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        result = story.chain.forward(pieces(story.plans["none"], "none"))
    given = {each.data_ptr() for each in (*story.chain.weights, story.chain.x)}
    total = sum(size for at, size in seen.items() if at not in given)
    names = {name for _, saved in story.saves.values() for name in saved if name[0] in "zh"}
    assert names == {*(f"z{n}" for n in range(1, 6)), *(f"h{n}" for n in range(1, 5))}
    assert total == bytes_of(names, story.chain.widths, story.params.rows)
    assert story.saves["z1"] == ("MmBackward0", ["x"]) and story.saves["z2"][1] == ["h1", "W2"]
    assert story.saves["h3"] == ("GeluBackward0", ["z3"]) and result.shape == (64, 64)


@pytest.mark.parametrize("policy", POLICIES)
def test_pictures(policy: Policy) -> None:
    log = list(run(Params(policy=policy, layers=6, length=2)))
    cost = next(each for each in log[-1].costs if each.policy == policy)
    assert {each.policy for each in log[0].costs} == {"none", policy}
    assert all([each.policy for each in step.costs] == [*POLICIES] for step in log[1:])
    for each in log:
        assert each.alive == sum(block.bytes for block in each.blocks if block.state != "file")
        assert list(each.curve[-1:]) == [each.alive] and each.peak == max(each.curve)
        assert len({block.key for block in each.blocks}) == len(each.blocks)
        assert sum(block.now for block in each.blocks) == (each.layer > 0)
    assert (log[-1].peak, log[-1].again) == (cost.peak, cost.again) and log[-1].equal
    assert {"again", "file"} & {block.state for each in log for block in each.blocks} or policy == "none"
    kept = [{block.key for block in each.blocks if block.state == "kept"} for each in log]
    turn = next(n for n, each in enumerate(log) if each.stage != "forward")
    assert kept[turn] >= set.union(*kept[:turn])


def test_poster_is_a_peak() -> None:
    from native.pytorch.checkpointing import POSTER

    log: list[Passing] = list(run(Params()))
    assert log[POSTER - 1].alive == log[-1].peak and log[POSTER - 1].stage == "backward"


def test_unequal_segments_beat_the_root() -> None:
    of = plans.sizes([4] * 33, 1, BYTES)
    plan = plans.best(of)
    lengths = [each.stop - each.start for each in plan if each.checkpointed]
    assert lengths == sorted(lengths, reverse=True) and lengths[0] > lengths[-1]
    uniform = min(plans.peak(plans.every(32, k), of) for k in range(1, 33))
    assert plans.peak(plan, of) < uniform < plans.peak(plans.every(32, round(math.sqrt(32))), of)

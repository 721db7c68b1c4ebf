"""Whoever is served beside whom, a request gets the tokens that it gets alone, and no block is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import count

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from native.models.transformer import step_kernel as kernel
from native.models.transformer import weights
from native.models.transformer.shape import BLOCK, BLOCKS, CONTEXT, VOCABULARY
from native.speed.inference_server.blocks import Blocks, FullError
from native.speed.inference_server.serve import Request, Server, Way, serve
from transformer_network import kept

SURE = np.zeros((CONTEXT, VOCABULARY), np.float32)  # the likeliest token, always
BEGIN = list(range(40))  # many prompts begin alike, up to the middle of a block
PROMPTS = st.builds(
    lambda alike, rest: BEGIN[:alike] + rest,
    st.integers(0, 40),
    st.lists(st.integers(0, VOCABULARY - 1), min_size=1, max_size=60),
)
REQUESTS = st.lists(
    st.builds(Request, PROMPTS, st.integers(1, 90), st.integers(0, 20).map(float)), min_size=1, max_size=9
)
WAYS = st.builds(
    Way,
    name=st.just("any"),
    lanes=st.integers(1, 8),
    refill=st.booleans(),
    paged=st.booleans(),
    shared=st.booleans(),
    rows=st.integers(1, 40),
)


def ticks() -> Callable[[], float]:
    """A clock that goes on by one at each look: the same for everybody."""
    time = count()
    return lambda: float(next(time))


@given(REQUESTS, WAYS, st.integers(BLOCKS, 24))
@settings(max_examples=40, deadline=None)
def test_tokens_are_those_of_a_request_alone(
    packed: kernel.Weights, requests: list[Request], way: Way, blocks: int
) -> None:
    """Also with too few blocks for all, when the youngest has to give way."""
    server = Server(way, packed, blocks, SURE)
    served, glances = serve(requests, server, ticks())
    single = Way("one", 1, refill=True, paged=False, shared=False, rows=CONTEXT)
    for request, each in zip(requests, served, strict=True):
        (alone,), _ = serve([request], Server(single, packed, BLOCKS, SURE), ticks())
        assert each.tokens == alone.tokens
        assert len(each.given) == request.wanted and each.given == sorted(each.given)
        assert each.given[0] > request.arrival
    assert server.pool.free == blocks and not any(server.pool.holders)
    for glance in glances:  # nobody holds a block twice, and only who may share shares
        holders = Counter(block for lane in glance.lanes if lane for block in lane[3])
        assert all(0 <= block < blocks for block in holders)
        assert way.shared or not holders or max(holders.values()) == 1
        for lane in glance.lanes:
            if lane:
                assert len(lane[3]) * BLOCK >= lane[2] and len(set(lane[3])) == len(lane[3])


def test_greedy_tokens_are_those_of_pytorch(codes: weights.Codes, packed: kernel.Weights) -> None:
    requests = [Request([seed, *range(seed, 90, 7)], 25) for seed in range(6)]
    served, _ = serve(requests, Server(Way("all", 4, True, True, True, 16), packed, 24, SURE))
    for request, each in zip(requests, served, strict=True):
        with torch.no_grad():
            likeliest = kept(codes)(torch.tensor([each.tokens[:-1]]))[0].argmax(1)
        assert each.tokens[len(request.prompt) :] == likeliest[len(request.prompt) - 1 :].tolist()


def test_prompts_that_begin_alike_share(packed: kernel.Weights) -> None:
    prompt = list(range(3 * BLOCK + 2))
    requests = [Request([*prompt, seed], 60, arrival=float(20 * seed)) for seed in range(3)]
    way = Way("shared", 3, refill=True, paged=True, shared=True, rows=CONTEXT)
    _, glances = serve(requests, Server(way, packed, BLOCKS, SURE), ticks())
    together = [[lane[3] for lane in glance.lanes if lane] for glance in glances if all(glance.lanes)]
    assert together
    for tables in together:
        assert len({table[:3] for table in tables}) == 1 and len({table[3] for table in tables}) == 3


def test_without_refill_a_batch_waits_for_its_last(packed: kernel.Weights) -> None:
    requests = [Request([1], wanted) for wanted in (2, 30, 5)]
    served, _ = serve(requests, Server(Way("static", 2, False, False, False, 16), packed, 64, SURE), ticks())
    assert served[2].given[0] > served[1].given[-1] > served[0].given[-1]
    served, _ = serve(requests, Server(Way("continuous", 2, True, False, False, 16), packed, 64, SURE), ticks())
    assert served[1].given[-1] > served[2].given[-1] > served[2].given[0] > served[0].given[-1]


@given(st.lists(st.tuples(st.sampled_from(["take", "give", "share"]), st.integers(0, 9)), max_size=80))
@settings(deadline=None)
def test_blocks_never_leak(moves: list[tuple[str, int]]) -> None:
    """Against a plain count of who holds what."""
    pool, held = Blocks(6), list[int]()
    for move, which in moves:
        if move == "take" and len(set(held)) < 6:
            block = pool.take()
            assert block not in held
            held.append(block)
            pool.publish((which,), block)
        elif move == "take":
            with pytest.raises(FullError):
                pool.take()
        elif move == "give" and held:
            pool.give([held.pop(which % len(held))])
        elif move == "share" and (block_ := pool.share((which,))) is not None:
            assert block_ in held
            held.append(block_)
        assert pool.holders == [held.count(block) for block in range(6)]
        assert pool.free == 6 - len(set(held))


def test_what_cannot_be_served_is_refused(packed: kernel.Weights) -> None:
    with pytest.raises(ValueError, match="nobody holds"):
        Blocks(1).give([0])
    with pytest.raises(ValueError, match="longest request"):
        Server(Way("one", 1, True, False, False, 1), packed, BLOCKS - 1, SURE)
    for prompt, wanted in (([], 1), ([1], 0), ([1], CONTEXT)):
        with pytest.raises(ValueError, match="from 2 to"):
            Request(prompt, wanted)


def test_dice_fall_alike_in_any_batch_and_as_softmax_says(codes: weights.Codes, packed: kernel.Weights) -> None:
    dice = 100 * np.random.default_rng(0).gumbel(size=(CONTEXT, VOCABULARY)).astype(np.float32)
    requests = [Request([*range(40)], 60) for _ in range(8)]
    batch, _ = serve(requests, Server(Way("all", 4, True, True, True, 8), packed, 24, dice))
    single, _ = serve(requests, Server(Way("one", 1, True, False, False, 64), packed, 24, dice))
    assert [each.tokens for each in batch] == [each.tokens for each in single]
    assert len({tuple(each.tokens) for each in batch}) == len(batch)
    logits = np.array([2.0, 0.0, 1.0, -1.0], np.float32)
    draws = np.random.default_rng(1).gumbel(size=(20_000, 4))
    shares = np.bincount((logits + draws).argmax(1), minlength=4) / len(draws)
    np.testing.assert_allclose(shares, torch.softmax(torch.from_numpy(logits), 0), atol=0.015)

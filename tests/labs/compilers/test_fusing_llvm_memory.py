"""Buffers share memory as far as their lifetimes allow, and no further."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import torch
from hypothesis import given
from hypothesis import strategies as st
from native.compilers.fused_kernels import build
from native.compilers.fused_kernels.contest import PROGRAMS, written
from native.models.compiler.memory import Wanted, rooms

LIVES = st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 20), st.integers(0, 20)), max_size=30)


def wanted(lives: list[tuple[int, int, int]]) -> list[Wanted]:
    return [Wanted(place, size, min(ends), max(ends)) for place, (size, *ends) in enumerate(lives)]


@given(LIVES)
def test_nobody_shares_with_who_is_wanted_at_the_same_time(lives: list[tuple[int, int, int]]) -> None:
    buffers = wanted(lives)
    found = rooms(buffers)
    assert sorted(place for room in found for place in room.places) == list(range(len(buffers)))
    for room in found:
        held = sorted((buffers[place] for place in room.places), key=lambda it: it.first)
        assert all(one.last < other.first for one, other in pairwise(held))
        assert room.size == max(each.size for each in held)


@given(LIVES)
def test_there_are_as_few_rooms_as_can_be(lives: list[tuple[int, int, int]]) -> None:
    """As many as are wanted at the busiest time."""
    buffers = wanted(lives)
    busiest = max((sum(it.first <= now <= it.last for it in buffers) for now in range(21)), default=0)
    assert len(rooms(buffers)) == busiest


def test_a_chain_without_fusion_needs_two() -> None:
    found = build.build(written("chain", 1 << 12, "f32"), build.Switches(fusion=False))
    assert len(found.program.kernels) == 8
    assert [len(room[0]) for room in found.code.rooms] == [4, 3]
    given = [torch.randn(each.shape) for each in found.graph.inputs]
    wanted: Any = PROGRAMS["chain"].torch(*given)
    torch.testing.assert_close(found.code(*given), wanted)

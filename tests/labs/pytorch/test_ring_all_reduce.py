"""Sums against NumPy, to the bit against gloo's own ring, and bytes against closed forms."""

from __future__ import annotations

import multiprocessing
import os
import random
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import torch.distributed as dist
from labs.pytorch.ring_all_reduce import Params, State, given, run
from labs.pytorch.ring_all_reduce.rounds import WAYS, bounds, rounds
from numpy.typing import NDArray

RANDOM = random.Random(18)
EDGES = [(count, numbers) for count in (2, 8) for numbers in (1, 64)]
DRAWN = [(RANDOM.randint(2, 8), RANDOM.randint(1, 64)) for _ in range(24)]


def log(**params: Any) -> list[State]:
    return list(run(Params(**params)))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("count", "numbers"), [*EDGES, *DRAWN])
def test_everyone_has_the_sum(count: int, numbers: int, way: Any) -> None:
    found = log(processes=count, numbers=numbers, way=way, seed=numbers)
    last = found[-1]
    start = given(Params(processes=count, numbers=numbers, seed=numbers))
    np.testing.assert_array_equal(found[0].values, start)
    assert last.agree and (last.holds == (1 << count) - 1).all()
    # A sum of n numbers in any order is off by at most (n − 1)u of the sum of their amounts, to first order.
    exact, room = start.astype(np.float64).sum(0), np.abs(start, dtype=np.float64).sum(0)
    assert (np.abs(last.values[0] - exact) <= 1.01 * (count - 1) * 2.0**-24 * room).all()
    assert set(last.differ) == set(np.flatnonzero(last.values[0] != last.in_turn))


@pytest.mark.parametrize(("count", "numbers"), [*EDGES, *DRAWN])
def test_what_is_held_is_what_was_added(count: int, numbers: int) -> None:
    start = given(Params(processes=count, numbers=numbers))
    for way in WAYS:
        for each in log(processes=count, numbers=numbers, way=way):
            for rank in range(count):
                for chunk in range(count):
                    part = slice(each.chunks[chunk], each.chunks[chunk + 1])
                    those = [n for n in range(count) if each.holds[rank, chunk] >> n & 1]
                    whole = start[those, part].astype(np.float64).sum(0)
                    np.testing.assert_allclose(each.values[rank, part], whole, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("count", range(2, 9))
def test_bytes_and_steps_have_closed_forms(count: int) -> None:
    for numbers in (2 * count, 4 * count):  # in chunks of one size
        last = log(processes=count, numbers=numbers)[-1]
        levels = int(np.ceil(np.log2(count)))
        assert list(last.needs) == [2 * (count - 1), 2 * levels, 2 * (count - 1)]
        np.testing.assert_allclose(last.in_a_row, last.formula)
        each = 2 * (count - 1) * 4 * numbers // count
        assert (last.sent == each).all() and (last.received == each).all()
        assert log(processes=count, numbers=numbers, way="star")[-1].sent[0] == (count - 1) * 4 * numbers


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("count", range(2, 9))
def test_nobody_sends_or_receives_two_messages_at_once(count: int, way: str) -> None:
    for messages in rounds(way, count, bounds(16, count)):
        for ends in ([each.source for each in messages], [each.target for each in messages]):
            assert len(ends) == len(set(ends))


def reduced(rank: int, count: int, folder: Path, tell: Connection) -> None:
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    dist.init_process_group("gloo", store=dist.FileStore(str(folder / "store"), count), rank=rank, world_size=count)  # type: ignore[attr-defined]
    for numbers in SIZES:
        array = torch.from_numpy(given(Params(processes=count, numbers=numbers, seed=numbers))[rank].copy())
        dist.all_reduce(array)
        tell.send(array.numpy())


SIZES = (1, 2, 5, 16, 24, 33, 47, 64)


@pytest.mark.parametrize("count", [2, 3, 4, 7])
def test_gloo_comes_to_the_same_bits(count: int, tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    ends = [context.Pipe(duplex=False) for _ in range(count)]
    processes = [
        context.Process(target=reduced, args=(n, count, tmp_path, ends[n][1]), daemon=True) for n in range(count)
    ]
    for each in processes:
        each.start()
    try:
        for numbers in SIZES:
            found: list[NDArray[np.float32]] = []
            for ours, _ in ends:
                assert ours.poll(30)
                found.append(ours.recv())
            ring = log(processes=count, numbers=numbers, seed=numbers)[-1].values
            np.testing.assert_array_equal(np.stack(found).view(np.uint32), ring.view(np.uint32))
    finally:
        for each in processes:
            each.kill()
            each.join()

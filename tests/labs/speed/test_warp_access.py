"""What the model says of a warp is what the kernels ask for when they run, and what a warp's rules make of it."""

from __future__ import annotations

import cuda_on_a_processor as processor
import numpy as np
import pytest
from labs.models.warps import (
    BANKS,
    LANES,
    SECTOR,
    WAYS,
    WORD,
    Read,
    from_global,
    from_shared,
    sectors,
    shape,
    traffic,
    wavefronts,
)
from labs.speed.warp_access import Params, run

N = 264  # more than a block of every kernel; 4 divides it


def asked(way: str, n: int, tile: int, steps: int) -> np.ndarray:
    """[threads, steps] what each thread of the first block really read at first, kernel run and watched."""
    a, b = (np.random.default_rng(0).random((n, n)).astype(np.float32) for _ in range(2))
    name = "pipelined_any" if way == "pipelined" and n % 4 else way
    ran = processor.run(name, a, b, tile, trace=0)
    assert ran.flaws == 0
    reads = ran.reads[ran.reads["step"] < steps]
    return reads[np.lexsort((reads["step"], reads["thread"]))].reshape(-1, steps)


@pytest.mark.parametrize("tile", (8, 16, 32))
@pytest.mark.parametrize("n", (N, N + 1))
@pytest.mark.parametrize("way", WAYS)
def test_a_running_kernel_reads_what_the_model_says(way: str, n: int, tile: int) -> None:
    if way != "shared" and tile != 32:
        return  # only that one has tiles to choose
    steps = 3 * len([*from_global(way, n, tile, 0)])
    reads = asked(way, n, tile, steps)
    assert len(reads) == shape(way, tile).threads
    for warp in range(shape(way, tile).threads // LANES):
        step = 0
        for slab in range(3):
            for read in from_global(way, n, tile, warp, slab):
                real = reads[warp * LANES : (warp + 1) * LANES, step]
                assert (real["matrix"] == "AB".index(read.matrix)).all()
                assert (real["bytes"] == read.bytes).all()
                np.testing.assert_array_equal(real["offset"], read.words[:, 0] * WORD, err_msg=f"{warp} {read}")
                step += 1


def by_hand(read: Read) -> set[int]:
    """Sectors, byte by byte."""
    return {(int(first) * WORD + byte) // SECTOR for first in read.words[:, 0] for byte in range(read.bytes)}


@pytest.mark.parametrize("n", (256, 1000, 1001, 4096))
@pytest.mark.parametrize("way", WAYS)
def test_sectors_hold_every_byte_that_is_wanted(way: str, n: int) -> None:
    moved = 0
    for warp in range(shape(way, 32).threads // LANES):
        for read in from_global(way, n, 32, warp):
            which, wanted = sectors(read)
            assert {*which.tolist()} == by_hand(read)
            assert int(wanted.sum()) == LANES * read.bytes // WORD
            moved += SECTOR * len(which)
    of = shape(way, 32)
    assert traffic(way, n, 32) == pytest.approx(moved / (of.rows * of.columns * of.depth))


def test_the_ladder_moves_less_and_less() -> None:
    """By hand: 32 sectors and 1, 4 and 1, and then two tiles for as many multiply-adds as they make."""
    assert [traffic(way, 4096, 32) for way in WAYS] == [
        pytest.approx(33),
        pytest.approx(5),
        pytest.approx(2 * 4 / 32),
        pytest.approx(4 * (1 / 128 + 1 / 128)),
        pytest.approx(4 * (1 / 128 + 1 / 128)),
        pytest.approx(4 * (1 / 128 + 1 / 256)),
    ]


def made(columns: list[int], bytes: int = WORD) -> Read:
    row = np.zeros(LANES, np.int64)
    return Read("", "A", row, np.array(columns), bytes, 1 << 20, True)


@pytest.mark.parametrize(
    ("read", "turns"),
    [
        (made([7] * 32), 1),  # all want one word
        (made(list(range(32))), 1),
        (made([lane * 2 for lane in range(32)]), 2),
        (made([lane * 8 for lane in range(32)]), 8),
        (made([lane * 32 for lane in range(32)]), 32),
        (made([lane * 33 for lane in range(32)]), 1),  # padded
        (made([lane * 4 for lane in range(32)], 16), 4),
        (made([lane * 8 for lane in range(32)], 16), 8),
        (made([0] * 32, 16), 4),
    ],
)
def test_banks_give_one_word_at_a_time(read: Read, turns: int) -> None:
    given = wavefronts(read)
    assert given.shape == (turns, BANKS)
    assert int(given.sum()) == LANES * read.bytes // WORD  # every lane gets what it wants


def test_only_the_unpadded_tile_lets_lanes_wait() -> None:
    turns = {
        (way, read.matrix): len(wavefronts(read)) * WORD // read.bytes
        for way in WAYS
        for read in from_shared(way, 32, 0)
    }
    assert {where for where, each in turns.items() if each > 1} == {("registers", "B")}


def test_a_run_shows_every_kernel_and_learns_row_by_row() -> None:
    events = list(run(Params(n=1001, tile=16)))
    assert list(dict.fromkeys(event.stage for event in events)) == list(WAYS)
    for event in events:
        known = np.isfinite(event.traffic)
        assert known.tolist() == [place <= WAYS.index(event.stage) for place in range(len(WAYS))]
        assert event.share == pytest.approx((event.moved > 0).mean())

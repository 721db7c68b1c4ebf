"""The product in blocks against NumPy, the model against sums by hand, and a run as pictures of medians."""

from __future__ import annotations

import numpy as np
import pytest
from labs.contract import ImpossibleError
from native.models.aligned import aligned
from native.speed import tile_surface
from native.speed.tile_surface import DEPTHS, STRIPS, Params, compared, fitting, run
from native.speed.tile_surface.kernel import multiply, tile
from native.speed.tile_surface.model import Machine, seconds

QUICK = Params(n=128, repetitions=3)
MACHINE = Machine(100e9, (1000, 1_000_000), (50e9, 10e9), rows=4, columns=8)


@pytest.mark.parametrize("n", [1, 33, 100, 128])
@pytest.mark.parametrize(("strips", "deep"), [(1, 8), (2, 16), (3, 50), (32, 512)])
def test_each_block_multiplies(n: int, strips: int, deep: int) -> None:
    a, b, c = (aligned(n * n).reshape(n, n) for _ in range(3))
    a[:], b[:] = np.random.default_rng(n).uniform(-1, 1, (2, n, n))
    c[:] = np.nan
    multiply(a, b, c, strips * tile()[0], deep)(2)
    np.testing.assert_allclose(c, a.astype(np.float64) @ b, atol=1e-4)


def test_the_model_adds_up_what_moves() -> None:
    """n = 100, blocks of 20 x 10: strips of B (320 bytes) and blocks of A (800) come from the small array."""
    operations = 2 * 100**3 / 100e9
    strips = 100**3 * 4 / 4 / 50e9
    block_a = 100**3 * 4 / 8 / 50e9
    block_b = 100**3 * 4 / 20 / 10e9
    sums = 100**3 / 10 * 8 / 10e9
    copies = 2 * 100**2 * 8 / 10e9
    together = operations + strips + block_a + block_b + sums + copies
    assert seconds(MACHINE, 100, 20, 10) == pytest.approx(together)


def test_the_model_knows_no_block_larger_than_the_matrix() -> None:
    assert seconds(MACHINE, 64, 500, 500) == seconds(MACHINE, 64, 64, 64)


def test_a_run_predicts_and_then_takes_turns() -> None:
    predicted, *measured = run(QUICK)
    assert predicted.stage == "predicted" and np.isnan(predicted.took).all()
    assert [event.stage for event in measured] == ["measuring", "measuring", "measured"]
    assert [event.turns for event in measured] == [1, 2, 3]
    rows, _ = tile()
    last = measured[-1]
    assert last.strips == [each for each in STRIPS if each * rows <= 128] and last.depths == list(DEPTHS[:5])
    assert last.strip == rows and last.took.shape == (5, len(last.strips)) and (last.took > 0).all()
    best = tuple(last.best)
    assert last.took[best] == last.took.min()
    machine = Machine(last.peak * 1e9, tuple(last.sizes), tuple(last.bandwidth * 1e9), *tile())
    for deep, high in ((0, 0), (3, 2), (4, 2)):
        alone = 1e3 * seconds(machine, 128, STRIPS[high] * rows, DEPTHS[deep])
        assert last.predicted[deep, high] == pytest.approx(alone, rel=1e-5)
    assert last.text.startswith(f"Blocks of {last.strips[-1] * rows} × 128 take ")  # 16 strips × 256 are too large


def test_a_block_that_fits_is_the_readers() -> None:
    sides = fitting(Params(strips=4, deep=64, n=768), 14)
    assert (sides.strips, sides.depths) == (list(STRIPS), list(DEPTHS)) and sides.chosen == (3, 2)


def test_what_is_faster_than_the_peak_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Machine(1.0, (1,), (1.0,), *tile())
    monkeypatch.setattr(tile_surface, "limits", lambda: slow)
    with pytest.raises(ImpossibleError):
        list(run(QUICK))


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (1.0, "the least"),
        (1.004, "as long as the fastest"),
        (1.02, "1.02 times as long as the fastest"),
        (12.34, "12.3 times as long as the fastest"),
    ],
)
def test_nothing_takes_once_as_long(ratio: float, words: str) -> None:
    assert str(compared(ratio)) == words

"""The digits that ship with the labs are scikit-learn's, and held-out ones are apart from the others."""

from __future__ import annotations

import numpy as np
import pytest
from labs.tensors.mlp_digits import digits as d
from sklearn.datasets import load_digits


def test_they_are_those_of_scikit_learn() -> None:
    theirs, ours = load_digits(), d.digits()
    assert ours.images.dtype == np.uint8 and ours.images.shape == (1797, d.PIXELS)
    np.testing.assert_array_equal(ours.images, theirs.data)
    np.testing.assert_array_equal(ours.labels, theirs.target)
    assert ours.images.max() == d.DARKEST


def test_the_server_reads_the_same_ones() -> None:
    from native.models.digits import read_digits

    images, labels = read_digits()
    np.testing.assert_array_equal(d.digits().images, images.reshape(-1, d.PIXELS))
    np.testing.assert_array_equal(d.digits().labels, labels)


def test_a_damaged_file_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(d, "SHA256", "0" * 64)
    with pytest.raises(ValueError, match=r"scripts/pack_digits\.py"):
        d.digits.__wrapped__()


def test_no_lab_can_write_into_them() -> None:
    with pytest.raises(ValueError, match="read-only"):
        d.digits().images[0, 0] = 1


@pytest.mark.parametrize("share", [0.1, 0.25, 0.5])
@pytest.mark.parametrize("choice", ["random", "last"])
def test_every_image_is_on_one_side(share: float, choice: d.Choice) -> None:
    learned, held_out = d.split(share, choice, np.random.default_rng(3))
    assert len(learned) + len(held_out) == 1797
    both = np.concatenate([learned.images, held_out.images])
    everything = d.digits().images
    assert sorted(map(bytes, both)) == sorted(map(bytes, everything))
    assert len(held_out) == pytest.approx(share * 1797, abs=5)
    if choice == "last":
        np.testing.assert_array_equal(held_out.images, everything[-len(held_out) :])
    else:
        counts = np.bincount(d.digits().labels)
        np.testing.assert_array_equal(np.bincount(held_out.labels), [round(share * n) for n in counts])


def test_a_seed_decides_who_is_held_out() -> None:
    def rows(seed: int) -> bytes:
        return d.split(0.25, "random", np.random.default_rng(seed))[1].images.tobytes()

    assert rows(1) == rows(1) != rows(2)

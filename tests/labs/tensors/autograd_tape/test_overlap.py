"""Whether two views read a number in common: asked of every number, and quickly."""

from __future__ import annotations

import random
import time

import numpy as np
from labs.models.tensor.dtypes import DTYPES
from labs.models.tensor.layout import Layout
from labs.models.tensor.storage import Storage
from labs.models.tensor.tensor import Tensor
from labs.tensors.autograd_tape.expressions import overlap

FLOAT = DTYPES["float32"]
WHOLE = Layout.rows((4, 3, 6))


def some(chance: random.Random) -> Layout:
    """A view by slices, and now and then turned, crossed or repeated."""
    begins = [chance.randrange(n) for n in WHOLE.shape]
    found = WHOLE[tuple(slice(begin, None, chance.choice([1, 2, 3])) for begin in begins)]
    if chance.random() < 0.5:
        found = found.permute(chance.sample(range(3), 3)).flip([chance.randrange(3)])
    if chance.random() < 0.3:
        found = found.diagonal()
    if chance.random() < 0.3:
        found = found[chance.choice([-1, slice(0), ...])]
        found = found.unsqueeze(0).expand((2, *found.shape))
    return found


def test_views_overlap_where_a_number_is_in_both() -> None:
    chance, storage, answers = random.Random(5), Storage(np.zeros(WHOLE.size, np.float32)), []
    for _ in range(2000):
        one, other = some(chance), some(chance)
        expected = one != other and not {*one.places()}.isdisjoint(other.places())
        answers.append(overlap(Tensor(storage, one, FLOAT), Tensor(storage, other, FLOAT)))
        assert answers[-1] == expected, (one, other)
    assert 300 < sum(answers) < 1700


def test_the_same_view_and_the_same_place_elsewhere_do_not_overlap() -> None:
    x, other = (Tensor(Storage(np.zeros(WHOLE.size, np.float32)), WHOLE, FLOAT) for _ in range(2))
    row = Tensor(other.storage, WHOLE[0], FLOAT)
    assert not overlap(x, x) and not overlap(x, row) and overlap(other, row)


def test_a_loop_over_interleaved_views_is_quick() -> None:
    """``x[::2] += x[1::2]``, again and again: with a set of places this takes hundreds of times as long."""
    storage, whole = Storage(np.zeros(10_000, np.float32)), Layout.rows((10_000,))
    even, odd = (Tensor(storage, whole[begin::2], FLOAT) for begin in (0, 1))
    begun = time.process_time()
    assert not any(overlap(even, odd) for _ in range(2000))
    assert time.process_time() - begun < 2

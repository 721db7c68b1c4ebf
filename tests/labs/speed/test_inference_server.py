"""What the pictures show is what the server did."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from native.models.transformer.shape import BLOCK, CONTEXT
from native.speed.inference_server import ROUNDS, WAYS, Params, Serving, run, told
from native.speed.inference_server.workload import PREAMBLE, percentiles

pytestmark = pytest.mark.alone  # it measures


@pytest.mark.parametrize("way", WAYS)
def test_a_picture_adds_up(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("native.speed.inference_server.ROUNDS", 1)
    assert ROUNDS > 1
    log = list(run(Params(way=way, readers=9, blocks=40, prompt="Why ä?")))  # type: ignore[arg-type]
    for early, late in pairwise(log):
        assert late.clock > early.clock and (late.answered >= early.answered).all()
        assert (late.state[early.state == 4] == 4).all()
    for event in log:
        adds_up(event)
    last = log[-1]
    assert (last.state == 4).all() and (last.answered == last.wanted).all() and last.stage == "served"
    assert last.prompts[0] == len(PREAMBLE) + 6 and len(last.answer) == last.wanted[0] == 80
    place = WAYS.index(way)
    assert last.speed[place] == pytest.approx(1e3 * last.wanted.sum() / last.span, rel=1e-5)
    assert last.gain == pytest.approx(last.speed / last.speed[0])
    assert ((last.idle >= 0) & (last.idle < 1)).all() and last.idle[0] == 0
    assert ((last.unused >= 0) & (last.unused < 1)).all()


def adds_up(event: Serving) -> None:
    held = event.holders > 0
    assert ((event.owner >= 0) == held).all() and not event.filled[~held].any()
    assert event.filled.max(initial=0) <= BLOCK and (event.way == "paged" or event.holders.max() <= 1)
    serving = np.isin(event.state, (2, 3))
    lanes = event.lanes[serving]
    assert (lanes >= 0).all() and len(set(lanes.tolist())) == len(lanes) <= event.lane_count
    assert (event.computed <= event.prompts + event.answered).all()
    assert event.computed.max() <= CONTEXT
    if event.holders.max() <= 1:  # nobody shares: every computed token has its place
        assert event.filled.sum() == event.computed.sum()
    begin, first, end = event.stays.T
    assert (begin <= first).all() and (first <= end).all() and (end <= event.clock * 1.0001).all()
    for lane in range(event.lane_count):  # one after the other
        mine = event.stay_lane == lane
        assert (end[mine][:-1] <= begin[mine][1:] + 1e-3).all()


def test_percentiles_are_numpys() -> None:
    gaps = [np.array([1.0, 2.0]), np.array([3.0]), np.empty(0)]
    assert percentiles(gaps) == pytest.approx((2.0, np.quantile([1, 2, 3], 0.99)))
    assert np.isnan(percentiles([])).all()


@pytest.mark.parametrize(("readers", "words"), [(1, "The only request is done:"), (16, "All 16 are done:")])
def test_one_reader_is_not_all(readers: int, words: str) -> None:
    assert str(told(Params(readers=readers), np.ones(len(WAYS), np.float32))).startswith(words)

"""What the article on four ways to measure wrongly says, asked of its labs, of recordings, and of arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np
from article import Article, recorded
from labs.speed import launch_queue, past_the_row

says = Article("speed/05-four-ways-to-measure-wrongly.mdx").says


def test_the_numbers_of_the_essay() -> None:
    says("1.467 ms and 3.845 ms", "2.6 times apart")
    assert round(3.845 / 1.467, 1) == 2.6
    says("4.847 ms are 413 GFLOP/s", "0.340 ms are 735 GFLOP/s")
    assert [round(2 * n**3 / seconds / 1e9) for n, seconds in ((1000, 4.847e-3), (500, 0.340e-3))] == [413, 735]
    says("92 and 10, so Python takes about 920 times as long as NumPy")
    assert [round(each) for each in (5.529 / 0.060, 0.060 / 0.006, 5.529 / 0.006 / 10)] == [92, 10, 92]


def test_a_sentence_that_the_table_contradicts() -> None:
    says(
        "At 1,000 rows the table has 219.", "it divides the times of 500 rows, which makes 193, and speaks of 1,000"
    )
    last = recorded("speed/table_and_sentence", "kept")[-1]
    assert (round(last["factor"]), round(last["said"])) == (219, 193)
    says("The three are not similar at any size of the table")
    took = last["took"][:3]
    assert (took[:-1] > 2 * took[1:]).all()
    says("although the work is 32,768 times as much")
    assert (8192 / 256) ** 3 == 32768


def test_one_repetition() -> None:
    says("The slowest took … times as long as the fastest", "Medians of seven repetitions differ by a factor of …")
    shown = recorded("speed/one_repetition")[-1]
    times = shown["milliseconds"]
    assert shown["sizes"].tolist()[:3] == [1, 3, 7]
    assert np.isclose(shown["ratio"][0], times.max() / times.min())
    assert shown["ratio"][2] < 1.2 < shown["ratio"][0] and shown["first"] > shown["median"]


def test_the_store_that_runs_over() -> None:
    def over(**params: Any) -> list[past_the_row.Picture]:
        return list(past_the_row.run(past_the_row.Params(**params)))

    says("At $j = 496$ it stores eight numbers where the row has four left")
    assert [j for j in range(0, 500, 8) if j + 8 > 500] == [496] and 500 - 496 == 4
    log = over()
    says("At step 2 four numbers land in the next row")
    assert log[1].wrong[0] == 4 and log[2].at.tolist() == [1, 0] and log[2].wrong[0] == 0
    assert log[23].past[0] == 4 and log[24].stage == "check" and log[24].wrong[0] == 0
    says("where the halves meet, four numbers are wrong", "nearly every row is wrong")
    assert over(rows="two threads")[-1].wrong[0] == 4 and over(rows="last to first")[-1].wrong[0] == 4 * 11
    says("With 16 rows nothing is wrong at all, so a test that uses only multiples of eight finds nothing")
    assert over(n=16)[-1].past[0] == 0
    says(
        "3: two vectors have 16 lanes, the row has 13",
        "1,000 divided by 16 leaves 8, so the last vector goes 8 past the end",
    )
    assert over(n=13)[-1].past[0] == 3 and -1000 % 16 == 8 and 1024 % 16 == 0


def test_the_price_of_the_edge() -> None:
    says("at 50 rows, 18 columns are left over for the edge, and the step to *registers* makes the program slower")
    shown = recorded("speed/speedup_factors", "fifty")[-1]
    assert 50 % 32 == 18 and dict(zip(shown["changes"], shown["factor"][:, 1], strict=True))["registers"] < 1


def test_a_clock_that_does_not_wait() -> None:
    says("one of twelve products is done when it is read", "the clock reports the same time")
    small, large = (next(launch_queue.run(launch_queue.Params(n=n))) for n in (256, 8192))
    assert small.says[0, 0] == large.says[0, -1]
    first = next(launch_queue.run(launch_queue.Params()))
    assert (first.done, first.calls) == (1, 12)
    steps = [event.stage for event in launch_queue.run(launch_queue.Params())]
    assert [steps[n - 1] for n in (1, 2, 4)] == ["no wait", "cold", "events"]
    says("from 0.057 to 0.340 to 4.847 ms, and a clock that saw nothing but requests would not show that")


def test_the_clocks_of_a_gpu() -> None:
    says("Then follows what an H200 did, with 1,024 rows")
    *_, last = clocks = recorded("speed/gpu_timing")
    assert [each["measured"] for each in clocks].index(True) == 5 and last["n"] == 1024 and "H200" in last["gpu"]
    says("For small products the two agree, and neither shows the product")
    without, own = (last["says"][last["names"].index(name)] for name in ("no wait", "events"))
    assert 0.9 < without[0] / own[0] < 1.1
    says("the wrong clock makes the GPU look hundreds of times as fast as it is")
    assert 200 < own[5] / without[5] < 1000

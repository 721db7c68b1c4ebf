"""What the chapter on streams and events says, asked of its lab."""

from __future__ import annotations

from typing import Any

import numpy as np
from article import Article, recorded
from labs.models.streams.examples import EXAMPLES
from labs.models.streams.host import MARK
from labs.models.streams.moments import Moment
from labs.pytorch.cuda_streams import Params, run

says = Article("pytorch/08-streams-and-events.mdx").says


def last(name: str, **params: object) -> Moment:
    *_, event = run(Params(program=EXAMPLES.get(name, name), **params))  # type: ignore[arg-type]
    return event


def test_the_benchmark() -> None:
    says("a large matrix product takes … µs", "A matrix of twice the size takes exactly as long")
    for us in (100, 900, 3600):
        early, late, events = last(EXAMPLES["benchmark"].replace("900", str(us))).readings
        assert early.us == 12 and early.running and events.us == us < late.us
    says("`warm` was still running, and the wait includes the rest of it")
    event = last("benchmark")
    warm = next(each for each in event.work if each.label == "warm")
    late = event.readings[1]
    assert late.us == 900 + warm.end - late.start
    says("`elapsed_time` raises an error")
    assert any(each.stage == "stopped" for each in run(Params(program=EXAMPLES["not_ready"])))


def test_the_missing_wait() -> None:
    says("The figure marks the pair as having no order in both runs", "The result is right")
    wrong, lucky, mended = last("missing_wait"), last("lucky"), last("with_wait")
    assert [each.wrong for each in wrong.conflicts] == [True] and wrong.work[1].start < wrong.work[0].end
    assert [each.wrong for each in lucky.conflicts] == [False]
    says("the copy ends before the kernel is even launched")
    assert lucky.work[0].end < lucky.work[1].issued
    says("The host does not stop for either", "`default.wait_stream(copies)` does the same")
    assert not mended.conflicts and mended.work[1].start == mended.work[0].end
    one_line = EXAMPLES["missing_wait"].replace("loss", "default.wait_stream(copies)\nloss", 1)
    assert not last(one_line).conflicts


def test_the_default_stream() -> None:
    says("nothing overlaps any more", "a forgotten wait that would go unnoticed in plain CUDA is a bug in PyTorch")
    assert last("default_between", streams="blocking").overlap == 0 < last("default_between").overlap
    assert not last("missing_wait", streams="blocking").conflicts and last("missing_wait").conflicts


def test_copies() -> None:
    says("The second asks for `non_blocking` as well", "Prefetch. With a single stream nothing overlaps.")
    prefetch, pageable = last("prefetch"), last("pageable")
    assert prefetch.end < pageable.end and prefetch.overlap > pageable.overlap > last("benchmark").overlap == 0
    assert "non_blocking" in EXAMPLES["pageable"] and "pinned" not in EXAMPLES["pageable"]
    says("may print what was in that memory before")
    assert last("read_too_early").conflicts[0].second == -1


def test_memory_that_is_given_away() -> None:
    says("`y` is written while `total` still reads", "A second remedy is to let the default stream wait for `side`")
    event = last("reused_too_early")
    assert [each.wrong for each in event.conflicts] == [True]
    held = last("record_stream")
    assert not held.conflicts and len(held.blocks) == len(event.blocks) + 1
    assert not last(EXAMPLES["reused_too_early"].replace("del x", "default.wait_stream(side)\ndel x")).conflicts


def test_what_is_a_model() -> None:
    says("`record` and `wait` cost the host 2 µs")
    assert MARK == 2
    says("If the bug disappears, look for a missing wait")
    assert not last("missing_wait", launch_blocking=True).conflicts


def test_saved_by_a_slow_host() -> None:
    says("With a launch of", "The copy runs from $l$ to $l + 80$, and the kernel starts at $2l$")
    assert [last("missing_wait", launch=each).conflicts[0].wrong for each in (40, 60)] == [True, True]
    for launch in range(61, 100):
        event = last("missing_wait", launch=launch)
        assert event.conflicts[0].wrong == (launch < 80)
        assert (event.work[0].start, event.work[1].start) == (launch, 2 * launch)


def measured(name: str = "default") -> dict[str, Any]:
    return recorded("pytorch/streams_measured", name)[-1]


def test_the_same_programs_on_a_gpu() -> None:
    says("The model said that in `missing_wait` the kernel starts before the batch is there")
    copy, kernel = measured("missing_wait")["work"]
    assert kernel["start"] < copy["end"] and measured("missing_wait")["conflicts"][0]["wrong"]
    says("With the wait it starts after the copy")
    copy, kernel = measured("with_wait")["work"]
    assert kernel["start"] >= copy["end"] and not measured("with_wait")["conflicts"]
    says("A launch takes about three times the 12 µs of the model")
    launches = [
        span["end"] - span["start"]
        for name in ("default", "missing_wait", "default_between", "two_kernels")
        for span in measured(name)["host"]
        if span["doing"] == "launch" and span["line"] in {each["line"] for each in measured(name)["work"]}
    ]
    assert 2.5 < np.median(launches) / 12 < 3.5
    says("pageable memory is slower to copy, and the host stands still meanwhile")
    pageable, pinned = measured("pageable"), measured()
    copies = [
        [each["end"] - each["start"] for each in of["work"] if "to" in each["kind"]] for of in (pageable, pinned)
    ]
    assert min(copies[0]) > 2 * max(copies[1]) and pageable["end"] > 3 * pinned["end"]
    assert pageable["overlap"] == 0 < pinned["overlap"]


def test_turns_and_blocks_on_a_gpu() -> None:
    says("makes three kernels take turns that otherwise overlap")
    assert measured("tied")["overlap"] == 0 and measured("default_between")["overlap"] > 30
    says("into the block that `total` reads until")
    _, total, y = measured("reused_too_early")["work"]
    assert total["start"] < y["start"] < y["end"] < total["end"]
    says("So `d` starts at once and takes longer")
    *_, b, c, d = measured("two_kernels")["work"]
    assert c["end"] <= d["start"] < b["end"] and d["end"] - d["start"] > 1.2 * (b["end"] - b["start"])
    says("it makes `d` wait until the kernel fits as a whole")
    *_, b, c, d = last("two_kernels").work
    assert d.start >= b.end

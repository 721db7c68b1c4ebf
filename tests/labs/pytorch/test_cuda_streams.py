"""Order, room and waits for any program, its examples, and the rules of the documentation."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.contract import LabError
from labs.models.streams.examples import EXAMPLES
from labs.models.streams.moments import Moment
from labs.pytorch.cuda_streams import Params, run


def last(program: str, **params: object) -> Moment:
    *_, event = run(Params(program=program, **params))  # type: ignore[arg-type]
    return event


# -- whatever the program: order, waits, room ----------------------------------------------------------------------


@st.composite
def crowded(draw: st.DrawFn) -> str:
    """Kernels that do not always fit, and copies that wait for their engine."""
    lines = ["s = Stream()", "t = Stream()", "x = empty()"]
    waits = ["s.wait_stream(t)", "t.wait_stream(default)"] if draw(st.booleans()) else []
    for n in range(draw(st.integers(3, 16))):
        us, share = draw(st.integers(1, 80)), draw(st.sampled_from([20, 40, 60, 100]))
        what = draw(
            st.sampled_from(
                [
                    f"y{n} = kernel({us}, share={share})",
                    f"z{n} = to_device({us}, pinned=True, non_blocking=True)",
                    f"h{n} = to_host({us}, x, pinned=True, non_blocking=True)",
                    *waits,
                ]
            )
        )
        lines += [f"with stream({draw(st.sampled_from(['default', 's', 't']))}):", f"    {what}"]
    return "\n".join([*lines, "end = kernel(5)"])


@settings(max_examples=120)
@given(crowded(), st.integers(1, 30))
def test_order_room_and_no_engine_idle(program: str, launch: int) -> None:
    events = list(run(Params(program=program, launch=launch)))
    end = events[-1]
    for name in end.streams:
        mine = [each for each in end.work if each.stream == name]
        assert all(one.end <= other.start for one, other in pairwise(mine))
    assert all(each.issued <= each.start for each in end.work)
    assert all(each.percent <= 100 for each in end.compute)
    for kind in ("to device", "to host"):
        turns = sorted((each.start, each.end) for each in end.work if each.kind == kind)
        assert all(one[1] <= other[0] for one, other in pairwise(turns))
    # Work is conserved: nothing waits that is ready and fits. Where no stream waits for another, an operation is
    # ready once it has been issued and the one ahead of it has ended.
    if "wait" not in program:
        for each in end.work:
            ahead = [other.end for other in end.work if other.stream == each.stream and other.number < each.number]
            for at in range(max([each.issued, *ahead]), each.start):
                running = [other for other in end.work if other.start <= at < other.end and other.kind == each.kind]
                assert running and (each.kind != "kernel" or sum(o.share for o in running) + each.share > 100)
    assert [each.now for each in events] == sorted(each.now for each in events)
    assert sum(each.end - each.start for each in end.work if each.kind == "kernel") >= sum(
        each.end - each.start for each in end.compute
    )


@settings(max_examples=60)
@given(crowded())
def test_a_picture_is_what_was_to_be_seen_then(program: str) -> None:
    *events, end = run(Params(program=program))
    final = {each.number: each for each in end.work}
    for event in [*events, end]:
        for each in event.work:
            whole = final[each.number]
            assert (each.start, each.end) == (whole.start, min(whole.end, event.now))
            assert each.running == (whole.end > event.now)
        assert {each.number for each in event.work} == {n for n, each in final.items() if each.start <= event.now}
        busy = [sum(w.start <= at < w.end for w in event.work) for at in range(event.now)]
        assert (event.ran, event.overlapped) == (sum(n > 0 for n in busy), sum(n > 1 for n in busy))


# -- what the documentation says -----------------------------------------------------------------------------------


def test_the_clocks_of_the_benchmark() -> None:
    event = last(EXAMPLES["benchmark"])
    assert [(each.clock, each.us, each.running) for each in event.readings] == [
        ("host", 12, True),
        ("host", 1198, False),
        ("events", 900, False),
    ]


def test_the_legacy_default_stream_stands_between_blocking_streams() -> None:
    """The example of NVIDIA's documentation: k_2 will block on k_1, and k_3 will block on k_2."""
    program = "s = Stream()\nwith stream(s):\n    a = kernel(50, share=1)\nb = kernel(50, share=1)\n"
    program += "with stream(s):\n    c = kernel(50, share=1)\n"
    a, b, c = last(program, streams="blocking").work
    assert a.end == b.start and b.end == c.start
    for params in ({"streams": "non-blocking"}, {"streams": "blocking", "default_stream": "per-thread"}):
        a, b, c = last(program, **params).work
        assert b.start < a.end and c.start == a.end


@pytest.mark.parametrize(
    ("name", "races", "wrong"),
    [
        ("missing_wait", 1, 1),
        ("lucky", 1, 0),
        ("with_wait", 0, 0),
        ("prefetch", 0, 0),
        ("pageable", 0, 0),
        ("reused_too_early", 1, 1),
        ("record_stream", 0, 0),
        ("read_too_early", 1, 1),
        ("benchmark", 0, 0),
    ],
)
def test_the_examples_race_where_they_say_so(name: str, races: int, wrong: int) -> None:
    event = last(EXAMPLES[name])
    assert (len(event.conflicts), sum(each.wrong for each in event.conflicts)) == (races, wrong)


def test_launch_blocking_hides_every_race_and_all_overlap() -> None:
    for program in EXAMPLES.values():
        event = last(program, launch_blocking=True)
        assert not event.conflicts and not event.overlapped


def test_only_pinned_and_non_blocking_copies_let_the_host_go_on() -> None:
    waited = {
        options: last(f"x = to_device(50{options})").host_waited
        for options in ("", ", pinned=True", ", non_blocking=True", ", pinned=True, non_blocking=True")
    }
    assert [*waited.values()] == [50, 50, 50, 0]


def test_elapsed_time_of_an_event_that_has_not_happened_stops_the_program() -> None:
    events = list(run(Params(program=EXAMPLES["not_ready"])))
    assert [each.stage for each in events if each.stage == "stopped"] == ["stopped"]
    assert events[-1].work[0].end == 314 and not events[-1].readings


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("x = kernel(0)", "Line 1, column 5: the first argument is how long"),
        ("x = kernel(10, y)", "Line 1: y is not a tensor on the device"),
        ("\nkernel(10)", "Line 2, column 1: give the result of kernel a name"),
        ("with stream(s):\n    x = kernel(1)", "Line 1: s is no stream; make it with s = Stream"),
        ("import torch", "Line 1, column 1: this is not taken here"),
        ("x = kernel(1, share=101)", "share is the part"),
        ("x = kernel(1, shares=1)", "shares is not taken by this call"),
        ("for i in range(61):\n    x = kernel(1)", "at most 60 turns"),
        ("for i in range(60):\n    x = kernel(1)\n    y = kernel(1)", "more than 60 lines"),
        ("e = Event()\nprint(e.elapsed_time(e))", "record both events"),
        ("default = kernel(1)", "default is a stream already"),
        ("s = Stream()\ns = Stream()", "s has a meaning already"),
        ("s = Stream()", "launches nothing"),
        ("a = Stream()\nb = Stream()\nc = Stream()\nd = Stream()\ne = Stream()", "at most 4 streams"),
        ("x = kernel(1)\nprint(x)", "x is not what to_host has made"),
        ("x = kernel(1", "Line 1"),
        ("x = open('a')", "open gives nothing a name"),
        ("x.__class__()", "this call is not known here"),
    ],
)
def test_what_is_wrong_with_a_program_is_said_with_its_line(program: str, words: str) -> None:
    with pytest.raises(LabError, match=words.replace("(", r"\(")):
        list(run(Params(program=program)))


def test_a_wait_that_is_written_twice_is_one_arrow() -> None:
    event = last("s = Stream()\nx = kernel(50)\ns.wait_stream(default)\ns.wait_stream(default)\ny = kernel(1)")
    assert [(each.source, each.target, each.until) for each in event.arrows] == [("default", "s", 62)]

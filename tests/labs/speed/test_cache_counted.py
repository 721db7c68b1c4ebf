"""Six orders of loops: the products against NumPy, the model against ordered dicts, the counters against Linux."""

from __future__ import annotations

import errno
import mmap
import random
import resource
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from labs.contract import LabError
from labs.models.matmul import ORDERS, nest
from labs.speed.cache_walk.cache import Cache
from native.models.aligned import LINE, PAGE, aligned
from native.speed import cache_counted
from native.speed.cache_counted import USUAL, Geometry, Params, Walk, counters, geometry, run
from native.speed.cache_counted.counters import FIRST_CACHE_MISSES, PAGE_FAULTS, count

FLOAT = 4
QUICK = Params(n=64, repetitions=3)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_counted, "PATIENCE", 0.01)


@pytest.mark.parametrize("order", range(len(ORDERS)), ids=ORDERS)
@pytest.mark.parametrize(("passes", "padding"), [(64, 0), (64, 9), (5, 0)])
def test_each_order_multiplies(order: int, passes: int, padding: int) -> None:
    walk = Walk(Params(n=64, padding=padding), USUAL)
    walk.passes = passes
    walk.multiply(order, 2)  # onto what is there: twice the product
    a, b, c = (each.reshape(64, 64 + padding)[:, :64].astype(np.float64) for each in (walk.a, walk.b, walk.c))
    made = {"i": (slice(passes), slice(None), slice(None)), "j": (slice(None), slice(passes), slice(None))}
    rows, columns, inner = made.get(ORDERS[order][0], (slice(None), slice(None), slice(passes)))
    exact = np.zeros_like(c)
    exact[rows, columns] = 2 * a[rows, inner] @ b[inner, columns]
    np.testing.assert_allclose(c, exact, atol=1e-4)


@pytest.mark.parametrize("order", range(len(ORDERS)), ids=ORDERS)
@pytest.mark.parametrize("seed", range(4))
def test_the_model_is_the_one_of_the_cache_walk(order: int, seed: int) -> None:
    """Ordered dicts in Python, at the same addresses."""
    draw = random.Random(f"{order} {seed}")
    cache = Geometry(draw.choice([16, 64, 128]), draw.choice([1, 4, 8, 64]), draw.randint(1, 12))
    n, padding = draw.randint(5, 24), draw.randint(0, 20)
    walk = Walk(Params(n=64), cache)
    walk.params, walk.pitch, walk.passes = Params(n=n, padding=padding), n + padding, draw.randint(1, n)
    plain = Cache(cache.sets, cache.ways)
    missed = np.zeros(3, int)
    for i, j, k in nest(ORDERS[order], n, n)[: walk.passes * n * n].tolist():
        for place, (array, row, column) in enumerate(((walk.a, i, k), (walk.b, k, j), (walk.c, i, j))):
            line = (array.ctypes.data + FLOAT * (row * walk.pitch + column)) // cache.line
            missed[place] += line not in plain
            plain.touch(line)
    assert walk.model(order).tolist() == missed.tolist()


@pytest.mark.usefixtures("short")
def test_a_run_follows_each_order() -> None:
    *orders, last = run(Params(n=128, repetitions=3))
    assert [event.stage for event in orders] == list(ORDERS) and last.stage == "all"
    for done, event in enumerate(orders, 1):
        assert np.isfinite(event.took[:done]).all() and np.isnan(event.took[done:]).all()
        assert np.isfinite(event.expected[:done]).all() and np.isnan(event.expected[done:]).all()
    assert (last.took > 0).all() and (np.diff(last.took) >= 0).all()
    assert last.passes == 128
    slow, quick = (int(each(last.took[:, 1])) for each in (np.argmax, np.argmin))
    assert last.text.startswith(f"{ORDERS[slow]} takes ") and f"as long as {ORDERS[quick]}" in last.text


@pytest.mark.usefixtures("short")
def test_the_outermost_loop_ends_early_where_all_of_it_would_take_too_long() -> None:
    event = next(run(Params(n=1024, repetitions=3)))
    assert event.passes == 16 and event.expected[0].sum() == pytest.approx(1, abs=0.1)


def test_a_column_of_a_round_number_of_rows_finds_no_room() -> None:
    """64 sets of 12 lines: with 512 floats in a row all lines of a column lie in two sets, with 500 in many."""
    cache = Geometry(64, 64, 12)
    round_, padded = (Walk(Params(n=512, padding=padding), cache) for padding in (0, 16))
    ijk = ORDERS.index("ijk")
    assert round_.model(ijk)[1] > 0.9 * round_.steps and padded.model(ijk)[1] < 0.1 * padded.steps


def test_the_cache_is_this_machines_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_counted, "FIRST_CACHE", tmp_path)
    assert geometry() == USUAL
    for name, value in (("coherency_line_size", 128), ("number_of_sets", 256), ("ways_of_associativity", 4)):
        (tmp_path / name).write_text(f"{value}\n")
    assert geometry() == Geometry(128, 256, 4)


@pytest.mark.parametrize("size", [1, 1000, 5000])
@pytest.mark.parametrize("to", [LINE, PAGE])
def test_arrays_begin_where_they_should(size: int, to: int) -> None:
    array = aligned(size, to)
    assert len(array) == size and array.ctypes.data % to == 0


# -- counters ---------------------------------------------------------------------------------------------


def touch(pages: int) -> None:
    with mmap.mmap(-1, pages * PAGE) as fresh:
        fresh.madvise(mmap.MADV_NOHUGEPAGE)
        for page in range(pages):
            fresh[page * PAGE] = 1


def test_page_faults_are_those_that_linux_tells_otherwise() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    try:
        counted = count(PAGE_FAULTS, lambda: touch(300))
    except LabError as problem:  # a machine that lends not even these has to say by what
        assert "perf_event_paranoid" in str(problem)
    else:
        told = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
        assert 300 <= counted <= told


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (errno.EACCES, "perf_event_paranoid is 4"),
        (errno.EPERM, "perf_event_paranoid is 4"),
        (errno.ENOENT, "most virtual machines have none"),
        (errno.EMFILE, "Too many open files"),
    ],
)
def test_a_refusal_says_why(error: int, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing:
        def syscall(self, *_: object) -> int:
            return -1

    (tmp_path / "level").write_text("4\n")
    monkeypatch.setattr(counters, "PARANOID", tmp_path / "level")
    monkeypatch.setattr(counters.ctypes, "CDLL", lambda *_, **__: Refusing())
    monkeypatch.setattr(counters.ctypes, "get_errno", lambda: error)
    with pytest.raises(LabError, match=words):
        count(FIRST_CACHE_MISSES, lambda: None)


def test_elsewhere_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counters.platform, "system", lambda: "Darwin")
    with pytest.raises(LabError, match="only through Linux"):
        count(PAGE_FAULTS, lambda: None)


@pytest.mark.usefixtures("short")
def test_what_is_counted_is_shown_for_each_multiply_add(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def counting(event: counters.Event, work: Callable[[], object]) -> int:
        asked.append(event)
        work()
        return 64**3 // 4

    monkeypatch.setattr(counters, "count", counting)
    log = list(run(QUICK))
    assert asked == [FIRST_CACHE_MISSES] * len(ORDERS)
    assert "the processor counts 0.25, and each takes" in log[0].text
    assert (log[-1].counted == 0.25).all() and not log[-1].refused


@pytest.mark.usefixtures("short")
def test_where_nothing_is_counted_the_reason_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(*_: object) -> int:
        raise LabError("Not here.")

    monkeypatch.setattr(counters, "count", refusing)
    log = list(run(QUICK))
    assert np.isnan(log[-1].counted).all() and log[-1].refused == "Not here."
    assert "counts" not in log[0].text

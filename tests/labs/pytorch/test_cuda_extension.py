"""Results against torch in float64; blocks, idle threads, missed and overwritten places against closed forms."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import torch
from labs.contract import LabError
from native.models.cuda_driver import build
from native.pytorch.cuda_extension import MOST_STEPS, Launch, Params, run
from native.pytorch.cuda_extension.memory import CANARY, Call, launch, prepare
from native.pytorch.cuda_extension.plan import LOOP_BLOCKS

EDGES = (1, 31, 32, 33, 1023, 1024, 1025)
SHAPES = [(rows, columns) for rows in (1, 3, 4) for columns in EDGES]


def last(params: Params) -> Launch:
    *_, event = run(params)
    return event


def drawn(seed: int) -> Params:
    rng = random.Random(seed)
    return Params(
        kernel=rng.choice(("scale_shift", "strided", "row_sum")),
        rows=rng.randint(1, 4),
        columns=rng.randint(1, 1025),
        threads=rng.choice((1, 7, *EDGES[1:-1], rng.randint(1, 1024))),
        seed=seed,
    )


def numbers(params: Params) -> torch.Tensor:
    """The tensor of a call, made anew."""
    generator = torch.Generator().manual_seed(params.seed)
    n = params.rows * params.columns
    x = (torch.randperm(n, generator=generator) + 1).double().view(params.rows, params.columns)
    return x.T if params.tensor == "x.T" else x


def right(params: Params, x: torch.Tensor) -> np.ndarray:
    return (x.sum(1) if params.kernel == "row_sum" else x.flatten() * 2 + 1).numpy()


def called(params: Params, order: int = 0) -> Call:
    call = prepare(params)
    assert launch(params, call, order)
    return call


@pytest.mark.parametrize("seed", range(60))
def test_with_all_checks_it_is_what_torch_computes(seed: int) -> None:
    params = drawn(seed)
    call = called(params)
    assert (call.y.numbers == right(params, numbers(params))).all()
    assert last(params).wrong == last(params).damaged == last(params).missed == 0
    assert not np.isin(last(params).threads, (0, 3)).any()


@pytest.mark.parametrize(("rows", "columns"), SHAPES)
def test_blocks_idle_threads_and_what_is_overwritten(rows: int, columns: int) -> None:
    n = rows * columns
    for threads in (*EDGES[:-1], 100):
        params = Params(rows=rows, columns=columns, threads=threads)
        event, bare = last(params), last(replace(params, no_guard=True))
        assert event.blocks == math.ceil(n / threads)
        assert event.idle == event.blocks * threads - n == bare.damaged == bare.looked
        assert bare.wrong == 0 and bare.idle == 0
        # The places right behind the end, and no others.
        end = bare.before + n
        assert np.flatnonzero(bare.y == 4).tolist() == list(range(end, end + event.idle))
        assert bare.writer[end : end + event.idle].tolist() == list(range(n, n + event.idle))
        short = last(replace(params, round_down=True, no_error_check=True))
        assert short.blocks == n // threads and short.missed == short.wrong == n - n // threads * threads


def test_a_loop_over_the_grid_needs_no_certain_number_of_blocks() -> None:
    for (rows, columns), threads in product(SHAPES, (31, 32, 100)):
        n = rows * columns
        params = Params(kernel="strided", rows=rows, columns=columns, threads=threads, round_down=n >= threads)
        event, bare = last(params), last(replace(params, no_guard=True))
        wanted = n // threads if n >= threads else math.ceil(n / threads)
        assert event.blocks == min(wanted, LOOP_BLOCKS) and event.wrong == 0
        stride = event.blocks * threads
        assert bare.damaged == math.ceil(n / stride) * stride - n


@pytest.mark.parametrize("order", (0, 1, 2))
def test_sums_of_rows_in_every_order_of_threads(order: int) -> None:
    """A barrier that is missing shows in one of the orders."""
    for columns, threads in product((1, 33, 100, 1025), (1, 3, 32, 33, 100, 1024)):
        params = Params(kernel="row_sum", columns=columns, threads=threads, seed=order)
        assert (called(params, order).y.numbers == right(params, numbers(params))).all()


def test_what_was_read_is_drawn() -> None:
    for columns, threads in product((1, 25, 100), (32, 100)):
        first, *_, event = run(Params(columns=columns, threads=threads, no_guard=True))
        assert np.bincount(first.x, minlength=5)[1:].tolist() == [4 * columns, 0, 0, 0]
        over = math.ceil(4 * columns / threads) * threads - 4 * columns
        assert np.bincount(event.x, minlength=5)[1:].tolist() == [0, 4 * columns, 0, over]
        sums = last(Params(kernel="row_sum", columns=columns, threads=threads, no_guard=True))
        reach = math.ceil(columns / threads) * threads - columns
        strays = 3 * min(reach, columns)  # of the three rows that lie behind another
        assert np.bincount(sums.x, minlength=5)[1:].tolist() == [0, 4 * columns - strays, strays, reach]


def test_sums_without_the_guard_take_numbers_of_others() -> None:
    for columns, threads in product((1, 25, 33, 1023), (32, 100, 1024)):
        params = Params(kernel="row_sum", columns=columns, threads=threads, no_guard=True)
        reach = math.ceil(columns / threads) * threads
        memory = np.concatenate([numbers(params).flatten().numpy(), np.full(reach, float(CANARY))])
        sums = [memory[row * columns : row * columns + reach].sum() for row in range(4)]
        assert called(params).y.numbers.tolist() == sums


def test_a_transposed_tensor_is_read_in_the_order_of_its_memory() -> None:
    for (rows, columns), kernel in product([(2, 2), (3, 31), (4, 33), (4, 1), (1, 9)], ("scale_shift", "row_sum")):
        params = Params(kernel=kernel, tensor="x.T", rows=rows, columns=columns)
        assert last(params).wrong == 0
        missing = replace(params, no_contiguous=True)
        event, x = last(missing), numbers(params)
        read = x.T.contiguous().view(columns, rows)  # the memory in its order, in the shape of the tensor
        assert event.wrong == int((right(params, read) != right(params, x)).sum())
        copied = next(check for check in last(params).checks if check.name == "order")
        assert copied.state == ("made" if x.is_contiguous() else "copied")


def test_numbers_of_64_bits_read_as_32() -> None:
    for kernel, columns in product(("scale_shift", "strided", "row_sum"), (1, 25, 100)):
        params = Params(kernel=kernel, tensor="x.double()", columns=columns)
        assert last(params).stage == "refused" and "found Double" in last(params).error
        missing = replace(params, no_dtype=True)
        halves = numbers(params).numpy().view(np.float32).flatten()[: 4 * columns].reshape(4, columns)
        got = called(missing).y.numbers
        assert np.allclose(got, right(params, torch.from_numpy(halves.copy()).double()), rtol=1e-6)
        assert last(missing).wrong == len(got)
        assert int((last(missing).x == 2).sum()) == 4 * columns  # of twice as many


def test_a_stream_that_does_not_wait_reads_what_is_not_there_yet() -> None:
    for columns in (1, 25, 1025):
        event = last(Params(columns=columns, other_stream=True))
        n = 4 * columns
        assert event.wrong == n - n // 2 and event.wrong_at[0] == n // 2
        assert (event.wrong_is == 1).all()  # of zeros


def test_a_launch_that_cuda_refuses() -> None:
    for params in (
        Params(threads=1025),
        Params(columns=1, round_down=True),
        Params(kernel="row_sum", threads=1056),
    ):
        assert [event.stage for event in run(params)] == ["launch", "refused"]
        silent = last(replace(params, no_error_check=True))
        assert silent.stage == "result" and silent.missed == silent.wrong == int((silent.y == 3).sum())
        assert not silent.error
    assert last(Params(threads=1024)).stage == "result"


def test_a_check_is_missed_exactly_where_something_goes_wrong() -> None:
    switches = ("no_guard", "round_down", "no_contiguous", "no_dtype", "other_stream", "no_error_check")
    for switch, tensor, threads, kernel in product(
        switches, ("x", "x.T", "x.double()"), (25, 32, 1025), ("scale_shift", "strided", "row_sum")
    ):
        event = last(Params(kernel=kernel, tensor=tensor, columns=10, threads=threads, **{switch: True}))
        if event.stage == "result":
            missed = any(check.state == "missed" for check in event.checks)
            assert missed == bool(event.wrong or event.damaged or event.looked), (switch, tensor, threads, kernel)


def test_blocks_are_shown_in_a_few_steps() -> None:
    for params in (Params(threads=1, columns=1025), Params(tensor="x.T", kernel="row_sum", columns=500), Params()):
        log = list(run(params))
        assert len(log) <= MOST_STEPS + 2
        steps = [event for event in log if event.stage == "blocks"]
        assert [event.first for event in steps[1:]] == [event.last + 1 for event in steps[:-1]]
        assert steps[0].first == 0 and steps[-1].last == steps[-1].blocks - 1


def test_more_threads_than_a_picture_holds_are_refused() -> None:
    with pytest.raises(LabError, match="choose fewer threads"):
        last(Params(kernel="row_sum", tensor="x.T", columns=1025, threads=1024))


@pytest.mark.parametrize("arch", ("sm_80", "sm_90"))
@pytest.mark.parametrize("defines", ((), ("UNGUARDED",)))
def test_nvidias_compiler_takes_the_same_source(arch: str, defines: tuple[str, ...]) -> None:
    resources = build("extension.cu", arch, defines).resources
    assert {*resources} == {"scale_shift", "strided", "row_sum"}
    assert resources["row_sum"].shared >= 4096 and not any(each.spilled for each in resources.values())

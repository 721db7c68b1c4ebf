"""Gradients against one process, the group's end against ways to die, and what is computed of times by hand."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from labs.contract import LabError
from native.pytorch.ddp_overlap import LOOPBACK, MEASURES, Moment, Params, check, group, run
from native.pytorch.ddp_overlap.network import in_a_ring
from native.pytorch.ddp_overlap.schedule import busy_and_hidden
from native.pytorch.ddp_overlap.train import Job, Told

JOB = Job(processes=2, layers=2, bucket="1 MiB", delay=0, rate=0, straggler=0, repetitions=3)


def log(**params: Any) -> list[Moment]:
    return list(run(Params(**{"layers": 2, "repetitions": 3, **params})))


def test_two_processes_have_the_bits_of_one() -> None:
    found = log(bucket="every parameter")
    last = found[-1]
    assert MEASURES and LOOPBACK
    assert [each.stage for each in found if each.stage == "compared"] == ["compared"]
    assert [each.now for each in found] == sorted(each.now for each in found)
    assert last.gradients == ["2.bias", "2.weight", "1.bias", "1.weight"] and list(last.home) == [0, 1, 2, 3]
    assert list(last.buckets) == [2, 1024, 2, 1024] and last.sent == pytest.approx(2 * (1 + 2 / 1024))
    assert last.processes_agree and last.same_bits == 1 and last.of_bound == 0
    assert last.whole_same_bits < 1 and (last.error < 1e-6).all()
    launched, start, done = np.moveaxis(last.network, 2, 0)
    assert (launched <= start).all() and (start < done).all() and (done <= last.end).all()
    assert (np.diff(start, axis=1) > 0).all(), "one bucket after the other"
    assert (np.diff(last.compute, axis=2) > 0).all()
    assert 0 <= last.hidden <= last.busy and (last.took > 0).all()
    # The last bucket is full when backward ends, on every process.
    assert (launched[:, -1] >= last.compute[:, -1, 1]).all()


def test_more_processes_stay_within_the_bound() -> None:
    last = log(processes=3, bucket="default", link="loopback")[-1]
    assert list(last.buckets) == [1026, 1026], "1 MiB for the first, and 25 for the others"
    assert last.processes_agree and 0 < last.of_bound <= 1 and 0.5 < last.same_bits < 1


def test_the_bound_holds_for_every_order_and_is_nearly_reached() -> None:
    random = np.random.default_rng(18)
    for count in (2, 3, 4):
        each = random.standard_normal((count, 20_000)).astype(np.float32)
        in_turn, bound = check.averaged(each)
        for start in range(count):
            order = [(start + n) % count for n in range(count)]
            other, _ = check.averaged(each[order])
            reached = check.of_bound(other, in_turn, bound)
            assert reached <= 1 and (count > 2 or reached == 0)
            assert check.of_bound(other + np.float32(1e-5), in_turn, bound) > 1
    assert check.of_bound(np.float32([1]), np.float32([0]), np.zeros(1)) == np.inf


def test_what_is_hidden_by_hand() -> None:
    compute = np.zeros((2, 3, 2))
    compute[:, -1, 1] = 10, 4
    network = np.array([[[1, 2, 5], [5, 8, 12], [10, 12, 13]]] * 2, float)
    np.testing.assert_allclose(busy_and_hidden(compute, network), [[8, 5], [8, 2]])


def test_what_a_ring_takes_by_hand() -> None:
    assert in_a_ring(1000, 2, 0.5, 0) == 1
    assert in_a_ring(1000, 4, 0.5, 250) == pytest.approx(6 * (0.5 + 1))


def left() -> list[int]:
    """Processes that this one started, and theirs."""
    return [each.pid or 0 for each in multiprocessing.active_children()]


def dies(job: Job, rank: int, folder: Path) -> Told:
    """Backward of the last process ends it, while the first waits for its gradients."""
    if rank == job.processes - 1:
        torch.Tensor.backward = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[method-assign]
    return train(job, rank, folder)


train = group.train


def test_a_process_that_dies_ends_the_run_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group, "train", dies)
    with pytest.raises(LabError, match="Process 2 of 2 ended early, by SIGKILL"):
        group.trained(JOB)
    assert not left()


def sleeps(_: Job, rank: int, folder: Path) -> Told:
    (folder / str(rank)).touch()
    time.sleep(60)
    raise AssertionError


def lab_on_its_own(tell: Any) -> None:
    """A run whose processes say who they are, and then go on for long."""

    def says(job: Job, rank: int, folder: Path) -> Told:
        tell.send(os.getpid())
        return sleeps(job, rank, folder)

    group.train = says
    group.trained(JOB)


def test_a_run_that_is_killed_leaves_no_orphan() -> None:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    run_of_lab = context.Process(target=lab_on_its_own, args=(theirs,))
    run_of_lab.start()
    pids = [ours.recv() for _ in range(JOB.processes) if ours.poll(30)]
    assert len(pids) == JOB.processes
    run_of_lab.kill()  # it alone, and not its group
    run_of_lab.join()
    deadline = time.monotonic() + 10
    while (alive := [pid for pid in pids if not gone(pid)]) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not alive


def gone(pid: int) -> bool:
    """Also if nobody has asked for its end yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True

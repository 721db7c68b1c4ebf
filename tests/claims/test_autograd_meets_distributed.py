"""What the chapter on distributed training says, asked of its labs, their recordings, and torch."""

from __future__ import annotations

import inspect
import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import torch.distributed as dist
from article import CONTENT, Article, machine, recorded
from labs.pytorch.ring_all_reduce import Params, State, run
from native.pytorch.ddp_overlap import Params as Overlap
from native.pytorch.ddp_overlap.network import LINKS, in_a_ring
from native.pytorch.ddp_overlap.train import CAPS, SAMPLES, WIDTH, network
from torch.nn.parallel import distributed

ARTICLE = Article("pytorch/18-autograd-meets-distributed.mdx")
says = ARTICLE.says
MIB = 1 << 20


def last(name: str = "default") -> dict[str, Any]:
    return recorded("pytorch/ddp_overlap", name)[-1]


def ring(**params: Any) -> list[State]:
    return list(run(Params(**params)))


def test_the_default_hides_little_and_one_argument_much() -> None:
    says("Two processes train a model with 8 MiB of weights", "With one more argument, `bucket_cap_mb=1`, it hides")
    assert Overlap().processes == 2 and Overlap().bucket == "1 MiB" and Overlap().link == "2.5 Gbit/s"
    weights = sum(each.nbytes for each in network(Overlap().layers).parameters() if each.ndim == 2)
    assert weights == 8 * MIB
    assert last()["overlap"][1] >= 0.7, "what the lab is asked for on two processes with its own network"
    assert last("default_bucket")["overlap"][1] < 0.7 * last()["overlap"][1]
    says("Our 8 MiB make two buckets: the last layer, and everything else", "seven of the eight could be hidden")
    two, eight = last("default_bucket"), last()
    assert [list(two["home"]).count(n) for n in range(2)] == [2, 14] and set(two["layers"][:2]) == {8}
    assert len(eight["buckets"]) == 8
    says("more than one bucket is still on its way when backward ends", "takes much longer than the last")
    moved, ends = eight["network"][0], eight["compute"][0, -1, 1]
    assert (moved[:, 2] > ends).sum() > 1
    assert moved[0, 2] - moved[0, 1] > 1.5 * (moved[-1, 2] - moved[-1, 1])
    says("A step then takes … ms instead of … ms, which is what the same buckets take if they leave after backward")
    alone, after, overlapping = eight["took"][:, 1]
    assert alone < overlapping < after
    says("A step gets shorter by much less: … ms instead of … ms")
    assert 0 < 1 - overlapping / two["took"][2, 1] < eight["overlap"][1] - two["overlap"][1]


def test_the_sizes_of_buckets() -> None:
    says("A bucket is closed as soon as it has reached its size, and a gradient is never cut in two")
    says(
        "The default size is 25 MiB, with 1 MiB for the first bucket",
        "A size that you set holds for the first bucket",
    )
    create = distributed._BucketCapacityConfig.create
    assert create(None, None, use_python_reducer=False).bucket_bytes_cap == 25 * MIB
    assert create(None, None, use_python_reducer=False).first_bucket_bytes_cap == MIB
    assert create(1, None, use_python_reducer=False).first_bucket_bytes_cap == MIB
    assert create(25, None, use_python_reducer=False).first_bucket_bytes_cap == 25 * MIB
    says("After the first step, which has a single bucket", "unless `find_unused_parameters` is set")
    unsorted = create(1, None, use_python_reducer=False).compute_bucket_size_limits(False, False)
    assert unsorted == ([sys.maxsize], [])
    assert create(1, None, use_python_reducer=False).compute_bucket_size_limits(False, True)[0] == [MIB]
    says("one size for each bucket in turn, and the last size for all that follow")
    listed = create(None, [4, 2, 1], use_python_reducer=False).compute_bucket_size_limits(False, False)[1]
    layers = [torch.empty(MIB, dtype=torch.uint8) for _ in range(8)]
    found, _ = dist._compute_bucket_assignment_by_size(layers, listed)  # type: ignore[attr-defined]
    assert [len(each) for each in found] == [4, 2, 1, 1]
    task = _task()
    for sizes, cap, first in (*task.cases(), ([4, 2, 9, 1, 1, 8, 3], 10, 4)):
        tensors = [torch.empty(size, dtype=torch.uint8) for size in reversed(sizes)]
        found, _ = dist._compute_bucket_assignment_by_size(tensors, [first, cap])  # type: ignore[attr-defined]
        expected = tuple(tuple(len(sizes) - 1 - n for n in each) for each in found)
        assert task.bucketed(sizes, cap, first) == expected


def _task() -> Any:
    path = CONTENT / "pytorch/tasks/bucketed.py"
    names: dict[str, Any] = {}
    exec(compile(path.read_text(), str(path), "exec"), names)
    return type("Task", (), {name: staticmethod(names[name]) for name in ("bucketed", "cases")})


def test_a_hook_is_at_each_accumulate_grad() -> None:
    says("each parameter has a node, AccumulateGrad, that adds to its `.grad`")
    parameter = torch.zeros(1, requires_grad=True)
    assert (parameter * 1).grad_fn.next_functions[0][0].name().endswith("AccumulateGrad")  # type: ignore[union-attr]


def test_the_last_bucket_cannot_be_hidden() -> None:
    says("The last bucket contains the gradients of the first layer", "none of its time can be hidden")
    for name in ("default", "default_bucket", "straggler"):
        found = last(name)
        assert set(found["layers"][found["home"] == len(found["buckets"]) - 1]) >= {1}
        assert (found["network"][:, -1, 1] >= found["compute"][:, -1, 1]).all()


def test_delays_alone() -> None:
    says("the 16 all-reduces spend 160 ms on delays alone", "Eight of the 16 carry a bias of 2 KiB")
    assert in_a_ring(0, 2, 5, 0) * 2 * Overlap().layers == 160 and 4 * WIDTH == 2048
    assert CAPS["every parameter"] * MIB < 2048  # type: ignore[operator]
    says("as long as a link of 2.5 Gbit/s would have taken")
    assert LINKS["2.5 Gbit/s"] == 2.5e9 / 8


def test_a_straggler_decides() -> None:
    says("The first one finishes backward early, and has gained nothing")
    found = last("straggler")
    assert found["compute"][0, -1, 1] < found["compute"][1, -1, 1]
    says("Each of its buckets waits for the other process before a byte moves")
    waits = found["network"][0, :, 1] - found["network"][0, :, 0]
    assert (waits > 0).all() and np.median(waits) > 5
    assert found["took"][2, 1] > last()["took"][2, 1]


def test_a_star_a_ring_and_a_tree() -> None:
    says("with $n$ processes it receives $(n-1)S$ bytes and sends as many")
    for count in range(2, 9):
        star, whole = ring(processes=count, way="star")[-1], 64
        assert star.sent[0] == star.received[0] == (count - 1) * whole
        assert star.formula[0] == pytest.approx(2 * (count - 1) / count * whole) and star.formula[0] < 2 * whole
        assert star.needs[1] == 2 * math.ceil(math.log2(count))
    says("After $n-1$ steps each process has one chunk that is complete")
    half = ring(processes=4)[3]
    assert half.step == 3 and [list(row).count(15) for row in half.holds] == [1] * 4
    says("6 steps instead of 14, and more than three times as many *bytes in a row*")
    eight = ring(processes=8)[-1]
    assert (eight.needs[1], eight.needs[0]) == (6, 14) and eight.in_a_row[1] > 3 * eight.in_a_row[0]


def test_whose_bits() -> None:
    says("With two processes, to the bit", "Only … of the numbers have the same bits")
    found = last()
    assert found["processes_agree"] and found["same_bits"] == 1 and 0.2 < found["whole_same_bits"] < 0.9
    says("which now adds up 512 samples in one go", "both are off by less than one part in ten million")
    assert 2 * SAMPLES == 512 and (found["error"] < 1e-7).all()
    says("The ring starts each chunk at another process")
    assert len({each.source for each in ring(processes=4)[1].messages}) == 4


def test_more_processes_than_cores() -> None:
    says("With three processes the share that is hidden is", "the runs were recorded on two cores")
    two, three, four = last(), last("processes_3"), last("processes_4")
    assert [len(each["compute"]) for each in (two, three, four)] == [2, 3, 4]
    assert max(three["overlap"][1], four["overlap"][1]) < two["overlap"][1]
    says("because they take turns on the cores")
    assert two["took"][0, 1] * 2 < four["took"][0, 1]
    for each in (three, four):
        assert each["processes_agree"] and each["same_bits"] < 1 and 0 < each["of_bound"] < 1
    assert "2 cores" in machine("pytorch/ddp_overlap", "processes_4")


def test_exercises() -> None:
    says("$2 \\cdot \\frac{3}{4} \\cdot 8 = 12$ MiB", "112: twice 7/8 of 64 bytes", "grew from 6 to 14")
    says("Four processes with 16 numbers each need 96 bytes in a row")
    four, eight = ring(processes=4)[-1], ring(processes=8)[-1]
    assert (four.in_a_row[0], eight.in_a_row[0], four.needs[0], eight.needs[0]) == (96, 112, 6, 14)


def test_it_is_written() -> None:
    assert "Autograd meets distributed" not in json.loads((CONTENT / "pytorch/series.json").read_text())["planned"]
    source = inspect.getsource(distributed.DistributedDataParallel.no_sync)
    says("Time a step with `ddp.no_sync()`")
    assert "gradient synchronization" in source and Path(inspect.getfile(distributed)).name == "distributed.py"

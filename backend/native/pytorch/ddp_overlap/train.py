"""What each process does: the same network, its own share of the batch, and a clock for every gradient."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.distributed as dist
from numpy.typing import NDArray
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from native.pytorch.ddp_overlap.network import Exchange, Network

WIDTH = 512
SAMPLES = 256
"""Of each process."""
WARM_UP = 3
"""Steps that are not kept: DDP sorts its buckets after the first."""
CAPS = {"every parameter": 0.001, "1 MiB": 1.0, "2 MiB": 2.0, "4 MiB": 4.0, "default": None}
"""MiB."""


@dataclass(frozen=True)
class Job:
    processes: int
    layers: int
    bucket: str
    delay: float
    """Seconds"""
    rate: float
    straggler: float
    """Seconds"""
    repetitions: int


@dataclass
class Step:
    """One step of one process, in seconds of the monotonic clock."""

    begin: float
    backward: float
    ready: list[tuple[int, float]]
    """Each parameter's number, and when its gradient was there"""
    exchanges: list[Exchange]
    end: float


@dataclass
class Told:
    """What a process tells at its end."""

    steps: dict[str, list[Step]]
    """Of each way"""
    gradient: NDArray[np.float32]


def network(layers: int) -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(*(each for _ in range(layers) for each in (nn.Linear(WIDTH, WIDTH), nn.ReLU())))


def share(rank: int) -> torch.Tensor:
    return torch.randn(SAMPLES, WIDTH, generator=torch.Generator().manual_seed(rank))


def rests(output: torch.Tensor, seconds: float) -> None:
    """Before backward goes through the layer that made this."""
    output.register_hook(lambda _: time.sleep(seconds))  # type: ignore[no-untyped-call]


def loss_of(output: torch.Tensor) -> torch.Tensor:
    return output.square().mean()


def flat(model: nn.Module) -> NDArray[np.float32]:
    """All gradients, one after the other."""
    return np.concatenate([each.grad.numpy().ravel() for each in model.parameters() if each.grad is not None])


def train(job: Job, rank: int, folder: Path) -> Told:
    """In a process of the group ``folder``, until all of them are done."""
    torch.set_num_threads(1)
    store = dist.FileStore(str(folder / "store"), job.processes)  # type: ignore[attr-defined]
    dist.init_process_group("gloo", store=store, rank=rank, world_size=job.processes)
    model = network(job.layers)
    ready: list[tuple[int, float]] = []
    kept = []  # the nodes: autograd does not keep them alive
    for number, parameter in enumerate(model.parameters()):
        node = parameter.view_as(parameter).grad_fn.next_functions[0][0]  # type: ignore[union-attr]
        assert node
        node.register_prehook(lambda _, number=number: ready.append((number, time.monotonic())))
        kept.append(node)
    if job.straggler and rank == job.processes - 1:
        for layer in list(model)[::2]:
            layer.register_forward_hook(lambda _, __, output: rests(output, job.straggler))
    cap: dict[str, Any] = {"bucket_cap_mb": CAPS[job.bucket]} if CAPS[job.bucket] else {}
    ddp = DistributedDataParallel(model, **cap)
    link = Network(job.processes, job.delay, job.rate, {id(each): n for n, each in enumerate(model.parameters())})
    ddp.register_comm_hook(None, link.hook)
    inputs = share(rank)

    def step(way: str) -> Step:
        model.zero_grad()
        link.begin(holds=way == "after")
        ready.clear()
        dist.barrier()
        begin = time.monotonic()
        with ddp.no_sync() if way == "alone" else contextlib.nullcontext():
            loss = loss_of(ddp(inputs))
            backward = time.monotonic()
            loss.backward()  # type: ignore[no-untyped-call]
        return Step(begin, backward, list(ready), link.log, time.monotonic())

    for _ in range(WARM_UP):
        step("overlapping")
    steps: dict[str, list[Step]] = {way: [] for way in ("alone", "after", "overlapping")}
    for _ in range(job.repetitions):  # in turns: what slows the machine for a while slows all of them
        for way, so_far in steps.items():
            so_far.append(step(way))
    told = Told(steps, flat(model))
    dist.barrier()
    return told

"""What a training step asks memory for, and when it gives it back: watched while our own tensors train.

A network of equal layers, `relu(h @ w + b)`, ends in ten scores and their cross-entropy. Parameters are there
before and stay; everything else comes and goes. A storage is given back when nobody refers to it any more.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from labs.models.tensor.choices import relu
from labs.models.tensor.products import gather
from labs.models.tensor.softmax import log_softmax
from labs.models.tensor.storage import Storage, allocations
from labs.models.tensor.tape import Operation, checkpoint, no_grad, watched
from labs.models.tensor.tensor import Tensor, tensor

Stage = Literal["forward", "backward", "update"]
STAGES: tuple[Stage, ...] = ("forward", "backward", "update")
LINE = 64
"""Bytes that a request is rounded up to a multiple of: a cache line."""
KINDS = 10
RATE = 0.1


@dataclass
class Buffer:
    """One request: alive from the moment ``born`` on, and no more at ``died``. Moments count requests."""

    size: int
    """Bytes, a multiple of ``LINE``."""
    born: int
    died: int | None = None
    name: str = ""
    stage: Stage = "forward"
    step: int = 0

    def meets(self, other: Buffer) -> bool:
        """Whether both are alive at some moment."""
        return self.born < end(other) and other.born < end(self)


def end(buffer: Buffer) -> float:
    return float("inf") if buffer.died is None else buffer.died


@dataclass
class Watch:
    """Writes down each storage of more than one number, as it comes and as it goes."""

    buffers: list[Buffer] = field(default_factory=list)
    stage: Stage = "forward"
    step: int = 0
    alive: dict[int, Buffer] = field(default_factory=dict)
    """By the address of its storage."""

    def came(self, storage: Storage) -> None:
        if storage.numbers.size < 2:
            return  # a number by itself needs no pool
        size = -(-storage.numbers.nbytes // LINE) * LINE
        buffer = Buffer(size, len(self.buffers), name="input", stage=self.stage, step=self.step)
        self.buffers.append(buffer)
        self.alive[id(storage)] = buffer
        if self.stage != "forward":
            buffer.name = "gradient"  # unless an operation says that it is its result
        weakref.finalize(storage, self.went, id(storage))

    def went(self, address: int) -> None:
        self.alive.pop(address).died = len(self.buffers)

    def made(self, operation: Operation, inputs: Sequence[Tensor], result: Tensor) -> None:
        found = self.alive.get(id(result.storage))
        if (
            found
            and found.born == len(self.buffers) - 1
            and not any(each.storage is result.storage for each in inputs)
        ):
            found.name = operation.name


@dataclass(frozen=True)
class Network:
    depth: int
    width: int
    keep: int
    """Of so many layers one activation is kept; the others are computed once more on the way back."""

    def parameters(self) -> list[Tensor]:
        rng = np.random.default_rng(0)
        sizes = [(self.width, self.width)] * self.depth + [(self.width, KINDS)]
        made: list[Tensor] = []
        for rows, columns in sizes:
            numbers = rng.normal(0, (2 / rows) ** 0.5, (rows, columns)).astype(np.float32)
            made += [tensor(numbers).require_grad(), tensor(np.zeros(columns, np.float32)).require_grad()]
        return made

    def scores(self, h: Tensor, parameters: list[Tensor]) -> Tensor:
        *hidden, w, b = parameters
        for at in range(0, len(hidden), 2 * self.keep):
            some = layers(hidden[at : at + 2 * self.keep])
            h = some(h) if self.keep == 1 else checkpoint(some, h)
        return h @ w + b


def layers(parameters: list[Tensor]) -> Callable[[Tensor], Tensor]:
    """One after the other, from a matrix and a bias for each."""

    def some(h: Tensor) -> Tensor:
        for w, b in zip(parameters[::2], parameters[1::2], strict=True):
            h = relu(h @ w + b)
        return h

    return some


def trace(network: Network, batches: Sequence[int]) -> list[Buffer]:
    """The requests of a training step for each batch, in order. What is left at the end dies after the last."""
    parameters = network.parameters()
    watch = Watch()
    with allocations(watch.came), watched(watch.made):
        for step, batch in enumerate(batches):
            watch.step = step
            train(network, parameters, batch, watch)
    for buffer in watch.buffers:
        buffer.died = len(watch.buffers) if buffer.died is None else buffer.died
    return watch.buffers


def train(network: Network, parameters: list[Tensor], batch: int, watch: Watch) -> None:
    watch.stage = "forward"
    rng = np.random.default_rng(batch)
    labels = rng.integers(0, KINDS, (batch, 1))
    pixels = tensor(rng.random((batch, network.width), np.float32))
    loss = -gather(log_softmax(network.scores(pixels, parameters)), 1, labels).mean()
    watch.stage = "backward"
    loss.backward()
    watch.stage = "update"
    with no_grad():
        for each in parameters:
            assert each.grad is not None
            each.copy_(each - each.grad * RATE)
    for each in parameters:
        each.grad = None

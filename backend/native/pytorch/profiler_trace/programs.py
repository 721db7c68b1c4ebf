"""The training programs that are profiled: one in order, and three that each do one thing slowly."""

from __future__ import annotations

from typing import Literal

import numpy as np
import torch
from torch import Tensor, nn
from torch.profiler import record_function

Which = Literal["healthy", "A", "B", "C"]
BATCH, FEATURES, HIDDEN, CLASSES, ROWS = 64, 64, 256, 10, 512
PARTS = ("load", "forward", "backward", "update", "count", "validate")
EVERY = 4
"""After so many steps the network is tried on all rows"""


def numbers(rows: list[list[str]]) -> Tensor:
    return torch.tensor([[float(value) for value in row] for row in rows])


class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(FEATURES, HIDDEN)
        self.second = nn.Linear(HIDDEN, HIDDEN)
        self.last = nn.Linear(HIDDEN, CLASSES)
        self.gain = torch.full((HIDDEN,), 1.25)

    def forward(self, x: Tensor) -> Tensor:
        x = torch.relu(self.first(x)) * self.gain
        x = torch.relu(self.second(x)) * self.gain
        return self.last(x)  # type: ignore[no-any-return]


class NetworkB(Network):
    def __init__(self) -> None:
        super().__init__()
        self.gain = torch.from_numpy(np.full(HIDDEN, 1.25))
        self.second.double()  # else it refuses what the gain, which NumPy made in float64, makes of its input
        self.last.double()


class Program:
    """A step loads a batch, goes forward and backward, lets the optimizer work, and counts what was right."""

    network: type[Network] = Network

    def __init__(self) -> None:
        chance = torch.Generator().manual_seed(7)
        self.held = torch.rand(ROWS, FEATURES, generator=chance)
        drawn: list[list[float]] = torch.rand(ROWS, FEATURES, generator=chance).tolist()
        self.rows = [[f"{value:.4f}" for value in row] for row in drawn]
        self.data: Tensor | None = None
        self.labels = torch.randint(0, CLASSES, (ROWS,), generator=chance)
        with torch.random.fork_rng():
            torch.manual_seed(7)
            self.net = self.network()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.01, momentum=0.9)
        self.done = 0
        self.right = torch.zeros((), dtype=torch.int64)

    def load(self, at: int) -> Tensor:
        if self.data is None:
            self.data = numbers(self.rows)
        return self.data[at : at + BATCH]

    def count(self, out: Tensor, labels: Tensor) -> None:
        self.right += (out.argmax(1) == labels).sum()

    def step(self) -> None:
        at = self.done * BATCH % ROWS
        labels = self.labels[at : at + BATCH]
        with record_function("load"):
            x = self.load(at)
        with record_function("forward"):
            out = self.net(x)
            loss = nn.functional.cross_entropy(out, labels)
        with record_function("backward"):
            self.optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
        with record_function("update"):
            self.optimizer.step()
        with record_function("count"):
            self.count(out.detach(), labels)
        self.done += 1
        if self.done % EVERY == 0:
            with record_function("validate"), torch.no_grad():
                self.net(self.held)


class ProgramA(Program):
    def load(self, at: int) -> Tensor:
        return numbers(self.rows[at : at + BATCH])


class ProgramB(Program):
    network = NetworkB


class ProgramC(Program):
    def count(self, out: Tensor, labels: Tensor) -> None:
        best = out.argmax(1)
        for n in range(len(labels)):
            if (best[n] == labels[n]).item():
                self.right += 1


PROGRAMS: dict[Which, type[Program]] = {"healthy": Program, "A": ProgramA, "B": ProgramB, "C": ProgramC}

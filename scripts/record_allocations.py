"""Record which storages one training step of a small transformer allocates and frees, and in which order.

    python scripts/record_allocations.py

A mode in Python sees every operator that torch runs below autograd, on the processor, and every storage that comes
and goes. How large a storage is depends on the number of sequences and on their length; six runs give its size as
a polynomial in both, exactly. The result lies in ``labs.models.allocator``.
"""

from __future__ import annotations

import json
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils._python_dispatch import TorchDispatchMode

OUT = Path(__file__).parents[1] / "wasm/labs/models/allocator/step.json"
LAYERS, WIDTH, HEADS, WORDS = 2, 512, 8, 4096
SIZES = [(batch, length) for batch in (2, 3) for length in (5, 7, 11)]


class Block(nn.Module):
    """Attention, written out, and two linear layers."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH, bias=False), nn.Linear(WIDTH, WIDTH, bias=False)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH, bias=False), nn.Linear(4 * WIDTH, WIDTH, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, _ = x.shape
        q, k, v = (
            self.qkv(functional.layer_norm(x, (WIDTH,))).view(batch, length, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        )
        scores = (q @ k.transpose(-1, -2) / (WIDTH // HEADS) ** 0.5).softmax(-1)
        x = x + self.out((scores @ v).transpose(1, 2).reshape(batch, length, WIDTH))
        return x + self.down(functional.gelu(self.up(functional.layer_norm(x, (WIDTH,)))))


@dataclass
class Recorder(TorchDispatchMode):
    """Storages as they come and go: (number, bytes, operator), and (number,) where it is freed."""

    log: list[tuple[Any, ...]] = field(default_factory=list)
    living: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__()
        self.count = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        made = func(*args, **(kwargs or {}))
        for tensor in made if isinstance(made, tuple | list) else [made]:
            if isinstance(tensor, Tensor):
                self.see(tensor, func.overloadpacket.__name__)
        return made

    def see(self, tensor: Tensor, name: str) -> None:
        storage = tensor.untyped_storage()
        if storage._cdata in self.living or not storage.nbytes():
            return
        number, self.count = self.count, self.count + 1
        self.living[storage._cdata] = number
        self.log.append((number, storage.nbytes(), name))
        weakref.finalize(storage, self.gone, storage._cdata, number)

    def gone(self, key: int, number: int) -> None:
        del self.living[key]
        self.log.append((number,))


def record(batch: int, length: int) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """What the weights take before the first step, and one step that finds the gradients of another before it."""
    torch.manual_seed(0)
    model = nn.Sequential(*(Block() for _ in range(LAYERS)), nn.Linear(WIDTH, WORDS, bias=False))
    recorder = Recorder()
    for weight in model.parameters():
        recorder.see(weight, "weight")
    weights = [*recorder.log]

    def step() -> None:
        x = torch.zeros(batch, length, WIDTH)
        target = torch.zeros(batch, length, dtype=torch.int64)
        recorder.log.append(("forward",))
        loss = functional.cross_entropy(model(x).flatten(0, 1), target.flatten())
        recorder.log.append(("backward",))
        for weight in model.parameters():  # zero_grad(): the gradients of the step before live until now
            weight.grad = None
        loss.backward()
        recorder.log.append(("update",))
        with torch.no_grad():
            for weight in model.parameters():
                weight.sub_(weight.grad, alpha=0.1)
        del x, target, loss

    with recorder:
        step()
        at, first = len(recorder.log), recorder.count
        step()
    log = [
        (entry[0] - first, *entry[1:]) if len(entry) != 1 or type(entry[0]) is int else entry
        for entry in recorder.log
    ]
    return weights, log[at:]


def fitted(seen: Sequence[int]) -> list[int]:
    """The coefficients of 1, L, L², B, BL and BL² for what six runs took."""
    powers = [[b**i * n**j for i in (0, 1) for j in (0, 1, 2)] for b, n in SIZES]
    found = [round(each) for each in np.linalg.solve(np.array(powers, float), np.array(seen, float))]
    if [int(np.dot(row, found)) for row in powers] != [*seen]:
        raise ValueError(f"{seen} bytes are no polynomial in the batch and the length")
    return found


def main() -> None:
    runs = [record(batch, length) for batch, length in SIZES]
    weights, log = runs[0]
    sizes: list[list[int]] = []
    step: list[Any] = []
    for n, entry in enumerate(log):
        if len(entry) == 3:
            found = fitted([run[1][n][1] for run in runs])
            if found not in sizes:
                sizes.append(found)
            step.append([entry[0], sizes.index(found), entry[2]])
        else:
            step.append(entry[0])
    data = {
        "made by": "scripts/record_allocations.py",
        "torch": torch.__version__.partition("+")[0],
        "weights": [entry[1] for entry in weights],
        "coefficients of 1, L, L^2, B, BL, BL^2": sizes,
        "step": step,
    }
    OUT.write_text(json.dumps(data, separators=(",", ":")).replace('"step"', '\n"step"') + "\n", encoding="utf-8")
    print(f"{OUT}: {OUT.stat().st_size:,} bytes, {len(step)} entries")


if __name__ == "__main__":
    main()

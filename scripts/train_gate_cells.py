"""Train the three small cells that learning/lstm_gates ships, and write their weights.

    .venv/bin/python scripts/train_gate_cells.py

It takes some minutes, and prints what each cell reaches and the hash that the lab's ``cells.py`` has to name.
"""

import hashlib
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from labs.learning.lstm_gates import tasks
from labs.models.air_passengers import passengers
from torch import Tensor, nn

OUT = Path(tasks.__file__).with_name("cells.npz")
POOL, BATCH = 2048, 32
Batch = tuple[Tensor, Tensor, Tensor]
"""Inputs ``[examples, steps, inputs]``, right answers ``[examples, steps, outputs]``, and which steps count."""


class Reader(nn.Module):
    """An LSTM, and a linear read-out of its hidden state at every step."""

    def __init__(self, inputs: int, hidden: int, outputs: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(inputs, hidden, batch_first=True)
        self.out = nn.Linear(hidden, outputs)
        with torch.no_grad():  # remember at first: the forget gate begins at sigmoid(1)
            self.lstm.bias_ih_l0[hidden : 2 * hidden] = 1

    def forward(self, x: Tensor) -> Tensor:
        answer: Tensor = self.out(self.lstm(x)[0])
        return answer


@dataclass(frozen=True)
class Plan:
    hidden: int
    steps: int
    seed: int
    examples: Callable[[np.random.Generator], Batch]
    loss: Callable[[Tensor, Tensor], Tensor]


def stacked(examples: Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]) -> Batch:
    x, y, counts = (np.stack(part) for part in zip(*examples, strict=True))
    return torch.from_numpy(x), torch.from_numpy(y), torch.from_numpy(counts)


def walks(rng: np.random.Generator) -> Batch:
    """Balanced so far, never more than eight open; 24 steps."""

    def examples() -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        for _ in range(POOL):
            depth, text, rise = 0, "", rng.uniform(0.3, 0.75)
            for _ in range(24):
                up = depth == 0 or (depth < 8 and rng.random() < rise)
                depth, text = depth + (1 if up else -1), text + ("(" if up else ")")
            x = tasks.PARENTHESES.encode(text)
            yield x, tasks.depths(text)[:, None] / tasks.DEEPEST, np.ones(24)

    return stacked(examples())


def copies(rng: np.random.Generator) -> Batch:
    """One to four letters and as many dots, in eight steps; only the answers to dots count."""

    def examples() -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        for _ in range(POOL):
            letters = "".join(rng.choice(list(tasks.LETTERS), rng.integers(1, 5)))
            text = letters + "." * len(letters)
            x, y = np.zeros((8, 4)), np.zeros((8, 3))
            x[: len(text)] = tasks.COPY.encode(text)
            y[len(letters) : len(text)] = x[: len(letters), :3]
            yield x, y, (np.arange(8) >= len(letters)) & (np.arange(8) < len(text))

    return stacked(examples())


def windows(rng: np.random.Generator) -> Batch:
    """36 months of the first ten years, each asked for the next, a little louder or quieter than they were."""
    series = tasks.level(passengers()[:120])

    def examples() -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        for start in rng.integers(0, len(series) - 36, POOL):
            months = series[start : start + 37] + rng.uniform(-0.3, 0.3)
            yield months[:-1, None], months[1:, None], np.arange(36) >= 6

    return stacked(examples())


def squares(got: Tensor, right: Tensor) -> Tensor:
    return (got - right).square().sum(-1)


def entropy(got: Tensor, right: Tensor) -> Tensor:
    return -(right * got.log_softmax(-1)).sum(-1)


PLANS = {
    "parentheses": Plan(4, 1500, 0, walks, squares),
    "copy": Plan(12, 2500, 0, copies, entropy),
    "passengers": Plan(8, 1500, 0, windows, squares),
}


def train(plan: Plan, steps: int) -> tuple[Reader, float]:
    """A cell after ``steps`` steps of Adam, whose rate falls along half a cosine, and the last loss."""
    torch.manual_seed(plan.seed)
    rng = np.random.default_rng(plan.seed)
    x, y, counts = (part.double() for part in plan.examples(rng))
    reader = Reader(x.shape[2], plan.hidden, y.shape[2]).double()
    adam = torch.optim.Adam(reader.parameters(), lr=0.02)
    rate = torch.optim.lr_scheduler.CosineAnnealingLR(adam, steps)
    loss = torch.zeros(())
    for _ in range(steps):
        rows = torch.from_numpy(rng.integers(0, POOL, BATCH))
        loss = (plan.loss(reader(x[rows]), y[rows]) * counts[rows]).sum() / counts[rows].sum()
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        adam.step()
        rate.step()
    return reader, loss.item()


def arrays(name: str, reader: Reader) -> dict[str, np.ndarray]:
    """What the lab reads, in float32: both biases of torch as the one that they are."""
    lstm, out = reader.lstm, reader.out
    found = {
        "x": lstm.weight_ih_l0,
        "h": lstm.weight_hh_l0,
        "bias": lstm.bias_ih_l0 + lstm.bias_hh_l0,
        "out": out.weight,
        "out_bias": out.bias,
    }
    return {f"{name}.{key}": value.detach().numpy().astype(np.float32) for key, value in found.items()}


def main() -> None:
    torch.set_num_threads(1)
    found: dict[str, np.ndarray] = {}
    for name, plan in PLANS.items():
        reader, loss = train(plan, plan.steps)
        print(f"{name}: loss {loss:.2g}", flush=True)
        found |= arrays(name, reader)
    packed = io.BytesIO()
    np.savez_compressed(packed, **found)
    OUT.write_bytes(packed.getvalue())
    print(f"{OUT.name}: {len(packed.getvalue()):,} bytes, sha256 {hashlib.sha256(packed.getvalue()).hexdigest()}")


if __name__ == "__main__":
    main()

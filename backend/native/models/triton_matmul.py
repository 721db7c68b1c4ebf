"""The product in Triton, launched: the fastest of a few tiles, by pointers or by descriptors.

Triton's compiler decides on registers and on the layout of shared memory; we say how large the tile is, by how many
warps it is made, and how many slabs of A and B are on their way at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from native.models.triton_kernels import again, described, product


class Config(NamedTuple):
    rows: int
    columns: int
    depth: int
    warps: int
    stages: int


CONFIGS: dict[str, tuple[Config, ...]] = {
    "fp32": (Config(128, 128, 16, 8, 3), Config(128, 64, 16, 4, 4), Config(64, 64, 16, 4, 4)),
    "tf32": (Config(128, 256, 32, 8, 3), Config(128, 128, 32, 8, 4), Config(64, 64, 32, 4, 4)),
    "bf16": (Config(128, 256, 64, 8, 3), Config(128, 128, 64, 8, 4), Config(64, 64, 64, 4, 4)),
}
"""Tried in turn for a size, and the fastest kept. The first of each fits Hopper, the last small matrices."""


def peak(precision: str, given: Any, to: Any, rounds: int) -> tuple[Callable[[], object], int]:
    """Work for all tensor cores, and its operations; ``given`` and ``to`` hold 128 × 256 numbers."""
    rows, columns, depth = TIRELESS[precision]
    programs = _multiprocessors()

    def work() -> object:
        return again[(programs,)](given, to, rounds, rows, columns, depth, precision, num_warps=8, num_stages=2)

    return work, 2 * rows * columns * depth * rounds * programs


TIRELESS = {"tf32": (128, 256, 64), "bf16": (128, 256, 128)}
"""Rows, columns and depth of what ``peak`` multiplies."""


@dataclass(frozen=True)
class Launch:
    config: Config
    work: Callable[[], object]

    def __call__(self) -> object:
        return self.work()


def start(a: Any, b: Any, c: Any, precision: str) -> Launch:
    """The fastest of the ways to make n × n numbers ``c`` that Triton is told of here."""
    return min(candidates(a, b, c, precision), key=_seconds)


def tiles(n: int, config: Config) -> int:
    return -(-n // config.rows) * -(-n // config.columns)


def candidates(a: Any, b: Any, c: Any, precision: str) -> list[Launch]:
    """Every config by pointers, and by descriptors where there is a copy engine and rows begin at 16 bytes."""
    import torch

    n = len(a)
    found: list[Launch] = []
    for config in CONFIGS[precision]:
        found.append(Launch(config, pointers(a, b, c, precision, config)))
        if n * a.element_size() % 16 == 0 and torch.cuda.get_device_capability() >= (9, 0):
            found.append(Launch(config, descriptors(a, b, c, precision, config, _multiprocessors())))
    return found


def pointers(a: Any, b: Any, c: Any, precision: str, config: Config) -> Callable[[], object]:
    n, (rows, columns, depth, warps, stages) = len(a), config
    grid = (tiles(n, config),)

    def work() -> object:
        return product[grid](a, b, c, n, rows, columns, depth, DOT[precision], num_warps=warps, num_stages=stages)

    return work


def descriptors(a: Any, b: Any, c: Any, precision: str, config: Config, programs: int) -> Callable[[], object]:
    from triton.tools.tensor_descriptor import TensorDescriptor

    n, (rows, columns, depth, warps, stages) = len(a), config
    grid = (min(programs, tiles(n, config)),)
    blocks = ((a, [rows, depth]), (b, [depth, columns]), (c, [rows, columns]))
    through = [TensorDescriptor.from_tensor(each, block) for each, block in blocks]

    def work() -> object:
        return described[grid](
            *through, n, rows, columns, depth, DOT[precision], num_warps=warps, num_stages=stages
        )

    return work


DOT = {"fp32": "ieee", "tf32": "tf32", "bf16": "tf32"}
"""How Triton is to multiply float32; of bfloat16 it is not asked."""


def _multiprocessors() -> int:
    import torch

    return int(torch.cuda.get_device_properties().multi_processor_count)


def _seconds(work: Callable[[], object]) -> float:
    """Rough, but warm; infinite for a tile that this GPU has no room for."""
    from triton.runtime.errors import OutOfResources

    from native.models.cuda_timing import between_events

    try:
        work()
    except OutOfResources:
        return float("inf")
    return min(between_events(work, 1) for _ in range(3))

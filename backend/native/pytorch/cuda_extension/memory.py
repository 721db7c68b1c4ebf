"""The tensors of a call, in memory that is guarded on both sides, and the kernel that runs on them here."""

from __future__ import annotations

import ctypes
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from labs.contract import LabError
from numpy.typing import NDArray

from native.models.kernel import at, load
from native.pytorch.cuda_extension.emulated_kernel import GUARDED, UNGUARDED
from native.pytorch.cuda_extension.plan import Layout, Plan, layout, plan, width

if TYPE_CHECKING:
    from native.pytorch.cuda_extension import Params

MOST_DRAWN = 16_384  # threads
CANARY = np.float32(-99)
KERNELS = ("scale_shift", "strided", "row_sum")
TOUCH = np.dtype([("block", "i4"), ("thread", "i4"), ("written", "i4"), ("index", "i4")])
_ONE_AT_A_TIME = threading.Lock()


class _Memory(ctypes.Structure):
    _fields_ = (("at", ctypes.c_void_p), ("low", ctypes.c_int32), ("high", ctypes.c_int32))


class Strip(NamedTuple):
    """Memory between two zones of canaries."""

    where: Layout
    cells: NDArray[np.float32]

    @property
    def numbers(self) -> NDArray[np.float32]:
        return self.cells[self.where.before : self.where.before + self.where.inside]

    def asked(self) -> _Memory:
        begin = -self.where.before
        return _Memory(at(self.numbers), begin, begin + self.where.cells)


@dataclass
class Call:
    plan: Plan
    tensor: torch.Tensor
    """As the caller has it"""
    x: Strip
    y: Strip
    expected: NDArray[np.float64]
    """By torch, in float64, from the numbers of the tensor"""
    touches: NDArray[Any] = field(default_factory=lambda: np.empty(0, TOUCH))
    given: tuple[NDArray[np.float32], NDArray[np.float32]] = field(init=False)
    """The cells of x and y as the kernel found them"""


def strip(inside: int, beyond: int, wide: int) -> Strip:
    where = layout(inside, beyond, wide)
    return Strip(where, np.full(where.cells, CANARY, np.float32))


def prepare(params: Params) -> Call:
    """Numbers from 1 to n, shuffled: every one of them tells where it was read."""
    planned = plan(params)
    if planned.blocks * planned.threads > MOST_DRAWN:
        raise LabError(
            f"{planned.blocks * planned.threads:,} threads are too many to draw: choose fewer threads in a block."
        )
    n, wide = planned.n, width(planned)
    values = torch.randperm(n, generator=torch.Generator().manual_seed(params.seed)) + 1.0
    kind = torch.float64 if params.tensor == "x.double()" else torch.float32
    x = strip(n * kind.itemsize // 4, planned.beyond, wide)
    tensor = torch.from_numpy(x.numbers).view(kind).view(params.rows, params.columns)
    tensor.copy_(values.view(params.rows, params.columns))
    if params.tensor == "x.T":
        tensor = tensor.T
    y = strip(planned.rows if params.kernel == "row_sum" else n, beyond_y(params, planned), wide)
    y.numbers[:] = np.nan
    exact = tensor.double()
    expected = exact.sum(1) if params.kernel == "row_sum" else 2 * exact.flatten() + 1
    return Call(planned, tensor, x, y, expected.numpy())


def beyond_y(params: Params, planned: Plan) -> int:
    return 0 if params.kernel == "row_sum" else planned.beyond


def copy(call: Call) -> None:
    """What ``contiguous()`` does, into the same strip: the kernel then finds the numbers in order."""
    call.x.numbers[:] = call.tensor.contiguous().flatten().numpy()


def launch(params: Params, call: Call, order: int = 0) -> bool:
    """Run the kernel; false where CUDA would not start it. Numbers that are not there yet are zeros.

    Threads go on in one of three orders (on_a_processor.h)."""
    late = call.x.numbers[call.x.where.inside // 2 :]
    kept = late.copy()
    if params.other_stream:
        late[:] = 0
    call.given = call.x.cells.copy(), call.y.cells.copy()
    library = load(UNGUARDED if params.no_guard else GUARDED)
    library.launch.restype = ctypes.c_int64
    library.launch.argtypes = [*[ctypes.c_int] * 4, _Memory, _Memory, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int]
    planned = call.plan
    touches = np.zeros(2 * (planned.n + planned.rows * planned.threads + planned.beyond) + 64, TOUCH)
    given = KERNELS.index(params.kernel), planned.blocks, planned.threads, size(params, planned)
    with _ONE_AT_A_TIME:
        count: int = library.launch(*given, call.x.asked(), call.y.asked(), at(touches), len(touches), order)
    late[:] = kept
    if count > len(touches):
        raise LabError("The kernel touched memory more often than its loops can. Choose fewer rows or columns.")
    call.touches = touches[: max(0, count)]
    return count >= 0


def size(params: Params, planned: Plan) -> int:
    """What the kernel takes as its n."""
    return planned.columns if params.kernel == "row_sum" else planned.n

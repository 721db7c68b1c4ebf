"""What the function around a kernel checks before and after the launch, and what becomes of each check."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

    from native.pytorch.cuda_extension import Params
    from native.pytorch.cuda_extension.plan import Plan


@dataclass(frozen=True)
class Check:
    name: str
    code: str
    """As one writes it in C++"""
    state: str
    """made, copied, stopped the call, left out, or missed: left out where it was needed"""


WRONG_TYPE = "expected scalar type Float but found Double"
WRONG_GRID = "CUDA error: invalid configuration argument"


def checks(params: Params, planned: Plan, tensor: torch.Tensor) -> list[Check]:
    """In the order in which they are met."""
    import torch

    wrong_type = tensor.dtype != torch.float32
    stopped = wrong_type and not params.no_dtype
    strided = not tensor.is_contiguous()
    found = [
        Check("order", "x.contiguous()", state(params.no_contiguous, strided, "copied")),
        Check("type", "x.const_data_ptr<float>()", state(params.no_dtype, wrong_type, "stopped the call")),
    ]
    if params.kernel != "row_sum":
        tail = planned.blocks == 0 or (params.kernel == "scale_shift" and planned.n % planned.threads > 0)
        found.append(Check("grid", "(n + threads - 1) / threads", state(params.round_down, tail, "made")))
    reached = planned.starts and planned.beyond > 0
    found.append(Check("guard", "if (i < n)", state(params.no_guard, reached, "made")))
    found.append(Check("stream", "getCurrentCUDAStream()", state(params.other_stream, planned.starts, "made")))
    launch = state(params.no_error_check, not planned.starts, "stopped the call")
    found.append(Check("launch", "C10_CUDA_KERNEL_LAUNCH_CHECK()", launch))
    return [*found[:2], *(replace(each, state="not reached") for each in found[2:])] if stopped else found


def state(missing: bool, needed: bool, does: str) -> str:
    if missing:
        return "missed" if needed else "left out"
    return does if needed else "made"


def error(found: list[Check]) -> str:
    """What the caller is told instead of a result."""
    for each in found:
        if each.state == "stopped the call":
            return WRONG_TYPE if each.name == "type" else WRONG_GRID
    return ""

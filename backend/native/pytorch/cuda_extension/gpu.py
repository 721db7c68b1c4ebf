"""The same call on a GPU: the same source, compiled by NVRTC, on the same memory with its zones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labs.contract import LabError

from native.models import cuda_driver
from native.pytorch.cuda_extension.memory import Call, size

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from native.pytorch.cuda_extension import Params

FILE = "extension.cu"


def name() -> str:
    """Of the GPU. Raises ``LabError`` where there is none."""
    import torch

    if not torch.cuda.is_available():
        raise LabError("There is no GPU here that PyTorch can use: choose cpu under “Run on”.")
    return torch.cuda.get_device_name()


def ran(params: Params, call: Call) -> NDArray[np.float32]:
    """The cells of y, zones included, after the kernel ran on a GPU."""
    import torch

    given, made = (torch.from_numpy(each).cuda() for each in call.given)
    if call.plan.starts:
        defines = ("UNGUARDED",) if params.no_guard else ()
        kernel = cuda_driver.load(FILE, params.kernel, defines)
        arguments = size(params, call.plan), given[call.x.where.before :], made[call.y.where.before :]
        cuda_driver.launch(kernel, (call.plan.blocks, 1), (call.plan.threads, 1), arguments)
    return made.cpu().numpy()

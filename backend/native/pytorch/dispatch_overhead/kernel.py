"""A call of torch from C (wasm/kernels/torch_call.c): without Python, without the dispatcher, without autograd.

``aoti_torch_…`` is torch's C interface for compiled programs (torch/csrc/inductor/aoti_torch/c/shim.h, 2.13), whose
functions call a processor's kernels by name.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import TYPE_CHECKING

from native.models.kernel import LIBRARY, Kernel, load
from native.pytorch.dispatch_overhead.calls import Work

if TYPE_CHECKING:
    from torch import Tensor

CALL = Kernel("torch_call.c", ("-O3", "-mcpu=native", *LIBRARY))
OPS = ("add", "mul", "abs")
"""As numbered in torch_call.c."""
FUNCTIONS = {"add": "aoti_torch_cpu_add_Tensor", "mul": "aoti_torch_cpu_mul_Tensor", "abs": "aoti_torch_cpu_abs"}


@cache
def torch_library() -> ctypes.CDLL:
    """What torch exports for C; it is loaded already, and found by where it lies."""
    from pathlib import Path

    import torch

    return ctypes.CDLL(str(Path(torch.__file__).parent / "lib" / "libtorch_cpu.so"))


def function(name: str) -> ctypes.c_void_p:
    """Raises ``RuntimeError`` if this torch does not export it."""
    try:
        found = getattr(torch_library(), name)
    except AttributeError as error:
        import torch

        raise RuntimeError(f"torch {torch.__version__} does not export {name}, which 2.13 does.") from error
    return ctypes.cast(found, ctypes.c_void_p)


def handle(tensor: Tensor) -> ctypes.c_void_p:
    """A tensor of torch's C interface on the memory of a contiguous one of float32, which must outlive it."""
    made = ctypes.c_void_p()
    sizes = (ctypes.c_int64 * 1)(tensor.numel())
    strides = (ctypes.c_int64 * 1)(1)
    wrong = torch_library().aoti_torch_create_tensor_from_blob(
        ctypes.c_void_p(tensor.data_ptr()),
        ctypes.c_int64(1),
        sizes,
        strides,
        ctypes.c_int64(0),
        *kind(),
        0,
        ctypes.byref(made),
    )
    refuse(wrong)
    return made


def kind() -> tuple[int, int]:
    """The numbers that float32 and the processor have in that interface."""
    library = torch_library()
    return library.aoti_torch_dtype_float32(), library.aoti_torch_device_type_cpu()


def calling(op: str, x: Tensor, y: Tensor) -> Work:
    """So many rounds of torch's own kernel, with a new result in each: memory, preparation, arithmetic."""
    library, code = load(CALL), OPS.index(op)
    drop = function("aoti_torch_delete_tensor_object")
    made, held = function(FUNCTIONS[op]), (x, y)

    def work(rounds: int) -> None:
        handles = [handle(each) for each in held]
        try:
            refuse(library.call(code, rounds, made, *handles, drop))
        finally:
            for each in handles:
                refuse(torch_library().aoti_torch_delete_tensor_object(each))

    return work


def remembering(n: int) -> Work:
    """So many rounds of a result's memory alone: a tensor of ``n`` numbers, one number written on each page."""
    library = load(CALL)
    names = ("aoti_torch_empty_strided", "aoti_torch_get_data_ptr", "aoti_torch_delete_tensor_object")
    given = (ctypes.c_int64(n), *kind(), *map(function, names))
    return lambda rounds: refuse(library.memory(rounds, *given))


def working(op: str, x: Tensor, y: Tensor, z: Tensor) -> Work:
    """So many rounds of the arithmetic alone, by our own loop: ``z`` becomes the result."""
    library, code, count = load(CALL), OPS.index(op), ctypes.c_size_t(x.numel())

    def work(rounds: int) -> None:  # it holds the tensors, whose memory would else be gone
        library.work(code, rounds, count, *(ctypes.c_void_p(each.data_ptr()) for each in (x, y, z)))

    return work


def refuse(wrong: int) -> None:
    """Raises ``RuntimeError`` for what a function of that interface answers when it failed."""
    if wrong:
        raise RuntimeError(f"torch's C interface answered {wrong}: its functions are not those of 2.13.")

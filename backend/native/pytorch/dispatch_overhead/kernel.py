"""Torch's C++ functions, called in a loop of C (wasm/kernels/torch_call.c): without Python, then with less.

``at::_ops::…::call`` goes through the dispatcher, as an operator does once its arguments are parsed. ``at::cpu::…``
is the processor's kernel, which a call of that kind ends at. Their names are those of torch 2.13, as a linker sees
them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from native.models.kernel import LIBRARY, Kernel, load
from native.models.thread_clock import Work
from native.pytorch.dispatch_overhead.calls import without_autograd

if TYPE_CHECKING:
    from torch import Tensor

Given = ctypes.c_void_p
CALL = Kernel("torch_call.c", ("-O3", "-mcpu=native", *LIBRARY))
OPS = ("add", "mul", "neg")
"""As numbered in torch_call.c."""
DIRECT = {
    "add": "_ZN2at3cpu3addERKNS_6TensorES3_RKN3c106ScalarE",
    "mul": "_ZN2at3cpu3mulERKNS_6TensorES3_",
    "neg": "_ZN2at3cpu3negERKNS_6TensorE",
}
INTO = {
    "add": "_ZN2at3cpu7add_outERNS_6TensorERKS1_S4_RKN3c106ScalarE",
    "mul": "_ZN2at3cpu7mul_outERNS_6TensorERKS1_S4_",
    "neg": "_ZN2at3cpu7neg_outERNS_6TensorERKS1_",
}
"""The direct ones with a tensor for the result, which comes first."""
DISPATCHED = {
    "add": "_ZN2at4_ops7add_out4callERKNS_6TensorES4_RKN3c106ScalarERS2_",
    "mul": "_ZN2at4_ops7mul_out4callERKNS_6TensorES4_RS2_",
    "neg": "_ZN2at4_ops7neg_out4callERKNS_6TensorERS2_",
}
"""The same through the dispatcher; there the tensor for the result comes last."""
ASKED = {
    "is_same_size": "_ZN2at4_ops12is_same_size4callERKNS_6TensorES4_",
    "is_distributed": "_ZN2at4_ops14is_distributed4callERKNS_6TensorE",
}


@cache
def torch_library() -> ctypes.CDLL:
    """What torch exports; it is loaded already, and found by where it lies."""
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


@cache
def library() -> ctypes.CDLL:
    made = load(CALL)
    made.alpha.restype = ctypes.c_void_p
    return made


def handle(tensor: Tensor) -> ctypes.c_void_p:
    """A C++ tensor on the memory of a contiguous one of float32, which must outlive it: ``aoti_torch_…`` are
    torch's functions for C (torch/csrc/inductor/aoti_torch/c/shim.h), whose handle is the address of such a tensor.
    """
    made, torchs = ctypes.c_void_p(), torch_library()
    count, stride = (ctypes.c_int64 * 1)(tensor.numel()), (ctypes.c_int64 * 1)(1)
    kind = torchs.aoti_torch_dtype_float32(), torchs.aoti_torch_device_type_cpu()
    memory, start = ctypes.c_void_p(tensor.data_ptr()), ctypes.c_int64(0)
    refuse(
        torchs.aoti_torch_create_tensor_from_blob(
            memory, ctypes.c_int64(1), count, stride, start, *kind, 0, ctypes.byref(made)
        )
    )
    return made


def operands(op: str) -> list[Given]:
    """What follows the tensors."""
    return [ctypes.c_void_p(library().alpha())] if op == "add" else []


def direct(op: str, x: Tensor, y: Tensor) -> Work:
    """So many rounds of torch's own kernel, with a new result in each: memory, preparation, arithmetic."""
    new = ctypes.cast(ctypes.CDLL("libstdc++.so.6")._Znwm, ctypes.c_void_p)
    drop = function("aoti_torch_delete_tensor_object")
    made = function(DIRECT[op])

    def rounds_of(rounds: int, given: list[Given]) -> None:
        refuse(library().results(rounds, made, *[*given, None, None][:3], new, drop))

    return _with_handles(rounds_of, (x,) if op == "neg" else (x, y), lambda handles: [*handles, *operands(op)])


def into(op: str, x: Tensor, y: Tensor, z: Tensor, dispatched: bool = False) -> Work:
    """So many rounds of that kernel with ``z`` for the result, perhaps through the dispatcher without autograd."""
    called = function((DISPATCHED if dispatched else INTO)[op])

    def order(handles: list[Given]) -> list[Given]:
        last, *first = handles
        return [*first, *operands(op), last] if dispatched else [*handles, *operands(op)]

    return _with_handles(partial(_call, called), (z, x) if op == "neg" else (z, x, y), order)


def asking(name: str, *tensors: Tensor) -> Work:
    """So many rounds of a question to which the dispatcher finds a function that does next to nothing."""
    return _with_handles(partial(_call, function(ASKED[name])), tensors, list)


def _call(called: ctypes.c_void_p, rounds: int, given: list[Given]) -> None:
    library().calls(rounds, called, *[*given, None, None, None][:4])


def _with_handles(
    rounds_of: Callable[[int, list[Given]], None],
    tensors: Sequence[Tensor],
    order: Callable[[list[Given]], list[Given]],
) -> Work:
    """In inference mode from the handles on, so that autograd has no part in any of it."""

    def work(rounds: int) -> None:  # it holds the tensors, whose memory would else be gone
        handles = [handle(each) for each in tensors]
        try:
            rounds_of(rounds, order(handles))
        finally:
            for each in handles:
                refuse(torch_library().aoti_torch_delete_tensor_object(each))

    return without_autograd(work)


def working(op: str, x: Tensor, y: Tensor, z: Tensor) -> Work:
    """So many rounds of the arithmetic alone, by our own loop: ``z`` becomes the result."""
    code, count = OPS.index(op), ctypes.c_size_t(x.numel())

    def work(rounds: int) -> None:
        library().work(code, rounds, count, *(ctypes.c_void_p(each.data_ptr()) for each in (x, y, z)))

    return work


def refuse(wrong: int) -> None:
    """Raises ``RuntimeError`` for what a function of torch's C interface answers when it failed."""
    if wrong:
        raise RuntimeError(f"torch's C interface answered {wrong}: its functions are not those of 2.13.")

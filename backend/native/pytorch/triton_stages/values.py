"""The kernel's values: run in Triton's interpreter, in a process of its own, and compared with float64.

Triton decides when it is imported whether it compiles or interprets, so that this process is never the compiler's.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from native.pytorch.triton_stages.source import DEPTH, Order

SECONDS = 20
SHOWN = 8
TYPES = {"float32": "*fp32", "float16": "*fp16"}


class Pointer:
    """An array as the interpreter asks a tensor for it, without torch."""

    def __init__(self, array: NDArray[Any]) -> None:
        self.array, self.dtype = array, str(array.dtype)

    def data_ptr(self) -> int:
        return self.array.ctypes.data


def interpreted(order: Order, grid: tuple[int, ...], *given: NDArray[Any], n: int) -> None:
    from triton.runtime import jit
    from triton.runtime.interpreter import GridExecutor

    from native.pytorch.triton_stages import kernels

    class Here(GridExecutor):  # type: ignore[misc]
        """Arrays are where they are used: nothing is to be copied from a device and back."""

        def _init_args_hst(self, given: Any, named: Any) -> Any:
            return list(given), dict(named)

        def _restore_args_dev(self, *_: Any) -> None:
            pass

    def typed(given: Pointer | int) -> str:
        return "i32" if isinstance(given, int) else TYPES[given.dtype]

    jit.mangle_type = typed  # Triton's own imports torch, which takes longer than all the rest
    kernel = getattr(kernels, order.kernel)
    Here(kernel.rewrite(), kernel.arg_names, grid)(*map(Pointer, given), n, **order.constants)


def compared(order: Order) -> dict[str, Any]:
    """Of inputs that do not fill the last block, where the kernel allows that."""
    random, block = np.random.default_rng(17), order.block
    got: NDArray[Any]
    beyond: NDArray[Any]
    match order.kernel:
        case "add":
            n = 3 * block - 5
            x, y = random.standard_normal((2, n)).astype(np.float32)
            out, exact = np.full(3 * block, np.nan, np.float32), x.astype(float) + y
            interpreted(order, (3,), x, y, out, n=n)
            programs, got, beyond = 3, out[:n], out[n:]
        case "softmax":
            n, programs = block - 3, 4
            x = random.standard_normal((programs, n)).astype(np.float32)
            flat = np.full(programs * n + 3, np.nan, np.float32)
            interpreted(order, (programs,), x, flat, n=n)
            got, beyond = flat[: programs * n].reshape(programs, n), flat[programs * n :]
            exact = np.exp(x - x.max(1, keepdims=True).astype(float))
            exact /= exact.sum(1, keepdims=True)
        case "matmul":
            n = max(2 * DEPTH, block)
            a, b = random.standard_normal((2, n, n)).astype(np.float16)
            flat, exact = np.full(n * n + 3, np.nan, np.float16), a.astype(float) @ b.astype(float)
            across = n // block
            interpreted(order, (across, across), a, b, flat, n=n)
            programs, got, beyond = across * across, flat[: n * n].reshape(n, n), flat[n * n :]
    first_got, first_exact = got.ravel()[:SHOWN].astype(float), exact.ravel()[:SHOWN]
    return {
        "n": n,
        "programs": programs,
        "got": first_got.tolist(),
        "exact": first_exact.tolist(),
        "off": float(np.abs(got - exact).max()),
        "largest": float(np.abs(exact).max()),
        "elements": int(exact.size),
        "untouched": bool(np.isnan(beyond).all()),
        "type": str(got.dtype),
    }


def main(given: str) -> None:
    signal.alarm(SECONDS)
    for name in [each for each in os.environ if each.startswith("TRITON_")]:
        del os.environ[name]
    os.environ["TRITON_INTERPRET"] = "1"
    sys.stdout.write(json.dumps(compared(Order(**json.loads(given)))) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Touch the GPU as a program would: make a context, write a few bytes there and read them back.

``python -m underhood.machine.gpu_probe`` exits 0 if that works. A process of its own, because a call may hang for
good and an error stays with the process that met it. nvidia-smi would not do: it also answers when no program can
reach the GPU any more. The driver's library is called directly, since torch would need seconds for it.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys

PATIENCE = 15.0  # seconds; the first context after a start of the driver takes a few
SIZE, PATTERN = 4096, 0x5A


def answers() -> bool:
    """Whether a fresh process can use the first GPU."""
    try:
        return (
            subprocess.run(
                [sys.executable, "-m", "underhood.machine.gpu_probe"], capture_output=True, timeout=PATIENCE
            ).returncode
            == 0
        )
    except subprocess.TimeoutExpired:
        return False


def touch() -> None:
    """Raises ``OSError`` where there is no driver, or at the first call that it refuses."""
    driver = ctypes.CDLL("libcuda.so.1" if sys.platform == "linux" else "nvcuda.dll")

    def call(name: str, *arguments: object) -> None:
        if code := getattr(driver, name)(*arguments):
            raise OSError(f"{name} answered {code}")

    device, context, memory = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_uint64()
    back = ctypes.create_string_buffer(SIZE)
    call("cuInit", 0)
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxSetCurrent", context)
    call("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(SIZE))
    call("cuMemsetD8_v2", memory, ctypes.c_ubyte(PATTERN), ctypes.c_size_t(SIZE))
    call("cuMemcpyDtoH_v2", back, memory, ctypes.c_size_t(SIZE))
    if back.raw != bytes([PATTERN]) * SIZE:
        raise OSError("the GPU's memory does not hold what was written")


if __name__ == "__main__":
    touch()

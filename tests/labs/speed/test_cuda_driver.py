"""A kernel reaches the driver with the numbers that were meant; for the driver stands a library of the tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

SUPPORT = Path(__file__).parents[2] / "support"
CODE = """
import ctypes, json
from types import SimpleNamespace
import torch
from native.models.cuda_driver import launch, load

torch.cuda.current_stream = lambda: SimpleNamespace(cuda_stream=0x77)
torch.cuda.synchronize = lambda: None
torch.cuda.get_device_capability = lambda: (9, 0)

class Launched(ctypes.Structure):
    _fields_ = [
        ("kernel", ctypes.c_void_p), ("stream", ctypes.c_void_p), ("blocks", ctypes.c_uint * 3),
        ("threads", ctypes.c_uint * 3), ("shared", ctypes.c_uint), ("n", ctypes.c_int), ("count", ctypes.c_int),
        ("by", ctypes.c_float), ("to", ctypes.c_void_p), ("image", ctypes.c_size_t),
    ]

to = torch.zeros(256)
for _ in range(2):
    launch(load("matmul.cu", "peak", ("TILE=32",)), (5, 2), (256, 1), (48, 0.5, to))
seen = Launched.in_dll(ctypes.CDLL("libcuda.so.1"), "launched")
told = [seen.stream, list(seen.blocks), list(seen.threads), seen.shared, seen.n, seen.by, seen.to == to.data_ptr()]
try:
    load("matmul.cu", "missing", ("TILE=32",))
except RuntimeError as error:
    told.append(str(error))
print(json.dumps([seen.count, seen.image > 0, *told]))
"""


def test_a_launch_takes_along_what_was_meant(tmp_path: Path) -> None:
    library = tmp_path / "libcuda.so.1"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, SUPPORT / "libcuda.c", "-ldl"], check=True)
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        capture_output=True,
        text=True,
        env=os.environ | {"LD_LIBRARY_PATH": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    *told, refused = json.loads(done.stdout)
    assert told == [2, True, 0x77, [5, 2, 1], [256, 1, 1], 0, 48, 0.5, True]
    assert "CUDA_ERROR_NOT_FOUND" in refused

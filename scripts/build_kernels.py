"""Compile the C kernels of the labs once, so that no run has to: every ``Kernel`` of a module called *kernel.

Those for browsers are copied to where the site's build finds them.
"""

import importlib
import os
import pkgutil
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import native
from labs.contract import LabError
from native.models.device_kernel import MODULES
from native.models.kernel import BUILT, Kernel, build, place
from native.models.stages import toolchain
from native.pytorch.abi_break import stable_kernel

DEVICE = Path(__file__).resolve().parent.parent / "frontend" / "src" / "device" / "built"


def kernels() -> Iterator[Kernel]:
    for found in pkgutil.walk_packages(native.__path__, "native."):
        if found.name.endswith("kernel"):
            for value in vars(importlib.import_module(found.name)).values():
                several = value.values() if isinstance(value, dict) else [value]
                yield from (each for each in several if isinstance(each, Kernel))


shutil.rmtree(BUILT, ignore_errors=True)
with tempfile.TemporaryDirectory() as cache:  # the compiler's own libraries are built once for all
    os.environ |= {"ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache}
    for kernel in dict.fromkeys(kernels()):
        build(kernel, BUILT)
toolchain.make_ready()
try:
    stable_kernel.make_ready()
except (LabError, RuntimeError) as error:  # the book does not wait for one figure, whose runs say the same
    print(f"pytorch/abi_break: {error}", file=sys.stderr)
DEVICE.mkdir(parents=True, exist_ok=True)
for name, kernel in MODULES.items():
    shutil.copyfile(place(BUILT, kernel), DEVICE / f"{name}.wasm")

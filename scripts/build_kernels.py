"""Compile the C kernels of the labs once, so that no run has to: every ``Kernel`` of a module called *_kernel."""

import importlib
import os
import pkgutil
import shutil
import tempfile
from collections.abc import Iterator

from native import models
from native.models.kernel import BUILT, Kernel, build


def kernels() -> Iterator[Kernel]:
    for found in pkgutil.iter_modules(models.__path__):
        if found.name.endswith("_kernel"):
            for value in vars(importlib.import_module(f"{models.__name__}.{found.name}")).values():
                several = value.values() if isinstance(value, dict) else [value]
                yield from (each for each in several if isinstance(each, Kernel))


shutil.rmtree(BUILT, ignore_errors=True)
with tempfile.TemporaryDirectory() as cache:  # the compiler's own libraries are built once for all
    os.environ |= {"ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache}
    for kernel in dict.fromkeys(kernels()):
        build(kernel, BUILT)

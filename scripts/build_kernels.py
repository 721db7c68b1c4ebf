"""Compile the C kernels of the labs once, so that no run has to: every ``SOURCE`` of a module called *_kernel."""

import importlib
import pkgutil
import shutil

from native import models
from native.models.kernel import BUILT, build

shutil.rmtree(BUILT, ignore_errors=True)
for found in pkgutil.iter_modules(models.__path__):
    if found.name.endswith("_kernel"):
        build(importlib.import_module(f"{models.__name__}.{found.name}").SOURCE, BUILT)

"""What torch reads in late is there before a run begins."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import importlib, sys
from native.pytorch.custom_function import Params, run
from underhood.settings import Settings
for name in Settings().preload:
    importlib.import_module(name)
before = set(sys.modules)
for _ in run(Params()):
    pass
print(*(name for name in set(sys.modules) - before if name.startswith(("sympy", "mpmath", "torch.fx"))))
"""


def test_no_picture_waits_for_an_import() -> None:
    """torch.autograd.grad reads SymPy in when it is first given a gradient: a server has done that before."""
    found = subprocess.run([sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True)
    assert found.stdout.split() == []

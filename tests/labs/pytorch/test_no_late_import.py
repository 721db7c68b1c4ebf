"""What torch reads in late is there before a run begins."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import importlib, sys
from native.pytorch import add_an_operator, checkpointing, custom_function, fx_rewrite
from underhood.settings import Settings
for name in Settings().preload:
    importlib.import_module(name)
before = set(sys.modules)
late = ("sympy", "mpmath", "networkx", "torch._dynamo", "torch._inductor", "torch.distributed")
for _ in custom_function.run(custom_function.Params()):
    pass
print(*(name for name in set(sys.modules) - before if name.startswith((*late, "torch.fx"))))
for lab in (add_an_operator, checkpointing, fx_rewrite):
    next(iter(lab.run(lab.Params())))
print(*(name for name in set(sys.modules) - before if name.startswith(late)))
"""


def test_no_picture_waits_for_an_import() -> None:
    """What takes torch seconds when a gradient, an optimizer or an operator of ours first asks for it."""
    found = subprocess.run([sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True)
    assert found.stdout.split() == []

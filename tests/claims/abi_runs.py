"""What tests of the chapter on packaging and ABI ask, once each: runs of its lab, names of PyTorch's libraries."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import torch
from native.models import elf
from native.pytorch.abi_break import Params, run
from native.pytorch.abi_break.pictures import Break

TORCH = Path(torch.__file__).parent


@cache
def logged(params: Params) -> list[Break]:
    return list(run(params))


def end(**params: Any) -> Break:
    return logged(Params(**params))[-1]


@cache
def exported(name: str) -> elf.Library:
    return elf.read(TORCH / "lib" / name)

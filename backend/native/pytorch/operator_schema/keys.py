"""Which of three keys have a kernel for an operator, as the dispatcher's own table says it."""

from __future__ import annotations

import re
from typing import Any

import torch

from native.pytorch.operator_schema.pictures import Registered

_ROW = re.compile(r"^(\w+): registered at .+ \[(.+)\]$")
FALLBACK = "backend fallback"  # what serves every operator without a kernel of its own


def registered(operator: str, refused: str) -> list[Registered]:
    """Such as aten::add_.Tensor."""
    dump: Any = torch._C._dispatch_dump_table
    table = {match[1]: match[2] for row in dump(operator).splitlines() if (match := _ROW.match(row))}
    kinds = {key: table.get(key, "") for key in ("CPU", "Meta", "AutogradCPU")}
    kinds = {key: "" if kind == FALLBACK else kind for key, kind in kinds.items()}
    return [
        Registered("CPU", kinds["CPU"], ""),
        Registered("Meta", kinds["Meta"], ""),
        Registered("Autograd", kinds["AutogradCPU"], refused),
    ]

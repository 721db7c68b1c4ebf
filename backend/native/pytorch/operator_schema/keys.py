"""Which of three keys have a kernel for an operator, as the dispatcher's own table says it."""

from __future__ import annotations

from native.models.dispatcher import registrations
from native.pytorch.operator_schema.pictures import Registered

FALLBACK = "backend fallback"  # what serves every operator without a kernel of its own


def registered(operator: str, refused: str) -> list[Registered]:
    """Such as aten::add_.Tensor."""
    table = {key: each.kind for key, each in registrations(operator).items() if not each.fallthrough}
    kinds = {key: table.get(key, "") for key in ("CPU", "Meta", "AutogradCPU")}
    kinds = {key: "" if kind == FALLBACK else kind for key, kind in kinds.items()}
    return [
        Registered("CPU", kinds["CPU"], ""),
        Registered("Meta", kinds["Meta"], ""),
        Registered("Autograd", kinds["AutogradCPU"], refused),
    ]

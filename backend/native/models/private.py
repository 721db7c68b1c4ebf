"""What PyTorch (2.13) promises nobody, and labs ask it all the same: in one place, and what is gone is named."""

from __future__ import annotations

from typing import Any

import torch


def private(owner: Any, name: str) -> Any:
    """Raises ``RuntimeError`` where this torch has none of that name."""
    try:
        return getattr(owner, name)
    except AttributeError as error:
        whose = getattr(owner, "__name__", type(owner).__name__)
        raise RuntimeError(f"torch {torch.__version__} has no {whose}.{name}, which 2.13 has.") from error


def schema(text: str) -> Any:
    """The FunctionSchema of a text. Raises what torch's own parser raises."""
    return private(torch._C, "parse_schema")(text)


def registered(operator: str, overload: str) -> Any:
    """The FunctionSchema of an operator that is registered, such as ``aten::add`` and ``Tensor``."""
    return private(torch._C, "_get_schema")(operator, overload)


def dumped(operator: str) -> list[str]:
    """What the dispatcher holds of an operator such as ``aten::add.Tensor``: its schema, and each registration."""
    return str(private(torch._C, "_dispatch_dump")(operator)).splitlines()


def table(operator: str) -> list[str]:
    """What runs at each of the dispatcher's keys, a line for each."""
    return str(private(torch._C, "_dispatch_dump_table")(operator)).splitlines()


def sequence(node: Any) -> int:
    """The number that a node of the graph got when it was made."""
    return int(private(node, "_sequence_nr")())


def saved(node: Any) -> list[str]:
    """Names of what a node saved for the way back, without the prefix under which torch keeps them."""
    return [name.removeprefix(_SAVED) for name in dir(node) if name.startswith(_SAVED)]


def kept(node: Any, name: str) -> Any:
    """What it saved under that name. Raises torch's ``RuntimeError`` where that was changed, or let go of."""
    return private(node, _SAVED + name)


_SAVED = "_saved_"


def counted(storage: int) -> int:
    """How many tensors torch counts on the storage at this address; the question itself counts as one."""
    return int(private(torch._C, "_storage_Use_Count")(storage)) - 1


def weak(storage: torch.UntypedStorage) -> int:
    """A reference that does not keep a storage; ``free`` it."""
    return int(private(storage, "_weak_ref")())


def gone(reference: int) -> bool:
    """Whether nobody holds that storage any more."""
    return bool(private(torch.UntypedStorage, "_expired")(reference))


def free(reference: int) -> None:
    private(torch.UntypedStorage, "_free_weak_ref")(reference)

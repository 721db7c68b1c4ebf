"""What torch's private functions tell of its dispatcher (``torch._C._dispatch_…``, 2.13)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import torch

from native.models.private import dumped, private, table

_ROW = re.compile(r"^(\w+): (fallthrough )?registered at (.+?):(\d+) \[(.+)\]$")
_WITHOUT_SIGNATURE = re.compile(r"registered at (.+?):(\d+) :: \(none\)")


@dataclass(frozen=True)
class Registration:
    """What runs for an operator at a key."""

    file: str
    """From torch's source tree, or from the installed package"""
    line: int
    kind: str
    """As torch says it: kernel, autograd kernel, math kernel, default backend kernel, backend fallback, …"""
    fallthrough: bool
    """Nothing runs: the next key has its turn"""
    boxed: bool
    """It gets its arguments on a stack, so it could serve any operator, and a fallback serves all of them"""


def keys(of: Any) -> list[str]:
    """The names in a key set, the highest priority first: what torch takes from it, one after the other."""
    found: list[str] = []
    while (name := str(of.highestPriorityTypeId()).removeprefix("DispatchKey.")) != "Undefined":
        if name in found:
            raise RuntimeError(f"torch {torch.__version__} takes {name} twice from a key set, which 2.13 does not.")
        if not name.startswith("StartOf"):  # what has a functionality and no device, which is no key of its own
            found.append(name)
        of = of.remove(of.highestPriorityTypeId())
    return found


def keys_of(tensor: torch.Tensor) -> list[str]:
    return keys(private(torch._C, "_dispatch_keys")(tensor))


def included() -> list[str]:
    """What this thread adds to every call."""
    return keys(private(torch._C, "_dispatch_tls_local_include_set")())


def excluded(names: Iterable[str]) -> set[str]:
    """Which of these keys this thread takes from every call. (It may exclude a functionality on every device.)"""
    asked = {*names}
    left = _together(asked) - private(torch._C, "_dispatch_tls_local_exclude_set")()
    return asked - {*keys(left)}


def by_priority(names: Iterable[str]) -> list[str]:
    """Keys of tensors on one device, the highest priority first."""
    return keys(_together(names))


def _together(names: Iterable[str]) -> Any:
    key, one = private(torch._C, "DispatchKey"), private(torch._C, "DispatchKeySet")
    all_of_them = one(key.Undefined)
    for name in names:
        all_of_them = all_of_them | one(getattr(key, name))
    return all_of_them


def registrations(operator: str) -> dict[str, Registration]:
    """What runs for an operator such as ``aten::add.Tensor``, by key; keys without a kernel are left out."""
    found = {}
    boxed = {*_WITHOUT_SIGNATURE.findall("\n".join(dumped(operator)))}
    for row in table(operator):
        match = _ROW.match(row)
        if match:
            key, falls, file, line, kind = match.groups()
            on_a_stack = kind == "backend fallback" or (file, line) in boxed
            found[key] = Registration(_relative(file), int(line), kind, bool(falls), on_a_stack)
    if not found:
        raise RuntimeError(f"torch {torch.__version__} dumps the table of {operator} otherwise than 2.13 does.")
    return found


def _relative(file: str) -> str:
    """Without the folder in which torch was built, or lies."""
    for root in ("/pytorch/pytorch/", "/site-packages/"):
        file = file.rpartition(root)[2]
    return file.removeprefix("build/")

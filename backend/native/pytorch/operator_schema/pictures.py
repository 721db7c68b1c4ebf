"""The parts of a picture of an operator: its schema, the storages of a call, its kernels, and its roads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Operator = Literal[
    "scaled", "scaled(a!)", "scaled(a)", "add_", "view", "reshape", "max", "sort", "split", "_foreach_add_",
    "native_batch_norm",
]  # fmt: skip
Kernel = Literal["new", "mutates", "aliases", "missing"]
Meta = Literal["right", "wrong_shape", "wrong_strides", "missing"]


@dataclass(frozen=True)
class Slot:
    """An argument or a result, as the schema declares it."""

    key: str
    name: str
    type: str
    """Without its mark"""
    mark: str
    """The alias set, such as a or a!; empty without one"""
    default: str
    """Empty without one"""
    keyword: bool
    """Only by name"""
    tensor: bool
    result: bool


@dataclass(frozen=True)
class Place:
    """A storage that the call saw."""

    key: str
    slots: list[str]
    """Keys of the arguments and results that lie in it"""
    before: int
    """The version of its tensor before the call; -1 if the call made the storage"""
    after: int
    """-1 if the call made it"""
    changed: bool
    """Whether its bytes did"""
    lie: str
    """What the schema hides: empty, written, or shared"""


@dataclass(frozen=True)
class Registered:
    """What runs at a dispatch key."""

    key: Literal["CPU", "Meta", "Autograd"]
    kind: str
    """In torch's words; empty if nothing was registered"""
    refused: str
    """What torch said when it was to be registered"""


@dataclass(frozen=True)
class Road:
    """A way to run a program that calls the operator, or one of opcheck's tests."""

    name: str
    needs: list[str]
    """The keys whose kernels it calls"""
    state: Literal["waiting", "works", "warns", "differs", "fails"]
    says: str
    """Torch's first sentence"""
    result: str
    values: list[float]
    """The numbers of the first tensor that came of it"""

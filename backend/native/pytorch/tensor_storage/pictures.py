"""Storages, the tensors that read them, and what is saved of them, as a figure shows them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Storage:
    """Bytes that belong together."""

    name: str
    bytes: int
    item: int
    """Bytes of a cell"""
    cells: list[str]
    """[cells] the numbers in it, as the type of the tensor that came first; the first 64"""
    changed: list[int]
    """[changed] cells that the statement wrote"""
    holders: list[str]
    """Who keeps it alive: names, gradients, and nodes of the graph"""
    tensors: int
    """How many tensors torch counts on it"""


@dataclass(frozen=True)
class View:
    """A tensor: how a part of a storage is read."""

    number: int
    """In the order in which they are met; a tensor keeps its own"""
    names: list[str]
    """All its names; and where it hangs, as x.grad or x._base, if that is one of them"""
    storage: str
    dtype: str
    offset: int
    """In elements"""
    shape: list[int]
    strides: list[int]
    """In elements"""
    at: list[int]
    """[elements] the byte of the storage where each begins; the first 64"""
    item: int
    """Bytes of an element"""
    values: list[str]
    """[elements]"""
    base: str
    """Whose view it is, as autograd says; empty if it is none"""
    version: int
    """How often its numbers were changed in place; -1 if that is not counted"""
    history: str
    """The node that made it, or "leaf" if it wants a gradient itself"""


@dataclass(frozen=True)
class Save:
    """What a node of the graph keeps for the way back."""

    node: str
    number: int
    """Of the node, in the order in which they are met"""
    storage: str
    saved: int
    """The version that was saved"""
    now: int
    """The version that it has now"""


@dataclass(frozen=True)
class Look:
    """All of them after a statement."""

    storages: list[Storage]
    views: list[View]
    saves: list[Save]

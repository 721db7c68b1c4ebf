"""The graph and the queue of the engine, as a figure shows them."""

from __future__ import annotations

from dataclasses import dataclass

UNNAMED = "a tensor without a name"


@dataclass(frozen=True)
class Node:
    """A function of the graph."""

    number: int
    """In the order in which they are met; a node keeps its own"""
    name: str
    """As torch calls it"""
    leaf: str
    """The tensor whose .grad it adds to; empty unless it is an AccumulateGrad"""
    sequence: int
    """When it was made, counted from the program's first; 0 for an AccumulateGrad, which always comes first"""
    line: int
    """Of the program, that made it"""
    column: int
    """Steps to the farthest leaf"""
    row: int
    """Among those of its column"""
    state: str
    """idle, waiting, ready, running, done"""
    arrived: int
    """Gradients that have arrived"""
    expected: int
    """Gradients that it waits for, in this walk"""
    gradient: str
    """What it was given last, the sum of all that arrived"""


@dataclass(frozen=True)
class Edge:
    """Where a node hands a gradient on."""

    source: int
    target: int
    way: int
    """Which of the node's results goes there"""
    passed: bool
    """In this walk, by now"""


@dataclass(frozen=True)
class Leaf:
    """A tensor that gradients are added up for."""

    name: str
    grad: str
    """Empty if there is none yet"""
    times: int
    """How often something was added"""


@dataclass(frozen=True)
class Graph:
    """All of it at one moment."""

    nodes: list[Node]
    edges: list[Edge]
    queue: list[int]
    """Numbers of the nodes that are ready, the next one first"""
    now: int
    """The number of the node that runs; 0 if none does"""
    depth: int
    """Walks that are open, one inside the other"""
    thread: int
    """In which the node runs, counted from 1, the one that called backward"""
    leaves: list[Leaf]

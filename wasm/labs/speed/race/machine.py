"""Threads that share one counter and some locks: a state is a value, and an instruction makes another state of it.

Memory is sequentially consistent here: one instruction at a time, and each sees what all before it wrote. Real
processors promise less (``speed/race_real``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeVar

Op = Literal["LOAD", "ADD", "STORE", "ACQUIRE", "RELEASE", "FETCH_ADD", "CAS"]
T = TypeVar("T")
NAMES = "ABC"
"""Of the threads."""


@dataclass(frozen=True)
class Instruction:
    op: Op
    lock: int = 0
    """Which lock, for ACQUIRE and RELEASE."""
    back: int = 0
    """Where a CAS that failed goes on, as a distance."""


Program = tuple[Instruction, ...]


class State(NamedTuple):
    at: tuple[int, ...]
    """[threads] the next instruction of each"""
    register: tuple[int | None, ...]
    """[threads] what each has read and computed; None where that no longer matters"""
    expected: tuple[int | None, ...]
    """[threads] what each read last, for compare_and_swap"""
    hits: int
    """The shared counter."""
    held: tuple[tuple[int, ...], ...]
    """[locks] the threads that hold each, once for every permit"""


@dataclass(frozen=True)
class Machine:
    programs: tuple[Program, ...]
    """[threads]"""
    permits: tuple[int, ...]
    """[locks] how many threads each admits: a lock is a semaphore of one"""

    @property
    def threads(self) -> int:
        return len(self.programs)

    def start(self) -> State:
        nothing = (None,) * self.threads
        return State((0,) * self.threads, nothing, nothing, 0, ((),) * len(self.permits))

    def next(self, state: State, thread: int) -> Instruction | None:
        """The instruction that this thread would execute; None behind its last."""
        program, at = self.programs[thread], state.at[thread]
        return program[at] if at < len(program) else None

    def waits(self, state: State, thread: int) -> int | None:
        """The lock that this thread wants and does not get; None if it does not wait."""
        wanted = self.next(state, thread)
        if wanted is None or wanted.op != "ACQUIRE":
            return None
        return wanted.lock if len(state.held[wanted.lock]) >= self.permits[wanted.lock] else None

    def ready(self, state: State) -> Iterator[int]:
        """The threads that can have the next turn."""
        for thread in range(self.threads):
            if self.next(state, thread) and self.waits(state, thread) is None:
                yield thread

    def finished(self, state: State) -> bool:
        return all(self.next(state, thread) is None for thread in range(self.threads))

    def step(self, state: State, thread: int) -> State:
        """The state after the next instruction of a thread that is ready."""
        todo = self.programs[thread][state.at[thread]]
        at, register, expected, hits, held = state
        forward, value, seen = 1, register[thread], expected[thread]
        if todo.op == "LOAD":
            value = seen = hits
        elif todo.op == "ADD":
            value = (value or 0) + 1
        elif todo.op == "STORE":
            hits, value, seen = value or 0, None, None
        elif todo.op == "FETCH_ADD":
            hits += 1
        elif todo.op == "CAS":
            if hits == seen:
                hits = value or 0
            else:
                forward = -todo.back
            value = seen = None
        else:
            holders = [*held[todo.lock]]
            (holders.append if todo.op == "ACQUIRE" else holders.remove)(thread)
            held = _with(held, todo.lock, tuple(sorted(holders)))
        return State(
            _with(at, thread, at[thread] + forward),
            _with(register, thread, value),
            _with(expected, thread, seen if self._compares else None),
            hits,
            held,
        )

    @property
    def _compares(self) -> bool:
        return any(each.op == "CAS" for each in self.programs[0])


def _with(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])

"""``hits += 1``, guarded in seven ways, as instructions."""

from __future__ import annotations

from typing import Literal

from labs.speed.race.machine import Instruction, Machine, Program

Guard = Literal[
    "nothing", "lock", "semaphore", "atomic", "compare_and_swap", "two_locks_crosswise", "two_locks_in_order"
]
ADD_ONE = (Instruction("LOAD"), Instruction("ADD"), Instruction("STORE"))


def machine(guard: Guard, threads: int, times: int, permits: int, late: bool, kept: bool) -> Machine:
    """Threads that add one so many times each. ``late`` and ``kept`` are mistakes with a lock or a semaphore."""
    if guard.startswith("two_locks"):
        in_order = guard.endswith("order")
        bodies = tuple(_both(thread, threads, in_order) for thread in range(threads))
        return Machine(tuple(body * times for body in bodies), (1,) * threads)
    admitted = {"lock": (1,), "semaphore": (permits,)}.get(guard, ())
    body = _one(guard, late, kept)
    return Machine((body * times,) * threads, admitted)


def _one(guard: Guard, late: bool, kept: bool) -> Program:
    acquire, release = Instruction("ACQUIRE"), Instruction("RELEASE")
    if guard == "atomic":
        return (Instruction("FETCH_ADD"),)
    if guard == "compare_and_swap":
        return (*ADD_ONE[:2], Instruction("CAS", back=2))
    if guard == "nothing":
        return ADD_ONE
    load, add, store = ADD_ONE
    inside = (load, add, acquire, store) if late else (acquire, *ADD_ONE)
    return inside if kept else (*inside, release)


def _both(thread: int, threads: int, in_order: bool) -> Program:
    """Between two threads lies a lock that both need; crosswise, each takes the one on its own side first."""
    locks = [thread, (thread + 1) % threads]
    if in_order:
        locks.sort()
    taken = (Instruction("ACQUIRE", lock) for lock in locks)
    given = (Instruction("RELEASE", lock) for lock in reversed(locks))
    return (*taken, *ADD_ONE, *given)

"""A race, turn by turn: threads add one to a shared counter, and you choose whose turn is next.

``hits += 1`` is three instructions. Between any two of them another thread may have its turn, and an update can
be lost. After each turn all ways to go on are counted: how many of them end right. Then the same with a lock, a
semaphore, an atomic instruction, compare and swap, and with two locks that can stop every thread for good.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from labs.contract import Event, Float32, Int32, Interval, Label, LabError, Sentence, Text
from labs.models.arrays import ints
from labs.speed.race import words
from labs.speed.race.explore import Explorer, explored
from labs.speed.race.machine import NAMES, Machine, State
from labs.speed.race.programs import Guard, machine

POSTER = 3
LONGEST = 100  # turns of a run: all that three threads can take, and what their retries need


@dataclass(frozen=True)
class Params:
    guard: Annotated[Guard, Label("hits += 1 is guarded by", main=True)] = "nothing"
    threads: Annotated[Literal[2, 3], Label("Threads", main=True)] = 2
    times: Annotated[int, Interval(ge=1, le=3), Label("Each adds one", unit="times")] = 1
    turns: Annotated[
        str,
        Text(LONGEST),
        Label("Turns", help="A, B and C in order, such as AABB. A turn that a thread cannot take is skipped."),
    ] = "AABBAB"
    permits: Annotated[
        int, Interval(ge=1, le=2), Label("A semaphore admits", unit="threads", help="With one, it is a lock.")
    ] = 1
    late: Annotated[
        bool, Label("Lock after reading", group="Mistakes", help="Lock, semaphore: only the store is guarded.")
    ] = False
    kept: Annotated[
        bool,
        Label("Never unlock", group="Mistakes", help="Lock, semaphore: the thread ends while still holding it."),
    ] = False


@dataclass(frozen=True)
class Thread:
    name: str
    at: int
    """The instruction it executes next, of one round; behind the last if it is done."""
    round: int
    """Which of its additions it is at, counted from 0."""
    register: int | None
    """What it has read and computed."""
    state: Literal["ready", "waits", "done"]
    waits: str
    """The lock it waits for; empty if for none."""
    right: float
    """If its turn is next: ways to go on that end right."""
    wrong: float
    """If its turn is next: ways to go on that lose an update, or end in a standstill."""


@dataclass(frozen=True)
class Lock:
    name: str
    admits: int
    held: list[str]
    """The threads that hold it, once for every permit."""


@dataclass(frozen=True)
class Taken:
    """A turn that was taken."""

    thread: str
    did: str
    """The instruction, and what it read or wrote."""


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """The threads after some turns, and all that can still come of it."""

    kind: Literal["picture"] = "picture"
    stage: Literal["choose", "right", "lost", "stuck"]
    hits: int
    """The shared counter."""
    wanted: int
    """What it should be in the end."""
    turns: str
    """Whose turns it were so far."""
    taken: list[Taken]
    code: list[list[str]]
    """The instructions of one round of each thread."""
    threads: list[Thread]
    locks: list[Lock]
    ends: Float32
    """[wanted + 1] ways to go on that end in a standstill; that end with the counter at 1, at 2, …"""
    every: Float32
    """[wanted + 1] the same of all interleavings from the start"""
    total: float
    """All interleavings."""
    wrong: float
    """Those that lose an update or come to a standstill."""
    shortest: str
    """Turns of the wrong one that changes the thread least often; empty if none is wrong."""
    path: Int32
    """[turns + 1, threads] instructions that each thread has behind it"""
    share: Float32
    """[A's instructions + 1, B's + 1] of the interleavings through here, the share that is wrong; NaN where none
    comes; empty for three threads"""


@dataclass(frozen=True)
class Walk:
    """One interleaving, as far as it has been chosen."""

    state: State
    path: tuple[tuple[int, ...], ...]
    turns: str = ""
    taken: tuple[Taken, ...] = ()

    def turn(self, made: Machine, thread: int) -> Walk:
        state = made.step(self.state, thread)
        taken = Taken(NAMES[thread], str(words.did(made, self.state, state, thread)))
        return Walk(state, (*self.path, state.at), self.turns + NAMES[thread], (*self.taken, taken))


def run(params: Params) -> Iterator[Picture]:
    turns = ordered(params.turns)
    made = machine(params.guard, params.threads, params.times, params.permits, params.late, params.kept)
    every = explored(made, params.threads * params.times)
    shares = shares_of(every)
    walk = Walk(made.start(), (made.start().at,))
    yield picture(every, walk, shares, params.times, words.start(every))
    for turn in turns:
        thread = NAMES.index(turn)
        if thread in made.ready(walk.state):
            before, walk = walk, walk.turn(made, thread)
            text = words.after(every, before.state, walk.state, thread)
            yield picture(every, walk, shares, params.times, text)


def ordered(turns: str) -> str:
    """The threads in their order. Raises ``LabError`` on what is the name of none; spaces and commas part turns."""
    turns = re.sub(r"[\s,]", "", turns)
    if other := re.search(f"[^{NAMES}]", turns.upper()):
        raise LabError(f"“{other[0]}” is no thread: write A, B or C for each turn, such as AABBAB.")
    return turns.upper()


def picture(every: Explorer, walk: Walk, shares: Float32, times: int, text: Sentence) -> Picture:
    made, state = every.machine, walk.state
    ways = every.ways(made.start())
    return Picture(
        text=text,
        stage=words.stage(every, state),
        hits=state.hits,
        wanted=every.right,
        turns=walk.turns,
        taken=[*walk.taken],
        code=[[words.instruction(made, each) for each in of[: len(of) // times]] for of in made.programs],
        threads=[threads(every, state, thread, times) for thread in range(made.threads)],
        locks=[
            Lock(name, made.permits[n], [NAMES[thread] for thread in state.held[n]])
            for n, name in enumerate(words.locks(made))
        ],
        ends=np.array(every.ways(state), np.float32),
        every=np.array(ways, np.float32),
        total=float(sum(ways)),
        wrong=float(sum(ways[:-1])),
        shortest=every.shortest,
        path=ints(place for at in walk.path for place in at).reshape(len(walk.path), made.threads),
        share=shares,
    )


def threads(every: Explorer, state: State, thread: int, times: int) -> Thread:
    made = every.machine
    length = len(made.programs[thread]) // times
    done, waits = made.next(state, thread) is None, made.waits(state, thread)
    ready = not done and waits is None
    after = made.step(state, thread) if ready else None
    return Thread(
        name=NAMES[thread],
        at=length if done else state.at[thread] % length,
        round=times - 1 if done else state.at[thread] // length,
        register=state.register[thread],
        state="done" if done else "ready" if ready else "waits",
        waits="" if waits is None else words.locks(made)[waits],
        right=float(every.ways(after)[-1]) if after else 0.0,
        wrong=float(every.wrong(after)) if after else 0.0,
    )


def shares_of(every: Explorer) -> Float32:
    programs = every.machine.programs
    if len(programs) != 2:
        return np.empty((0, 0), np.float32)
    shares = np.full([len(program) + 1 for program in programs], np.nan, np.float32)
    for at, share in every.shares.items():
        shares[at] = share
    return shares

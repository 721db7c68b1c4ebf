"""What is said of a turn, and of all that can come after it."""

from __future__ import annotations

from typing import Literal

from labs.contract import Sentence, say
from labs.speed.race.explore import Explorer
from labs.speed.race.machine import NAMES, Instruction, Machine, State


def locks(machine: Machine) -> list[str]:
    """Names of the locks."""
    count = len(machine.permits)
    return ["lock"] if count == 1 else [f"lock {n + 1}" for n in range(count)]


def spoken(machine: Machine, lock: int) -> str:
    """A lock in a sentence, or one of the permits of a semaphore."""
    if machine.permits[lock] > 1:
        return "a permit"
    return "the lock" if len(machine.permits) == 1 else locks(machine)[lock]


def instruction(machine: Machine, each: Instruction) -> str:
    if each.op == "ADD":
        return "ADD 1"
    return f"{each.op} {locks(machine)[each.lock] if each.op in ('ACQUIRE', 'RELEASE') else 'hits'}"


def did(machine: Machine, before: State, after: State, thread: int) -> Sentence:
    """A turn, in few words."""
    each = machine.programs[thread][before.at[thread]]
    if each.op == "LOAD":
        return say("reads {}", before.hits)
    if each.op == "ADD":
        return say("computes {}", after.register[thread])
    if each.op in ("STORE", "FETCH_ADD"):
        return say("writes {}", after.hits)
    if each.op == "CAS":
        return say("swaps in {}", after.hits) if succeeded(before, thread) else say("finds {}", before.hits)
    return say("takes {}" if each.op == "ACQUIRE" else "releases {}", spoken(machine, each.lock))


def succeeded(before: State, thread: int) -> bool:
    """Whether a CAS still finds the value that it has read."""
    return before.hits == before.expected[thread]


def surprise(machine: Machine, before: State, after: State, thread: int) -> Sentence:
    """What somebody who wrote ``hits += 1`` did not expect of this turn."""
    each = machine.programs[thread][before.at[thread]]
    if each.op == "STORE" and after.hits != before.hits + 1:
        return say(" over {}, and an update is lost", before.hits)
    if each.op == "CAS" and not succeeded(before, thread):
        return say(" instead of {}, and has to read again", before.expected[thread])
    return say("")


def start(every: Explorer) -> Sentence:
    ways, wrong = sum(every.ways(every.machine.start())), every.wrong(every.machine.start())
    if not wrong:
        return say("No thread has had a turn yet: of {:,} interleavings, all end right.", ways)
    go = "goes" if wrong == 1 else "go"
    return say("No thread has had a turn yet: of {:,} interleavings, {:,} {} wrong.", ways, wrong, go)


def stage(every: Explorer, state: State) -> Literal["choose", "right", "lost", "stuck"]:
    if not every.machine.finished(state):
        return "choose" if any(True for _ in every.machine.ready(state)) else "stuck"
    return "right" if state.hits == every.right else "lost"


def after(every: Explorer, before: State, state: State, thread: int) -> Sentence:
    """A turn, and what is left of it all."""
    done = did(every.machine, before, state, thread)
    turn = say("{} {}{}", NAMES[thread], done, surprise(every.machine, before, state, thread))
    end = stage(every, state)
    if end == "right":
        return say("{}: all threads are done, and the counter is at {}, as it should be.", turn, state.hits)
    if end == "lost":
        return say(
            "{}: all threads are done, and the counter is at {} instead of {}.", turn, state.hits, every.right
        )
    if end == "stuck":
        return say("{}, and no thread can go on: {}.", turn, standstill(every.machine, state))
    ways, wrong = sum(every.ways(state)), every.wrong(state)
    if ways == 1:
        return say("{}: there is only one way to go on, and it is {}.", turn, "wrong" if wrong else "right")
    if wrong == ways:
        return say("{}: of {:,} ways to go on, all are wrong.", turn, ways)
    if not wrong:
        return say("{}: of {:,} ways to go on, all are right.", turn, ways)
    return say("{}: of {:,} ways to go on, {:,} {} wrong.", turn, ways, wrong, "is" if wrong == 1 else "are")


def standstill(machine: Machine, state: State) -> Sentence:
    waiting = [(thread, machine.waits(state, thread)) for thread in range(machine.threads)]
    first, wanted = next((thread, wanted) for thread, wanted in waiting if wanted is not None)
    if first in state.held[wanted]:
        return say("{} waits for {}, which it holds itself", NAMES[first], spoken(machine, wanted))
    holders = [NAMES[each] for each in dict.fromkeys(state.held[wanted])]
    hold = "holds" if len(holders) == 1 else "hold"
    told = say("{} waits for {}, which {} {}", NAMES[first], spoken(machine, wanted), " and ".join(holders), hold)
    circle = any(machine.waits(state, holder) is not None for holder in state.held[wanted])
    return say("{}, and so on in a circle", told) if circle else told

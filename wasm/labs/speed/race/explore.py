"""All interleavings of a machine: how many end with which value of the counter, and the shortest wrong one.

There are far too many to list, but many lead to the same state, and from there on they are the same. So each state
is counted once, as a sum over the states that can follow it. No state comes again on one path: a CAS only fails
where another thread has succeeded.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property, lru_cache
from heapq import heappop, heappush

from labs.speed.race.machine import NAMES, Machine, State

Ways = tuple[int, ...]
"""How many interleavings end with the counter at 1, 2, …; the first number is how many end in a deadlock."""


class Explorer:
    def __init__(self, machine: Machine, right: int) -> None:
        self.machine, self.right = machine, right
        self._known: dict[State, Ways] = {}

    def ways(self, state: State) -> Ways:
        """All that can come of a state."""
        if state not in self._known:
            ready = [*self.machine.ready(state)]
            if ready:
                every = [self.ways(self.machine.step(state, thread)) for thread in ready]
                found = tuple(map(sum, zip(*every, strict=True)))
            else:
                end = state.hits if self.machine.finished(state) else 0
                found = tuple(int(value == end) for value in range(self.right + 1))
            self._known[state] = found
        return self._known[state]

    def wrong(self, state: State) -> int:
        """Interleavings that lose an update or come to a standstill."""
        return sum(self.ways(state)[:-1])

    @property
    def states(self) -> int:
        """States that were met."""
        return len(self._known)

    @cached_property
    def shortest(self) -> str:
        """Turns of the wrong interleaving with the fewest changes of the thread, and the fewest steps among these.

        Empty where none is wrong. Few changes are easiest to follow, and most bugs need very few (Musuvathi and
        Qadeer, Iterative Context Bounding for Systematic Testing of Multithreaded Programs, 2007).
        """
        start = self.machine.start()
        seen = set[tuple[State, str]]()
        queue = [(0, 0, "", start)] if self.wrong(start) else []
        while queue:
            changes, steps, turns, state = heappop(queue)
            if (state, turns[-1:]) in seen:
                continue
            seen.add((state, turns[-1:]))
            following = [(NAMES[thread], self.machine.step(state, thread)) for thread in self.machine.ready(state)]
            if not following:
                return turns
            for name, after in following:
                if self.wrong(after):
                    changed = turns[-1:] not in ("", name)
                    heappush(queue, (changes + changed, steps + 1, turns + name, after))
        return ""

    @cached_property
    def shares(self) -> dict[tuple[int, ...], float]:
        """Where the threads can be together: the share of the interleavings through there that go wrong."""
        all_of, wrong_of = defaultdict[tuple[int, ...], int](int), defaultdict[tuple[int, ...], int](int)
        front = {self.machine.start(): 1}
        while front:
            following = defaultdict[State, int](int)
            for state, paths in front.items():
                all_of[state.at] += paths * sum(self.ways(state))
                wrong_of[state.at] += paths * self.wrong(state)
                for thread in self.machine.ready(state):
                    following[self.machine.step(state, thread)] += paths
            front = following
        return {at: wrong_of[at] / count for at, count in all_of.items()}


@lru_cache(maxsize=8)
def explored(machine: Machine, right: int) -> Explorer:
    """Kept, because each turn that a reader chooses is a run of its own."""
    return Explorer(machine, right)

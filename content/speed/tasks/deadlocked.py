"""Which threads are in a deadlock: a circle in who waits for whom."""

STUB = '''
def deadlocked(waits):
    """waits[t] is the number of the thread that t waits for, if it waits. Returns a sorted list of numbers."""
    return sorted(t for t, other in waits.items() if waits.get(other) == t)
'''


def deadlocked(waits):
    found = []
    for thread in waits:
        seen, other = {thread}, waits[thread]
        while other in waits and other not in seen:
            seen.add(other)
            other = waits[other]
        if other == thread:
            found.append(thread)
    return sorted(found)


def cases():
    yield ({},)
    yield ({0: 1},)
    yield ({0: 1, 1: 0},)
    yield ({0: 1, 1: 2, 2: 0},)
    yield ({0: 1, 1: 2},)
    yield ({0: 1, 1: 2, 2: 1},)
    yield ({0: 1, 1: 2, 2: 3, 3: 1, 4: 5, 5: 4},)


def pairs_only(waits):
    """Two threads that wait for each other are found; a circle of three is not."""
    return sorted(t for t, other in waits.items() if waits.get(other) == t)


def all_that_wait_long(waits):
    """A thread that waits for one in a circle is stuck, too, but it is not in the circle itself."""
    found = []
    for thread in waits:
        other = thread
        for _ in waits:
            other = waits.get(other)
        if other in waits:
            found.append(thread)
    return sorted(found)


MISTAKES = [pairs_only, all_that_wait_long]

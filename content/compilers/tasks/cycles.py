"""How long a kernel's blocks keep the busiest multiprocessor: rounding up, and waiting at the same time."""

STUB = '''
def cycles(blocks, multiprocessors, room, work, wait):
    """A kernel has so many blocks, shared out evenly among the multiprocessors. The busiest takes its share in
    waves of up to `room` blocks at once. In a wave of r blocks all wait at the same time, and one computes at a
    time: the wave takes r * work cycles, but never less than one block alone, which takes work + wait.
    Return the cycles until the busiest multiprocessor is done."""
    return blocks / multiprocessors * work
'''


def cycles(blocks, multiprocessors, room, work, wait):
    share = -(-blocks // multiprocessors)
    full, rest = divmod(share, room)
    total = full * max(room * work, work + wait)
    return total + (max(rest * work, work + wait) if rest else 0)


def cases():
    yield 132, 132, 4, 1000, 3000
    yield 133, 132, 4, 1000, 3000
    yield 528, 132, 4, 1000, 3000
    yield 660, 132, 4, 1000, 3000
    yield 384, 132, 4, 18432, 26880
    yield 8, 132, 2, 500, 100
    yield 1056, 132, 2, 500, 700
    yield 1, 1, 1, 10, 0
    yield 1024, 1, 1, 200, 800


def shared_evenly(blocks, multiprocessors, room, work, wait):
    """A block cannot be cut: some multiprocessor has one more than the others, and all wait for that one."""
    share = blocks / multiprocessors
    waves = share / room
    return waves * max(room * work, work + wait)


def one_after_the_other(blocks, multiprocessors, room, work, wait):
    """While one block waits, another of the same multiprocessor computes."""
    return -(-blocks // multiprocessors) * (work + wait)


def never_waits(blocks, multiprocessors, room, work, wait):
    """With few blocks, no other block computes while they wait."""
    return -(-blocks // multiprocessors) * work


def full_waves(blocks, multiprocessors, room, work, wait):
    """The last wave may have fewer blocks than there is room for, and then takes less."""
    share = -(-blocks // multiprocessors)
    return -(-share // room) * max(room * work, work + wait)


MISTAKES = [shared_evenly, one_after_the_other, never_waits, full_waves]

"""When each lane of a split sum runs, and where: uneven slices, and a free worker takes the next one."""

STUB = '''
def split_lanes(slabs, splits, workers):
    """A sum of so many slabs is cut into `splits` slices, which differ by at most one slab: slice s begins at slab
    slabs * s // splits. The workers start together at time 0 and take the slices in their order: the worker that is
    free first takes the next one, of several the one with the lowest number. A slab takes one unit of time.
    Return a list with (worker, begin, end) for each slice."""
    return [(s % workers, 0, slabs) for s in range(splits)]
'''


def split_lanes(slabs, splits, workers):
    free, lanes = [0] * workers, []
    for length in lengths(slabs, splits):
        worker = free.index(min(free))
        begin = free[worker]
        free[worker] += length
        lanes.append((worker, begin, free[worker]))
    return lanes


def lengths(slabs, splits):
    return [slabs * (s + 1) // splits - slabs * s // splits for s in range(splits)]


def cases():
    yield 12, 4, 2
    yield 12, 3, 2
    yield 7, 3, 2
    yield 10, 4, 3
    yield 5, 5, 8
    yield 11, 8, 3
    yield 1, 1, 4
    yield 9, 7, 1


def placed(each, workers, turns=False, waves=False):
    """The same for slices of any length: workers in turns, or a wave begins when the one before is over."""
    free, lanes = [0] * workers, []
    for s, length in enumerate(each):
        if waves and s % workers == 0:
            free = [max(free)] * workers
        worker = s % workers if turns or waves else free.index(min(free))
        begin = free[worker]
        free[worker] += length
        lanes.append((worker, begin, free[worker]))
    return lanes


def rest_is_lost(slabs, splits, workers):
    """Slices of slabs // splits leave the rest of the sum out where splits does not divide the slabs."""
    return placed([slabs // splits] * splits, workers)


def rest_for_the_last(slabs, splits, workers):
    """The last slice gets the whole rest here, and its lane is longer than all others by more than a slab."""
    return placed([slabs // splits] * (splits - 1) + [slabs - slabs // splits * (splits - 1)], workers)


def in_turns(slabs, splits, workers):
    """The next worker in turn may still be busy while another is free."""
    return placed(lengths(slabs, splits), workers, turns=True)


def in_waves(slabs, splits, workers):
    """Nobody waits for the end of a wave: a worker that is free takes the next slice at once."""
    return placed(lengths(slabs, splits), workers, waves=True)


MISTAKES = [rest_is_lost, rest_for_the_last, in_turns, in_waves]

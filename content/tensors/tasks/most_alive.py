"""The least memory that buffers with known lifetimes can need."""

STUB = '''
def most_alive(buffers):
    """buffers: (size, born, died) each; a buffer is alive from the moment born on, and no more at the moment died.
    Return the largest sum of the sizes of buffers that are alive at the same moment; 0 if there are none."""
    return sum(size for size, born, died in buffers)
'''


def most_alive(buffers):
    changes = [(born, size) for size, born, died in buffers] + [(died, -size) for size, born, died in buffers]
    alive = most = 0
    for _, change in sorted(changes):
        alive += change
        most = max(most, alive)
    return most


def cases():
    yield ([(4, 0, 2), (4, 1, 3), (4, 2, 4)],)
    yield ([(8, 0, 1), (8, 1, 2), (8, 2, 3)],)
    yield ([(1, 0, 9), (5, 1, 4), (2, 3, 6), (5, 4, 7), (3, 6, 8)],)
    yield ([(3, 5, 6), (7, 0, 2), (1, 1, 6)],)
    yield ([(2, 0, 10), (2, 0, 10), (2, 0, 10)],)
    yield ([(6, 3, 4)],)
    yield ([],)


def all_of_them(buffers):
    """That is what a pool without reuse takes. Buffers that are never alive together can share memory."""
    return sum(size for size, born, died in buffers)


def the_largest(buffers):
    """One buffer at a time: several are alive at the same moment, and need memory side by side."""
    return max((size for size, born, died in buffers), default=0)


def takes_before_it_gives(buffers):
    """A buffer is no longer alive at the moment died: a buffer born at this moment may take its place."""
    changes = [(born, 0, size) for size, born, died in buffers] + [(died, 1, -size) for size, born, died in buffers]
    alive = most = 0
    for _, _, change in sorted(changes):
        alive += change
        most = max(most, alive)
    return most


def how_many(buffers):
    """That counts the buffers. Their sizes matter."""
    return max((sum(b <= born < d for _, b, d in buffers) for _, born, _ in buffers), default=0)


MISTAKES = [all_of_them, the_largest, takes_before_it_gives, how_many]

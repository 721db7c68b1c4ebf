"""Where the keys and values of a position go, when memory is lent in blocks."""

STUB = '''
def slot_of(position, table, free, size):
    """table: the blocks of one sequence, in order. free: blocks nobody holds; the last one is taken first.
    size: positions in a block. Positions come one after the other, from 0 on. Takes a block if this position
    needs one, and returns (block, place in the block)."""
    table.append(free.pop())
    return table[-1], position
'''


def slot_of(position, table, free, size):
    if position % size == 0:
        table.append(free.pop())
    return table[position // size], position % size


def cases():
    for position, table, free, size in (
        (0, [], [3, 1, 2], 4),
        (1, [2], [3, 1], 4),
        (3, [2], [3, 1], 4),
        (4, [2], [3, 1], 4),
        (11, [9, 0, 5], [7], 4),
        (16, [6], [4], 16),
        (5, [8, 2, 6, 1, 0], [3, 7], 1),
    ):
        yield position, list(table), list(free), size


def always_takes(position, table, free, size):
    """A block for every position: all but the first place of each stay empty."""
    table.append(free.pop())
    return table[-1], position % size


def one_too_late(position, table, free, size):
    """The first position needs a block, too, and so does the one right after a full block."""
    if position % size == 0 and position > 0:
        table.append(free.pop())
    return table[-1] if table else -1, position % size


def in_a_row(position, table, free, size):
    """Blocks of a sequence need not be neighbours: only its table says which one is next."""
    if position % size == 0:
        table.append(free.pop())
    return table[0] + position // size, position % size


MISTAKES = [always_takes, one_too_late, in_a_row]

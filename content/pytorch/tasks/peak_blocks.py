"""The blocks at the peak of a backward pass through checkpointed segments of unequal lengths."""

STUB = '''
def peak_blocks(lengths):
    """lengths: the layers in each segment, from the first to the last.
    A layer makes two blocks, z and h; the given input is not counted.
    While backward walks a segment, there are alive: the inputs of this
    segment and of those before it, all blocks of the segment except its
    last h, the result of the network, and two gradients; in the last
    segment one, because the first gradient is given.
    Returns the most blocks in any segment."""
    return 2 * sum(lengths) + 1
'''


def peak_blocks(lengths):
    last = len(lengths) - 1
    return max(
        borders + 2 * length - 1 + 1 + (1 if borders == last else 2) for borders, length in enumerate(lengths)
    )


def cases():
    yield ((3, 3, 3),)
    yield ((9,),)
    yield ((1, 1, 1, 1),)
    yield ((4, 3, 2),)
    yield ((2, 3, 4),)
    yield ((6, 1, 1, 1, 1),)
    yield ((5, 5, 4, 4, 3, 3, 2, 2),)


def all_borders(lengths):
    """The borders of later segments are gone when backward walks an earlier one."""
    return max(len(lengths) + 2 * length for length in lengths) + (len(lengths) > 1)


def last_alone(lengths):
    """An earlier segment may be longer than the last one, and have the peak."""
    return len(lengths) + 2 * lengths[-1]


def without_gradients(lengths):
    """The gradient that arrives and the one that is being written take room, too."""
    return max(borders + 2 * length for borders, length in enumerate(lengths))


def counts_the_last_h(lengths):
    """The last h of a segment is not computed again: no node of the segment saved it."""
    last = len(lengths) - 1
    return max(borders + 2 * length + 1 + (1 if borders == last else 2) for borders, length in enumerate(lengths))


MISTAKES = [all_borders, last_alone, without_gradients, counts_the_last_h]

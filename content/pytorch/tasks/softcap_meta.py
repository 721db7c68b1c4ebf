"""What torch.empty_like gives: the strides of a result, from those of x, without a number computed."""

STUB = '''
def softcap_meta(shape, strides):
    """shape, strides: two tuples of an x that may have gaps. Each size is above 1, and the strides are all
    different and above 0. Returns (shape, strides) of the result: it has no gaps, and its dimensions keep the order
    of x, in which the one with the smallest stride is innermost."""
    return shape, strides
'''


def softcap_meta(shape, strides):
    made, step = [0] * len(shape), 1
    for d in sorted(range(len(shape)), key=lambda d: strides[d]):
        made[d] = step
        step *= shape[d]
    return shape, tuple(made)


def cases():
    yield (3, 5), (5, 1)
    yield (5, 3), (1, 5)
    yield (16,), (2,)
    yield (4, 3), (1, 8)
    yield (2, 3, 4), (1, 8, 2)
    yield (2, 5, 3), (30, 1, 10)
    yield (), ()


def contiguous(shape, strides):
    """A transposed x gives a transposed result. A Meta kernel that denies it makes export refuse a view."""
    made, step = [], 1
    for size in reversed(shape):
        made.append(step)
        step *= size
    return shape, tuple(reversed(made))


def copied(shape, strides):
    """x[::2] reads every second number, and its result lies in a storage of its own, without gaps."""
    return shape, strides


def sorted_sizes(shape, strides):
    """The size of a dimension belongs to its stride. Step over the sizes in the order of the strides."""
    made, step = [0] * len(shape), 1
    for d, size in zip(sorted(range(len(shape)), key=lambda d: strides[d]), reversed(shape), strict=True):
        made[d] = step
        step *= size
    return shape, tuple(made)


MISTAKES = [contiguous, copied, sorted_sizes]

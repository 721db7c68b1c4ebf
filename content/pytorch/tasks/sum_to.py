"""The gradient of an input that was stretched by broadcasting."""

STUB = '''
def sum_to(values, shape, target):
    """values: the numbers of a gradient of this shape, row after row. target: the shape of the input, which was
    stretched to shape. Returns the numbers of the input's gradient, row after row, as a tuple."""
    return tuple(values)
'''


def sum_to(values, shape, target):
    return added(values, shape, (1,) * (len(shape) - len(target)) + tuple(target))


def added(values, shape, padded):
    length = 1
    for size in padded:
        length *= size
    sums = [0] * length
    for n, value in enumerate(values):
        place, step = 0, 1
        for size, kept in zip(reversed(shape), reversed(padded), strict=True):
            n, at = divmod(n, size)
            if kept > 1:
                place += at * step
            step *= kept
        sums[place] += value
    return tuple(sums)


def cases():
    yield (1, 2, 3), (3,), ()
    yield (1, 2, 3, 4, 5, 6), (2, 3), (3,)
    yield (1, 2, 3, 4, 5, 6), (2, 3), (2, 1)
    yield (1, 2, 3, 4, 5, 6), (2, 3), (2, 3)
    yield (1, 2, 3, 4, 5, 6), (2, 3), (1, 1)
    yield (1, 2, 3, 4, 5, 6, 7, 8), (2, 2, 2), (2, 1, 2)
    yield (1, 2, 3, 4, 5, 6, 7, 8), (2, 2, 2), (2, 1)


def mean(values, shape, target):
    """Every place that was reached adds to the loss: the gradients are added, and not divided by their number."""
    sums = added(values, shape, (1,) * (len(shape) - len(target)) + tuple(target))
    return tuple(each * len(sums) / len(values) for each in sums)


def first(values, shape, target):
    """The first of the gradients alone is not enough: all places that read the number count."""
    sums = added(values, shape, (1,) * (len(shape) - len(target)) + tuple(target))
    return tuple(values[: len(sums)])


def only_in_front(values, shape, target):
    """A length of 1 in the target was stretched as well, not only the dimensions that it lacks."""
    missing = len(shape) - len(target)
    return added(values, shape, (1,) * missing + tuple(shape[missing:]))


def from_the_left(values, shape, target):
    """Shapes are compared from the right: the missing ones stand in front."""
    return added(values, shape, tuple(target) + (1,) * (len(shape) - len(target)))


MISTAKES = [mean, first, only_in_front, from_the_left]

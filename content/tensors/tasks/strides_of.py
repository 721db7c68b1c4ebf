"""The strides of a tensor whose rows lie one after the other."""

STUB = '''
def strides_of(shape):
    """The strides, in elements, of a new tensor: its last index runs fastest, and there are no gaps."""
    return tuple(shape)
'''


def strides_of(shape):
    strides, step = [], 1
    for length in reversed(shape):
        strides.append(step)
        step *= length
    return tuple(reversed(strides))


def cases():
    yield ((4, 6),)
    yield ((24,),)
    yield ((2, 3, 4),)
    yield ((5, 1, 2),)
    yield ((1, 1, 1),)
    yield ((),)
    yield ((7, 2, 3, 2),)


def first_fastest(shape):
    """That steps fastest in the first index, as Fortran lays matrices: column after column."""
    strides, step = [], 1
    for length in shape:
        strides.append(step)
        step *= length
    return tuple(strides)


def own_length(shape):
    """A step along a dimension goes over everything after it, but its own length does not count."""
    strides, step = [], 1
    for length in reversed(shape):
        step *= length
        strides.append(step)
    return tuple(reversed(strides))


def one_behind(shape):
    """That looks at the next dimension only; with three of them the first has to step over two."""
    return tuple(shape[d + 1] if d + 1 < len(shape) else 1 for d in range(len(shape)))


def in_bytes(shape):
    """These are bytes of a float32, as NumPy counts; elements were asked for."""
    strides, step = [], 4
    for length in reversed(shape):
        strides.append(step)
        step *= length
    return tuple(reversed(strides))


MISTAKES = [first_fastest, own_length, one_behind, in_bytes]

"""Which elements a tile reads through an affine index: interval arithmetic."""

STUB = '''
def slice_bounds(factors, rest, begins, size):
    """The index is factors[0] * v[0] + factors[1] * v[1] + … + rest. In a tile each v[d] takes the values
    from begins[d] to begins[d] + size - 1. Return the lowest and the highest index that is read."""
    low = sum(f * b for f, b in zip(factors, begins)) + rest
    return low, low + size - 1
'''


def slice_bounds(factors, rest, begins, size):
    low = high = rest
    for factor, begin in zip(factors, begins, strict=True):
        ends = factor * begin, factor * (begin + size - 1)
        low, high = low + min(ends), high + max(ends)
    return low, high


def cases():
    yield [1], 0, [8], 8
    yield [1], -1, [8], 8
    yield [2], 1, [4], 4
    yield [-1], 15, [8], 8
    yield [16, 1], 0, [2, 4], 4
    yield [3, -2], 5, [0, 6], 3
    yield [0, 1], 0, [8, 8], 8
    yield [-1, -1], 30, [4, 8], 4
    yield [5], 2, [3], 1


def steps_of_one(factors, rest, begins, size):
    """That is right for one variable with the factor 1. With 2*i the last of four is six further, not three."""
    low = sum(f * b for f, b in zip(factors, begins, strict=True)) + rest
    return low, low + size - 1


def always_rising(factors, rest, begins, size):
    """Where a factor is negative, the first iteration reads the highest index, and the last one the lowest."""
    low = sum(f * b for f, b in zip(factors, begins, strict=True)) + rest
    return low, low + sum(f * (size - 1) for f in factors)


def one_too_far(factors, rest, begins, size):
    """A tile of size iterations that begins at b ends at b + size - 1; b + size belongs to the next one."""
    low = high = rest
    for factor, begin in zip(factors, begins, strict=True):
        ends = factor * begin, factor * (begin + size)
        low, high = low + min(ends), high + max(ends)
    return low, high


def turned_at_the_end(factors, rest, begins, size):
    """To swap both ends at last is not enough: 3*i - 2*j is lowest at the first i and the last j."""
    low = sum(f * b for f, b in zip(factors, begins, strict=True)) + rest
    high = low + sum(f * (size - 1) for f in factors)
    return min(low, high), max(low, high)


MISTAKES = [steps_of_one, always_rising, one_too_far, turned_at_the_end]

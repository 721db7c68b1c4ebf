"""Whether two tensors on one storage have an element in common."""

STUB = '''
def share(one, other):
    """Each is a tuple (shape, strides, offset), in elements, as in ((3,), (4,), 1). Returns True if at least one
    element of the storage is read by both, else False."""
    return one[2] == other[2]
'''


def share(one, other):
    def places(tensor):
        shape, strides, offset = tensor
        at = {offset}
        for size, stride in zip(shape, strides, strict=True):
            at = {place + stride * n for place in at for n in range(size)}
        return at

    return bool(places(one) & places(other))


def cases():
    whole = ((3, 4), (4, 1), 0)
    yield whole, ((3,), (4,), 1)
    yield ((6,), (2,), 0), ((6,), (2,), 1)
    yield ((2, 4), (4, 1), 0), ((1, 4), (4, 1), 8)
    yield ((4, 3), (1, 4), 0), ((2,), (1,), 10)
    yield whole, ((0, 4), (4, 1), 0)
    yield ((3,), (0,), 5), ((2, 2), (4, 1), 0)
    yield ((3,), (0,), 5), ((2, 2), (4, 1), 1)
    yield ((2, 2), (6, 3), 0), ((5,), (3,), 1)


def ranges(one, other):
    """Ranges may overlap without a common element: the even elements of a row, and the odd ones."""

    def ends(tensor):
        shape, strides, offset = tensor
        return offset, offset + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))

    (a, b), (c, d) = ends(one), ends(other)
    return a <= d and c <= b


def without_offset(one, other):
    """A tensor begins at its offset, which need not be 0."""

    def places(tensor):
        shape, strides, _ = tensor
        at = {0}
        for size, stride in zip(shape, strides, strict=True):
            at = {place + stride * n for place in at for n in range(size)}
        return at

    return bool(places(one) & places(other))


def empty_counts(one, other):
    """A tensor with a size of 0 reads nothing at all."""

    def places(tensor):
        shape, strides, offset = tensor
        at = {offset}
        for size, stride in zip(shape, strides, strict=True):
            at = {place + stride * n for place in at for n in range(max(1, size))}
        return at

    return bool(places(one) & places(other))


MISTAKES = [ranges, without_offset, empty_counts]

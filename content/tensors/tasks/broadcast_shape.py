"""The shape of a sum of two tensors."""

STUB = '''
def broadcast_shape(a, b):
    """The shape of a + b for tensors of the shapes a and b; None where they do not fit."""
    return tuple(max(m, n) for m, n in zip(a, b))
'''


def aligned(a, b):
    """Pairs of lengths, with 1 in front where a shape has none."""
    dims = max(len(a), len(b))
    return list(zip(*((1,) * (dims - len(shape)) + tuple(shape) for shape in (a, b)), strict=True))


def broadcast_shape(a, b):
    pairs = aligned(a, b)
    if any(m != n and 1 not in (m, n) for m, n in pairs):
        return None
    return tuple(n if m == 1 else m for m, n in pairs)


def cases():
    yield (4, 1, 3), (5, 1)
    yield (3,), (3, 1)
    yield (4, 3), (4,)
    yield (2, 3), (2, 3)
    yield (), (2, 2)
    yield (1,), (7,)
    yield (0, 3), (1, 3)
    yield (6,), (2,)
    yield (5, 4), (1, 5, 1)


def from_the_left(a, b):
    """Shapes are aligned at their last dimensions: missing ones are added in front."""
    dims = max(len(a), len(b))
    pairs = list(zip(*(tuple(shape) + (1,) * (dims - len(shape)) for shape in (a, b)), strict=True))
    if any(m != n and 1 not in (m, n) for m, n in pairs):
        return None
    return tuple(n if m == 1 else m for m, n in pairs)


def never_refuses(a, b):
    """Two lengths that differ fit only if one of them is 1."""
    return tuple(n if m == 1 else m for m, n in aligned(a, b))


def largest(a, b):
    """The larger length is not always right: 1 beside 0 stays 0, what is empty is not filled by repeating."""
    pairs = aligned(a, b)
    if any(m != n and 1 not in (m, n) for m, n in pairs):
        return None
    return tuple(max(pair) for pair in pairs)


def cut_short(a, b):
    """Dimensions that only one of them has belong to the result, too."""
    pairs = aligned(a, b)[len(a) - len(b) if len(a) > len(b) else len(b) - len(a) :]
    if any(m != n and 1 not in (m, n) for m, n in pairs):
        return None
    return tuple(n if m == 1 else m for m, n in pairs)


def multiples(a, b):
    """6 is a multiple of 2, and still does not fit: only a length of 1 is repeated."""
    pairs = aligned(a, b)
    if any(m != n and ((0 in (m, n) and 1 not in (m, n)) or max(m, n) % max(1, min(m, n))) for m, n in pairs):
        return None
    return tuple(n if m == 1 else m if n == 1 else max(m, n) for m, n in pairs)


MISTAKES = [from_the_left, never_refuses, largest, cut_short, multiples]

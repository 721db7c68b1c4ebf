"""Offsets and size of a struct, with a mistake in it."""

STUB = '''
def layout(fields):
    """fields: a list of (size, alignment). Returns the list of offsets, and the size of the whole."""
    offsets, at = [], 0
    for size, align in fields:
        offsets.append(at)
        at += size
    return offsets, at
'''


def layout(fields):
    offsets, at, strictest = [], 0, 1
    for size, align in fields:
        at = -(-at // align) * align
        offsets.append(at)
        at += size
        strictest = max(strictest, align)
    return offsets, -(-at // strictest) * strictest


def cases():
    yield ([(4, 4), (4, 4)],)
    yield ([(1, 1), (8, 8), (4, 4), (1, 1)],)
    yield ([(1, 1), (2, 2), (1, 1)],)
    yield ([(12, 4), (1, 1)],)
    yield ([(1, 1)],)
    yield ([(8, 8), (2, 2), (4, 4), (1, 1)],)


def added_up(fields):
    """That adds up the sizes; a field has to begin at a multiple of its alignment."""
    offsets, at = [], 0
    for size, _ in fields:
        offsets.append(at)
        at += size
    return offsets, at


def no_tail(fields):
    """The end is not padded: the next item of an array would be misaligned."""
    offsets, at = [], 0
    for size, align in fields:
        at = -(-at // align) * align
        offsets.append(at)
        at += size
    return offsets, at


def by_size(fields):
    """A field is aligned to its alignment, not to its size: three floats are 12 bytes and want 4."""
    offsets, at, strictest = [], 0, 1
    for size, _ in fields:
        at = -(-at // size) * size
        offsets.append(at)
        at += size
        strictest = max(strictest, size)
    return offsets, -(-at // strictest) * strictest


def always_eight(fields):
    """The end is padded to the strictest alignment of the fields, which is not always 8."""
    offsets, at = [], 0
    for size, align in fields:
        at = -(-at // align) * align
        offsets.append(at)
        at += size
    return offsets, -(-at // 8) * 8


MISTAKES = [added_up, no_tail, by_size, always_eight]

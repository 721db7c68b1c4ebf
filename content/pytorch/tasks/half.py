"""From which size on the arithmetic takes more than half of a call."""

STUB = '''
def half(sizes, call, arithmetic):
    """call[i] and arithmetic[i] are times for sizes[i], which grow. Returns the first size from which on
    the arithmetic takes more than half of the call, at this size and at all larger ones, or None."""
    return sizes[0]
'''


def half(sizes, call, arithmetic):
    found = None
    for size, whole, part in zip(sizes, call, arithmetic, strict=True):
        if 2 * part <= whole:
            found = None
        elif found is None:
            found = size
    return found


def cases():
    sizes = [1, 16, 256, 4096, 65536]
    yield sizes, [1800, 1800, 1800, 2300, 15000], [1, 3, 14, 450, 12000]
    yield sizes, [10, 20, 300, 5000, 70000], [9, 15, 200, 4000, 60000]
    yield sizes, [1800, 1800, 1800, 2300, 15000], [1, 3, 14, 450, 7500]
    yield sizes, [1800, 1800, 1000, 2300, 15000], [1, 3, 600, 450, 12000]
    yield [1], [10], [6]


def never_again(sizes, call, arithmetic):
    """One size alone may be a disturbance: it has to hold at all larger ones, too."""
    return next((n for n, whole, part in zip(sizes, call, arithmetic, strict=True) if 2 * part > whole), None)


def at_half(sizes, call, arithmetic):
    """Exactly half is not more than half."""
    found = None
    for size, whole, part in zip(sizes, call, arithmetic, strict=True):
        found = None if 2 * part < whole else found if found is not None else size
    return found


def twice_the_rest(sizes, call, arithmetic):
    """The rest of the call is the call without the arithmetic."""
    found = None
    for size, whole, part in zip(sizes, call, arithmetic, strict=True):
        found = None if part <= 2 * (whole - part) else found if found is not None else size
    return found


MISTAKES = [never_again, at_half, twice_the_rest]

"""Which free block of the large pool serves a request, and what is split off."""

STUB = '''
def serve(free, asked):
    """free: tuples (start, length) in bytes, the free blocks of the large pool. asked: bytes. Returns a tuple:
    where the block of the request begins, how many bytes it has, and how many were split off behind it. None if
    no block is large enough."""
    for start, length in free:
        if length >= asked:
            return (start, length, 0)
    return None
'''


def serve(free, asked):
    size = -(-asked // 512) * 512
    fits = [(length, start) for start, length in free if length >= size]
    if not fits:
        return None
    length, start = min(fits)
    rest = length - size
    return (start, size, rest) if rest > 1 << 20 else (start, length, 0)


MIB = 1 << 20


def cases():
    yield ((0, 20 * MIB), (30 * MIB, 8 * MIB)), 5 * MIB
    yield ((0, 4 * MIB), (30 * MIB, 64 * MIB)), 63 * MIB
    yield ((0, 4 * MIB), (30 * MIB, 3 * MIB)), 63 * MIB
    yield ((50 * MIB, 6 * MIB), (10 * MIB, 6 * MIB)), 4 * MIB
    yield ((0, 12 * MIB),), 12_000_000
    yield ((0, 20 * MIB),), 2 * MIB + 1
    yield ((0, 2 * MIB + 500), (8 * MIB, 9 * MIB)), 2 * MIB + 300


def first_fit(free, asked):
    """Of several blocks that are large enough, the smallest is taken."""
    size = -(-asked // 512) * 512
    for start, length in free:
        if length >= size:
            rest = length - size
            return (start, size, rest) if rest > 1 << 20 else (start, length, 0)
    return None


def always_split(free, asked):
    """A rest of 1 MiB or less stays with the block."""
    size = -(-asked // 512) * 512
    fits = [(length, start) for start, length in free if length >= size]
    if not fits:
        return None
    length, start = min(fits)
    return (start, size, length - size)


def not_rounded(free, asked):
    """A request is rounded up to a multiple of 512 bytes before anything else."""
    fits = [(length, start) for start, length in free if length >= asked]
    if not fits:
        return None
    length, start = min(fits)
    rest = length - asked
    return (start, asked, rest) if rest > 1 << 20 else (start, length, 0)


MISTAKES = [first_fit, always_split, not_rounded]

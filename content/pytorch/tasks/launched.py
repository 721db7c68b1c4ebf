"""What a launch with an element for each thread does to memory."""

STUB = '''
def launched(n, threads, rounds_up, guarded):
    """n elements, so many threads in a block. Returns a tuple: how many blocks run, how many elements are never
    written, and how many places behind the end are written. CUDA starts no launch of 0 blocks, and none with more
    than 1024 threads in a block."""
    blocks = n // threads
    return blocks, 0, 0
'''


def launched(n, threads, rounds_up, guarded):
    blocks = -(-n // threads) if rounds_up else n // threads
    if blocks == 0 or threads > 1024:
        return 0, n, 0
    over = max(0, blocks * threads - n)
    missed = max(0, n - blocks * threads)
    return blocks, missed, 0 if guarded else over


def cases():
    yield 100, 32, True, True
    yield 100, 32, True, False
    yield 100, 32, False, False
    yield 1024, 256, True, False
    yield 1025, 1024, True, False
    yield 31, 32, False, True
    yield 5000, 1025, True, True
    yield 1, 1, True, False


def one_too_many(n, threads, rounds_up, guarded):
    """Where the block divides n, n / threads + 1 is a block too many."""
    blocks = n // threads + 1 if rounds_up else n // threads
    if blocks == 0 or threads > 1024:
        return 0, n, 0
    over = max(0, blocks * threads - n)
    return blocks, max(0, n - blocks * threads), 0 if guarded else over


def always_starts(n, threads, rounds_up, guarded):
    """CUDA refuses some launches, and then nothing is written."""
    blocks = -(-n // threads) if rounds_up else n // threads
    over = max(0, blocks * threads - n)
    return blocks, max(0, n - blocks * threads), 0 if guarded else over


def trusts_the_tail(n, threads, rounds_up, guarded):
    """Without the guard, threads beyond the end write, too."""
    blocks = -(-n // threads) if rounds_up else n // threads
    if blocks == 0 or threads > 1024:
        return 0, n, 0
    return blocks, max(0, n - blocks * threads), 0


MISTAKES = [one_too_many, always_starts, trusts_the_tail]

"""The way back, with a mistake in it."""

import numpy as np

STUB = '''
import numpy as np

def restore(q, s, z):
    """q: int8 array of codes; s: the scale; z: the zero point, itself an int8 code."""
    return s * (q - np.int8(z))
'''


def restore(q, s, z):
    return s * (q.astype(np.int32) - z)


def cases():
    yield np.array([-8, 0, 7], np.int8), 0.25, 0
    yield np.array([-128, -20, 0, 127], np.int8), 0.1, -20
    yield np.arange(-128, 128, 15).astype(np.int8), 1.0, 100
    rng = np.random.default_rng(1)
    for z in (-128, -1, 64, 127):
        yield rng.integers(-128, 128, size=6).astype(np.int8), 0.05, z


def wraps(q, s, z):
    """127 − (−20) is 147, and int8 holds no more than 127: the difference wraps around. It needs a wider type."""
    return s * (q - np.int8(z))


def added(q, s, z):
    """That adds the zero point; z is the code of 0.0, so q = z has to give 0."""
    return s * (q.astype(np.int32) + z)


def widened_late(q, s, z):
    """The difference is taken first, in int8, and has wrapped around before it is widened."""
    return s * (q - np.int8(z)).astype(np.int32)


MISTAKES = [wraps, added, widened_late]

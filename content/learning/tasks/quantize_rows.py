"""A scale for each row of a matrix."""

import numpy as np

STUB = '''
import numpy as np

def quantize_rows(w, bits):
    """w: float array [rows, columns]; bits: 2 to 8.

    Returns the codes (int8, the shape of w) and the scales (float, [rows]).
    """
    top = 2 ** (bits - 1) - 1  # the highest code
    s = np.abs(w).max() / top  # one scale for all
    q = np.round(w / s).astype(np.int8)
    return q, s
'''


def quantize_rows(w, bits):
    top = 2 ** (bits - 1) - 1
    s = np.abs(w).max(axis=1) / top
    s[s == 0] = 1.0  # any scale stores a row of zeros
    q = np.clip(np.round(w / s[:, None]), -top, top).astype(np.int8)
    return q, s


def cases():
    rng = np.random.default_rng(3)
    yield np.array([[0.5, -1.0, 0.25], [0.05, -0.1, 0.025]]), 4
    yield np.array([[0.2, -3.0], [1.0, 0.5]]), 8
    for bits in range(2, 9):
        yield rng.normal(size=(3, 5)) * rng.uniform(0.01, 10, size=(3, 1)), bits
    yield np.array([[1.0, -0.5], [0.0, 0.0], [0.25, 0.75]]), 8
    yield -rng.uniform(1, 2, size=(4, 3)), 5
    yield rng.normal(size=(1, 7)), 3


def same(got, expected):
    """Where a row is all zeros, any scale will do."""
    if not isinstance(got, tuple) or len(got) != 2:
        return False
    (q, s), (codes, scales) = got, expected
    if np.shape(q) != codes.shape or np.shape(s) != scales.shape or np.asarray(q).dtype != np.int8:
        return False
    used = codes.any(axis=1)
    return np.array_equal(q, codes) and np.allclose(np.asarray(s)[used], scales[used]) and np.isfinite(s).all()


def one_scale(w, bits):
    """That is one scale for the whole matrix: take the maximum of each row, along axis 1."""
    top = 2 ** (bits - 1) - 1
    s = np.abs(w).max() / top
    return np.round(w / s).astype(np.int8), np.full(len(w), s)


def columns(w, bits):
    """That is a scale for each column: axis 1 runs along a row."""
    top = 2 ** (bits - 1) - 1
    s = np.abs(w).max(axis=0) / top
    return np.round(w / s).astype(np.int8), s


def max_without_abs(w, bits):
    """That takes max(w) where max|w| is meant: the largest weight may be negative."""
    top = 2 ** (bits - 1) - 1
    s = w.max(axis=1) / top
    return np.clip(np.round(w / s[:, None]), -top, top).astype(np.int8), s


def every_code(w, bits):
    """That divides by all codes on one side: symmetric leaves one out, and the highest is 2**(bits - 1) - 1."""
    top = 2 ** (bits - 1)
    s = np.abs(w).max(axis=1) / top
    return np.clip(np.round(w / s[:, None]), -top, top - 1).astype(np.int8), s


def truncated(w, bits):
    """That cuts the digits off: astype goes towards zero; round first."""
    top = 2 ** (bits - 1) - 1
    s = np.abs(w).max(axis=1) / top
    return (w / s[:, None]).astype(np.int8), s


MISTAKES = [one_scale, columns, max_without_abs, every_code, truncated]

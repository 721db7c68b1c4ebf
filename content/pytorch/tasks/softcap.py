"""The reference: cap * tanh(x / cap), with the digits of small numbers, and without overflow for large ones."""

import numpy as np

STUB = '''
import numpy as np

def softcap(x, cap):
    """x: an array of float64; cap: above 0. Returns cap * tanh(x / cap) to 12 digits, without np.tanh: a kernel has
    only exp, expm1 and their like. NaN stays NaN."""
    e = np.exp(2 * x / cap)
    return cap * (e - 1) / (e + 1)
'''


def softcap(x, cap):
    m = np.expm1(-2 * np.abs(x / cap))
    return np.copysign(m / (m + 2), x) * cap


def same(got, expected):
    got = np.asarray(got)
    signs = got.shape == expected.shape and np.array_equal(np.signbit(got), np.signbit(expected))
    return signs and np.allclose(got, expected, rtol=1e-12, atol=0, equal_nan=True)


known = same


def cases():
    yield np.array([-20.0, -1.0, 1.0, 20.0]), 30.0
    yield np.array([1e-3, 1e-9, 1e-300]), 30.0
    yield np.array([300.0, 3e4, 1e300, np.inf]), 30.0
    yield np.array([-300.0, -3e4, -1e300, -np.inf]), 30.0
    yield np.array([[0.0], [2.0]]), 2.5
    yield np.array([-1e-9]), 0.5
    yield np.zeros(0), 30.0


def overflows(x, cap):
    """exp(2x / cap) overflows where x is large, and inf / inf is NaN; near 0, e - 1 has lost its digits."""
    e = np.exp(2 * x / cap)
    return cap * (e - 1) / (e + 1)


def no_digits(x, cap):
    """That does not overflow. Near 0, 1 - e has lost its digits: expm1 keeps them."""
    e = np.exp(-2 * np.abs(x / cap))
    return np.copysign((1 - e) / (1 + e), x) * cap


def one_side(x, cap):
    """It overflows on one side only: use the absolute value, and give the sign back."""
    m = np.expm1(2 * x / cap)
    return m / (m + 2) * cap


def clipped(x, cap):
    """Clipping agrees where x is tiny, and where it is huge. In between the cap is soft."""
    return np.clip(x, -cap, cap)


MISTAKES = [overflows, no_digits, one_side, clipped]

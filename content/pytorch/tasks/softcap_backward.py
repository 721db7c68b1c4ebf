"""The formula for backward: what a change of x does to the result, times the gradient that arrives."""

import numpy as np

STUB = '''
import numpy as np

def softcap_backward(gradient, x, cap):
    """gradient, x: arrays of float64 of one shape. Returns the gradient of x, to 9 digits. For x = 600 and a cap of
    30, 1 - tanh(x / cap) ** 2 is exactly 0 in float64, and the slope is not."""
    return gradient * cap * (1 - np.tanh(x / cap) ** 2)
'''


def softcap_backward(gradient, x, cap):
    e = np.exp(-2 * np.abs(x / cap))
    return gradient * 4 * e / (1 + e) ** 2


def same(got, expected):
    got = np.asarray(got)
    return got.shape == expected.shape and np.allclose(got, expected, rtol=1e-9, atol=0, equal_nan=True)


known = same


def cases():
    x = np.array([-40.0, -3.0, 0.0, 3.0, 40.0])
    yield np.ones(5), x, 30.0
    yield np.array([1.0, -2.0, 3.0, 0.0, 5.0]), x, 30.0
    yield np.ones(5), x, 2.5
    yield np.ones(3), np.array([300.0, 600.0, -700.0]), 30.0
    yield np.array([1e6]), np.array([2000.0]), 30.0
    yield np.ones((2, 1)), np.array([[1e-9], [-1e9]]), 30.0


def times_cap(gradient, x, cap):
    """The factor cap of the outside and 1 / cap of the inside cancel each other: there is a cap too much."""
    return gradient * cap * (1 - np.tanh(x / cap) ** 2)


def cancelled(gradient, x, cap):
    """That is the slope, but far out it is the difference of two numbers close to 1, and loses its digits."""
    return gradient * (1 - np.tanh(x / cap) ** 2)


def only_the_slope(gradient, x, cap):
    """That is the slope alone. Backward multiplies it with the gradient that arrives."""
    e = np.exp(-2 * np.abs(x / cap))
    return 4 * e / (1 + e) ** 2


def overflows(gradient, x, cap):
    """For a negative x that overflows, and inf / inf is NaN: the slope is the same on both sides, so take |x|."""
    e = np.exp(-2 * x / cap)
    return gradient * 4 * e / (1 + e) ** 2


MISTAKES = [cancelled, times_cap, only_the_slope, overflows]

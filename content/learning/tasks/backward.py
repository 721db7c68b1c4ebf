"""The way back through a network of two layers."""

import numpy as np

STUB = '''
import numpy as np

def backward(x, y, w1, b1, w2, b2):
    """x: [points, in]; y: [points, 1]; w1: [in, hidden]; b1: [hidden]; w2: [hidden, 1]; b2: [1].

    Returns the gradients (dw1, db1, dw2, db2) of the cross-entropy, summed over the points.
    """
    a1 = 1 / (1 + np.exp(-(x @ w1 + b1)))
    a2 = 1 / (1 + np.exp(-(a1 @ w2 + b2)))
    d2 = a2 - y                     # of the loss with respect to z2
    dw2, db2 = a1.T @ d2, d2.sum(axis=0)
    dw1, db1 = np.zeros_like(w1), np.zeros_like(b1)   # and these?
    return dw1, db1, dw2, db2
'''


def forward(x, w1, b1, w2, b2):
    a1 = 1 / (1 + np.exp(-(x @ w1 + b1)))
    return a1, 1 / (1 + np.exp(-(a1 @ w2 + b2)))


def backward(x, y, w1, b1, w2, b2):
    a1, a2 = forward(x, w1, b1, w2, b2)
    d2 = a2 - y
    d1 = d2 @ w2.T * a1 * (1 - a1)
    return x.T @ d1, d1.sum(axis=0), a1.T @ d2, d2.sum(axis=0)


def cases():
    rng = np.random.default_rng(4)
    xor = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([[0.0], [1.0], [1.0], [0.0]])
    for hidden in (2, 4):
        yield *xor, rng.normal(size=(2, hidden)), rng.normal(size=hidden), rng.normal(size=(hidden, 1)), np.zeros(1)
    for points, inputs, hidden in ((1, 3, 2), (7, 2, 3), (5, 4, 1), (3, 1, 6)):
        yield (
            rng.normal(size=(points, inputs)),
            rng.integers(0, 2, (points, 1)).astype(float),
            rng.normal(size=(inputs, hidden)),
            rng.normal(size=hidden),
            rng.normal(size=(hidden, 1)),
            rng.normal(size=1),
        )


def without_slope(x, y, w1, b1, w2, b2):
    """On its way through the hidden layer the gradient is multiplied by the sigmoid's slope, a1 * (1 - a1)."""
    a1, a2 = forward(x, w1, b1, w2, b2)
    d2 = a2 - y
    d1 = d2 @ w2.T
    return x.T @ d1, d1.sum(axis=0), a1.T @ d2, d2.sum(axis=0)


def slope_of_z(x, y, w1, b1, w2, b2):
    """The sigmoid's slope is a1 * (1 - a1), with the value that came out of it, not with z1, which went in."""
    a1, a2 = forward(x, w1, b1, w2, b2)
    d2, z1 = a2 - y, x @ w1 + b1
    d1 = d2 @ w2.T * z1 * (1 - z1)
    return x.T @ d1, d1.sum(axis=0), a1.T @ d2, d2.sum(axis=0)


def mean_biases(x, y, w1, b1, w2, b2):
    """The weights' gradients are sums over the points, so the biases' are, too: sum in place of mean."""
    a1, a2 = forward(x, w1, b1, w2, b2)
    d2 = a2 - y
    d1 = d2 @ w2.T * a1 * (1 - a1)
    return x.T @ d1, d1.mean(axis=0), a1.T @ d2, d2.mean(axis=0)


def mean_first(x, y, w1, b1, w2, b2):
    """The second layer's gradients are sums over the points and the first layer's bias is averaged: sum both."""
    a1, a2 = forward(x, w1, b1, w2, b2)
    d2 = a2 - y
    d1 = d2 @ w2.T * a1 * (1 - a1)
    return x.T @ d1, d1.mean(axis=0), a1.T @ d2, d2.sum(axis=0)


def with_the_outputs_slope(x, y, w1, b1, w2, b2):
    """a2 - y is the gradient with respect to z2: cross-entropy cancels the output's slope, a2 * (1 - a2)."""
    a1, a2 = forward(x, w1, b1, w2, b2)
    d2 = (a2 - y) * a2 * (1 - a2)
    d1 = d2 @ w2.T * a1 * (1 - a1)
    return x.T @ d1, d1.sum(axis=0), a1.T @ d2, d2.sum(axis=0)


def activations_in(x, y, w1, b1, w2, b2):
    """dw1 is made of what went into the first layer, which is x; a1 is what went into the second."""
    a1, a2 = forward(x, w1, b1, w2, b2)
    d2 = a2 - y
    d1 = d2 @ w2.T * a1 * (1 - a1)
    return a1.T @ d1, d1.sum(axis=0), a1.T @ d2, d2.sum(axis=0)


MISTAKES = [without_slope, slope_of_z, mean_biases, mean_first, with_the_outputs_slope, activations_in]

"""The backward pass of fake quantization with a learned step."""

import numpy as np

STUB = '''
import numpy as np

def step_gradient(w, s, Q, gradient):
    """w: weights [n]; s: the step; Q: the highest code, the lowest is -Q.
    gradient: of the loss with respect to the rounded weights [n].

    Returns the gradients with respect to w [n] and to s (one number).
    """
    v = w / s
    return gradient, np.sum(gradient * np.round(v))
'''


def step_gradient(w, s, Q, gradient):  # noqa: N803, as in the article
    v = w / s
    within = np.abs(v) <= Q
    slope = np.where(within, np.round(v) - v, Q * np.sign(v))
    return gradient * within, np.sum(gradient * slope)


def cases():
    rng = np.random.default_rng(5)
    yield np.array([0.5, -0.3, 0.1]), 0.4, 3, np.array([1.0, 1.0, 1.0])
    yield np.array([0.5, -2.0, 3.0]), 0.4, 3, np.array([1.0, 2.0, -1.0])
    yield np.array([-0.9, 0.2]), 0.4, 1, np.array([1.0, -1.0])
    for high in (1, 3, 7):
        yield rng.normal(size=6), 0.3, high, rng.normal(size=6)


def same(got, expected):
    if not isinstance(got, tuple) or len(got) != 2:
        return False
    return all(np.shape(g) == np.shape(e) and np.allclose(g, e) for g, e in zip(got, expected, strict=True))


def everywhere(w, s, Q, gradient):  # noqa: N803
    """That passes the gradient of w everywhere: a clipped weight does not feel a small move, so it gets zero."""
    v = w / s
    slope = np.where(np.abs(v) <= Q, np.round(v) - v, Q * np.sign(v))
    return gradient, np.sum(gradient * slope)


def true_slope(w, s, Q, gradient):  # noqa: N803
    """That is the derivative of the staircase: w never moves, and s forgets that w / s depends on it, too."""
    return 0 * gradient, np.sum(gradient * np.clip(np.round(w / s), -Q, Q))


def unclipped(w, s, Q, gradient):  # noqa: N803
    """That treats clipped weights like the others: beyond the grid the rounded weight is Q times the step."""
    v = w / s
    return gradient * (np.abs(v) <= Q), np.sum(gradient * (np.round(v) - v))


def one_sided(w, s, Q, gradient):  # noqa: N803
    """That takes Q for both sides: a weight below the grid is restored as -Q times the step."""
    v = w / s
    within = np.abs(v) <= Q
    return gradient * within, np.sum(gradient * np.where(within, np.round(v) - v, Q))


MISTAKES = [everywhere, true_slope, unclipped, one_sided]

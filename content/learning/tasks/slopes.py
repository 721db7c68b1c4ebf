"""A gradient that is measured, with a mistake in it."""

import numpy as np

STUB = '''
import numpy as np

def slopes(loss, w, h=1e-5):
    """The slope of loss along each number of w, by nudging it up and down by h; w is left as it was.

    loss: a function of an array; w: a float array of any shape. Returns an array of w's shape.
    """
    found = np.zeros_like(w)
    for i in np.ndindex(w.shape):
        here = w[i]
        w[i] = here + h
        up = loss(w)
        w[i] = here - h
        down = loss(w)
        found[i] = (up - down) / (2 * h)
    return found
'''


def slopes(loss, w, h=1e-5):
    found = np.zeros_like(w)
    for i in np.ndindex(w.shape):
        here = w[i]
        w[i] = here + h
        up = loss(w)
        w[i] = here - h
        down = loss(w)
        w[i] = here
        found[i] = (up - down) / (2 * h)
    return found


class Loss:
    """A function that says how it is computed."""

    def __init__(self, words, function):
        self.words, self.function = words, function

    def __call__(self, w):
        return float(self.function(w))

    def __repr__(self):
        return f"lambda w: {self.words}"


square = Loss("(w**2).sum()", lambda w: (w**2).sum())
product = Loss("w.prod()", lambda w: w.prod())
bent = Loss(
    "np.tanh(w).sum() + w.flat[0] * w.flat[-1] ** 2", lambda w: np.tanh(w).sum() + w.flat[0] * w.flat[-1] ** 2
)


def cases():
    yield square, np.array([3.0, -1.0])
    yield product, np.array([2.0, 3.0, 5.0]), 0.01
    yield bent, np.array([[0.3, -0.7], [1.1, 0.2]]), 0.01
    yield bent, np.array([1.5]), 0.1
    yield product, np.array([[1.5, -2.0, 0.5]]), 0.1


def not_put_back(loss, w, h=1e-5):
    """Each number stays nudged while the next are measured, which is then done at another place: put it back."""
    found = np.zeros_like(w)
    for i in np.ndindex(w.shape):
        here = w[i]
        w[i] = here + h
        up = loss(w)
        w[i] = here - h
        down = loss(w)
        found[i] = (up - down) / (2 * h)
    return found


def one_sided(loss, w, h=1e-5):
    """That is the slope to one side, off by a term in h; up and down together leave one in h²."""
    found = np.zeros_like(w)
    here = loss(w)
    for i in np.ndindex(w.shape):
        nudged = w.copy()
        nudged[i] += h
        found[i] = (loss(nudged) - here) / h
    return found


def over_h(loss, w, h=1e-5):
    """From down to up is a distance of 2h, so every slope is twice what it should be."""
    found = np.zeros_like(w)
    for i in np.ndindex(w.shape):
        up, down = w.copy(), w.copy()
        up[i] += h
        down[i] -= h
        found[i] = (loss(up) - loss(down)) / h
    return found


def together(loss, w, h=1e-5):
    """That nudges all numbers at once: what comes out is one slope along the diagonal, not one for each."""
    return np.full_like(w, (loss(w + h) - loss(w - h)) / (2 * h))


MISTAKES = [not_put_back, one_sided, over_h, together]

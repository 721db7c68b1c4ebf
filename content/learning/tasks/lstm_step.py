"""One step of an LSTM, from its equations."""

import numpy as np

STUB = '''
import numpy as np

def sigmoid(z):
    return 1 / (1 + np.exp(-z))

def lstm_step(x, h, c, w, b):
    """x: [inputs]; h and c, the states before: [hidden]; w: [4 * hidden, hidden + inputs]; b: [4 * hidden].

    The rows of w and b belong to the input gate, the forget gate, the candidate and the output gate, in this order;
    its columns first to h, then to x. Returns the states after the step, (h, c).
    """
    i, f, g, o = np.split(w[:, len(h):] @ x + b, 4)   # what is missing here?
    i, f, o = sigmoid(i), sigmoid(f), sigmoid(o)
    g = np.tanh(g)
    c = c                                             # and here?
    return o * np.tanh(c), c
'''


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def gates(x, h, w, b):
    i, f, g, o = np.split(w @ np.concatenate([h, x]) + b, 4)
    return sigmoid(i), sigmoid(f), np.tanh(g), sigmoid(o)


def lstm_step(x, h, c, w, b):
    i, f, g, o = gates(x, h, w, b)
    c = f * c + i * g
    return o * np.tanh(c), c


def cases():
    rng = np.random.default_rng(6)
    for inputs, hidden in ((1, 1), (2, 3), (3, 2), (1, 4), (4, 2)):
        yield (
            rng.normal(size=inputs),
            rng.normal(size=hidden),
            rng.normal(size=hidden),
            rng.normal(size=(4 * hidden, hidden + inputs)),
            rng.normal(size=4 * hidden),
        )


def without_h(x, h, c, w, b):
    """The gates see x alone: the columns of w that belong to h are left out."""
    i, f, g, o = np.split(w[:, len(h) :] @ x + b, 4)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c), c


def x_first(x, h, c, w, b):
    """The columns of w belong to h first and then to x."""
    turned = np.concatenate([w[:, len(h) :], w[:, : len(h)]], axis=1)
    i, f, g, o = np.split(turned @ np.concatenate([h, x]) + b, 4)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c), c


def swapped(x, h, c, w, b):
    """The forget gate belongs to the old cell state, the input gate to the candidate."""
    i, f, g, o = gates(x, h, w, b)
    c = i * c + f * g
    return o * np.tanh(c), c


def squashed_memory(x, h, c, w, b):
    """Only the hidden state is squashed; the cell state goes on as it is, and may grow."""
    i, f, g, o = gates(x, h, w, b)
    c = np.tanh(f * c + i * g)
    return o * c, c


def old_memory(x, h, c, w, b):
    """The hidden state shows the new cell state, not the one before."""
    i, f, g, o = gates(x, h, w, b)
    return o * np.tanh(c), f * c + i * g


MISTAKES = [without_h, x_first, swapped, squashed_memory, old_memory]

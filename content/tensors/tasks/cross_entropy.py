"""The mean cross-entropy of scores, however large they are."""

import numpy as np

STUB = '''
import numpy as np

def cross_entropy(scores, labels):
    """scores: floats [n, 10]; labels: whole numbers [n]. Returns the mean of -log p of what is right."""
    p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    return -np.log(p[np.arange(len(labels)), labels]).mean()
'''


def cross_entropy(scores, labels):
    m = scores.max(axis=1, keepdims=True)
    total = m[:, 0] + np.log(np.exp(scores - m).sum(axis=1))
    return (total - scores[np.arange(len(labels)), labels]).mean()


def cases():
    rng = np.random.default_rng(4)
    yield np.zeros((1, 10)), np.array([3])
    yield np.array([[1.0, 2.0, 3.0], [3.0, 1.0, 1.0]]), np.array([2, 1])
    yield rng.normal(size=(4, 10)), rng.integers(0, 10, 4)
    yield np.array([[1000.0, 0.0, 0.0]]), np.array([0])
    yield np.array([[1000.0, 0.0, 0.0]]), np.array([2])
    yield np.array([[-1000.0, -1001.0, -1000.5]]), np.array([1])
    yield np.array([[900.0, 899.0, 898.0], [-900.0, -899.0, -898.0]]), np.array([0, 0])
    yield 300 * rng.normal(size=(5, 10)), rng.integers(0, 10, 5)


def same(got, expected):
    return np.ndim(got) == 0 and bool(np.isclose(got, expected, rtol=1e-9, atol=1e-12))


def naive(scores, labels):
    """That takes exp of the scores as they are: of 1000 it is infinite, and of −1000 it is 0, for every digit."""
    with np.errstate(all="ignore"):
        p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        return -np.log(p[np.arange(len(labels)), labels]).mean()


def one_largest(scores, labels):
    """That takes the largest score of all rows out of each: in a row far below it nothing is left to add up."""
    m = scores.max()
    with np.errstate(all="ignore"):
        total = m + np.log(np.exp(scores - m).sum(axis=1))
        return (total - scores[np.arange(len(labels)), labels]).mean()


def log_of_softmax(scores, labels):
    """The softmax is stable, its logarithm is not: a share so small that it became 0 has no logarithm."""
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    with np.errstate(all="ignore"):
        return -np.log(p[np.arange(len(labels)), labels]).mean()


def not_added_back(scores, labels):
    """The largest score is taken out and never added back."""
    m = scores.max(axis=1, keepdims=True)
    total = np.log(np.exp(scores - m).sum(axis=1))
    return (total - scores[np.arange(len(labels)), labels]).mean()


def summed(scores, labels):
    """That is the sum over the batch; the mean is asked for."""
    m = scores.max(axis=1, keepdims=True)
    total = m[:, 0] + np.log(np.exp(scores - m).sum(axis=1))
    return (total - scores[np.arange(len(labels)), labels]).sum()


MISTAKES = [naive, one_largest, log_of_softmax, not_added_back, summed]

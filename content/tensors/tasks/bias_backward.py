"""What a broadcast passes back: the sum over everything that was repeated."""

import numpy as np

STUB = '''
def bias_backward(grad, shape):
    """grad: the gradient with respect to a result that some input was repeated to; shape: the shape of that input.
    Return the gradient with respect to the input: an array of that shape."""
    return grad
'''


def bias_backward(grad, shape):
    grad = grad.sum(axis=tuple(range(grad.ndim - len(shape))))
    repeated = tuple(d for d, n in enumerate(shape) if n == 1)
    return grad.sum(axis=repeated, keepdims=True)


def cases():
    numbers = np.arange(1.0, 7.0).reshape(2, 3)
    yield numbers, (3,)
    yield numbers, (2, 1)
    yield numbers, (2, 3)
    yield numbers, (1, 3)
    yield numbers, ()
    yield np.arange(24.0).reshape(2, 3, 4), (3, 1)
    yield np.arange(24.0).reshape(2, 3, 4), (1, 1, 4)
    yield np.ones((3, 3)), (3, 1)


def reshaped(grad, shape):
    """That takes some of the numbers. Each copy of the input had an effect, so all of their gradients are added."""
    return np.resize(grad, shape)


def the_mean(grad, shape):
    """That averages over the copies. Each of them moves the result by itself: add, do not average."""
    extra = tuple(range(grad.ndim - len(shape)))
    grad = grad.mean(axis=extra) if extra else grad
    repeated = tuple(d for d, n in enumerate(shape) if n == 1)
    return grad.mean(axis=repeated, keepdims=True) if repeated else grad


def only_in_front(grad, shape):
    """That sums over the dimensions that were added in front. A dimension of length 1 was repeated, too."""
    return grad.sum(axis=tuple(range(grad.ndim - len(shape))))


def without_ones(grad, shape):
    """The sums are right, the shape is not: a dimension of length 1 stays one of length 1."""
    extra = grad.ndim - len(shape)
    axes = tuple(range(extra)) + tuple(extra + d for d, n in enumerate(shape) if n == 1)
    return grad.sum(axis=axes)


MISTAKES = [reshaped, the_mean, only_in_front, without_ones]

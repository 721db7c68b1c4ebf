"""What sigmoid passes back, from its saved result."""

import numpy as np

STUB = '''
def sigmoid_backward(grad, y):
    """grad: the gradient with respect to the result; y: the result that was saved. Both are arrays of one shape.
    Return the gradient with respect to the input."""
'''


def sigmoid_backward(grad, y):
    return grad * y * (1 - y)


def cases():
    yield np.array([1.0]), np.array([0.5])
    yield np.array([1.0, 1.0, 1.0]), np.array([0.1, 0.5, 0.9])
    yield np.array([2.0, -3.0]), np.array([0.25, 0.75])
    yield np.array([[0.5, 4.0], [-1.0, 0.0]]), np.array([[0.2, 0.6], [0.5, 0.3]])
    yield np.array([7.0]), np.array([1.0])


def takes_the_input(grad, y):
    """That treats the saved y as the input and computes sigmoid of it once more. It is the result already."""
    s = 1 / (1 + np.exp(-y))
    return grad * s * (1 - s)


def slope_alone(grad, y):
    """That is the slope. The chain rule multiplies it by the gradient that came from above."""
    return y * (1 - y) + 0 * grad


def of_tanh(grad, y):
    """1 − y² is the slope of tanh. At 0 sigmoid has slope 1/4, and its result there is 1/2."""
    return grad * (1 - y * y)


MISTAKES = [takes_the_input, slope_alone, of_tanh]

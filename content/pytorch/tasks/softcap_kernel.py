"""A kernel that takes eight numbers at once: the tail of a row, and the strides of both tensors."""

import numpy as np

STUB = '''
import numpy as np

def softcap_kernel(memory, shape, strides, offset, eight):
    """memory: what lies at each address. x has the shape (rows, columns), and its element (i, j) lies at address
    offset + i * strides[0] + j * strides[1]. eight: a function that takes exactly 8 numbers as an array, and
    returns their 8 results. Returns the results for x, row after row, as an array of rows * columns numbers."""
    rows, columns = shape
    y = np.full(rows * columns, np.nan)
    for at in range(0, rows * columns // 8 * 8, 8):
        y[at : at + 8] = eight(memory[offset + at : offset + at + 8])
    return y
'''


def softcap_kernel(memory, shape, strides, offset, eight):
    rows, columns = shape
    places = [offset + i * strides[0] + j * strides[1] for i in range(rows) for j in range(columns)]
    return through(eight, memory[places])


def through(eight, x):
    y = np.full(len(x), np.nan)
    for at in range(0, len(x), 8):
        part = x[at : at + 8]
        y[at : at + 8] = eight(np.pad(part, (0, 8 - len(part))))[: len(part)]
    return y


class Eight:
    def __call__(self, x):
        if np.shape(x) != (8,):
            raise ValueError(f"eight takes 8 numbers, and was given {np.size(x)}")
        return 30 * np.tanh(np.asarray(x) / 30)

    def __repr__(self):
        return "eight"


def cases():
    memory = np.linspace(-60, 60, 48)
    yield memory, (2, 8), (8, 1), 0, Eight()
    yield memory, (1, 19), (19, 1), 0, Eight()
    yield memory, (1, 16), (32, 2), 0, Eight()
    yield memory, (5, 3), (1, 5), 0, Eight()
    yield memory, (3, 5), (8, 1), 7, Eight()
    yield memory, (1, 8), (8, -1), 20, Eight()
    yield memory, (4, 3), (0, 1), 2, Eight()
    yield memory, (0, 8), (8, 1), 0, Eight()


def no_tail(memory, shape, strides, offset, eight):
    """What is left over of a step of eight is never written."""
    x = memory[[offset + i * strides[0] + j * strides[1] for i in range(shape[0]) for j in range(shape[1])]]
    y, whole = np.full(len(x), np.nan), len(x) // 8 * 8
    y[:whole] = through(eight, x[:whole])
    return y


def no_strides(memory, shape, strides, offset, eight):
    """That reads one number after the other, whatever the strides are."""
    return through(eight, memory[offset : offset + shape[0] * shape[1]])


def no_offset(memory, shape, strides, offset, eight):
    """x begins at its offset, which need not be 0."""
    return through(
        eight, memory[[i * strides[0] + j * strides[1] for i in range(shape[0]) for j in range(shape[1])]]
    )


def columns_first(memory, shape, strides, offset, eight):
    """The results are asked for row after row: the column changes fastest."""
    x = memory[[offset + i * strides[0] + j * strides[1] for j in range(shape[1]) for i in range(shape[0])]]
    return through(eight, x)


MISTAKES = [no_tail, no_strides, no_offset, columns_first]

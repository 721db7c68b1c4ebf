"""What the kernel of a matrix product reads for one element, as bytes from the start of each storage."""

STUB = '''
def reads(row, column, depth, x_strides, w_strides):
    """For the element [row, column] of x @ w, whose sum has depth terms: a list of depth pairs, in order. Each pair
    is the address of the number of x and that of the number of w, in bytes from the start of its storage. Strides
    are in elements, and an element is a float32."""
    return [(0, 0) for k in range(depth)]
'''


def reads(row, column, depth, x_strides, w_strides):
    return [
        (4 * (row * x_strides[0] + k * x_strides[1]), 4 * (k * w_strides[0] + column * w_strides[1]))
        for k in range(depth)
    ]


def cases():
    yield 1, 2, 3, (3, 1), (4, 1)
    yield 0, 3, 3, (3, 1), (4, 1)
    yield 0, 0, 4, (4, 1), (2, 1)
    yield 2, 1, 2, (1, 3), (1, 4)
    yield 1, 1, 3, (0, 1), (4, 1)
    yield 5, 7, 1, (100, 10), (8, 1)
    yield 0, 0, 0, (1, 1), (1, 1)


def in_elements(row, column, depth, x_strides, w_strides):
    """A stride counts elements: a float32 has four bytes."""
    return [(row * x_strides[0] + k * x_strides[1], k * w_strides[0] + column * w_strides[1]) for k in range(depth)]


def along_the_row(row, column, depth, x_strides, w_strides):
    """The sum goes down a column of w: the first stride of w is taken k times."""
    return [
        (4 * (row * x_strides[0] + k * x_strides[1]), 4 * (column * w_strides[0] + k * w_strides[1]))
        for k in range(depth)
    ]


def as_if_contiguous(row, column, depth, x_strides, w_strides):
    """A view has other strides than a tensor that was just made: take both strides as they are given."""
    return [(4 * (row * x_strides[0] + k), 4 * (k * w_strides[0] + column)) for k in range(depth)]


MISTAKES = (in_elements, along_the_row, as_if_contiguous)

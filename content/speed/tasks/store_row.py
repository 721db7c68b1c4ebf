"""Storing a row in whole vectors, which writes past its end."""

STUB = '''
def store_row(memory, i, sums, n, lanes):
    """memory: a list; row i of C begins at i * n. sums: the row, filled up to whole vectors. Returns memory."""
    for j in range(0, n, lanes):
        begin = i * n + j
        memory[begin : begin + lanes] = sums[j : j + lanes]
    return memory
'''


def store_row(memory, i, sums, n, lanes):
    for j in range(0, n, lanes):
        begin, many = i * n + j, min(lanes, n - j)
        memory[begin : begin + many] = sums[j : j + many]
    return memory


def cases():
    for n, lanes, i in ((8, 8, 0), (12, 8, 11), (12, 8, 3), (5, 4, 4), (3, 8, 0), (9, 4, 8)):
        filled = [10 * (j + 1) for j in range(-(-n // lanes) * lanes)]
        yield [0] * (n * n + lanes), i, filled, n, lanes


def no_edge(memory, i, sums, n, lanes):
    """Only whole vectors are stored now, and what is left of the row never is."""
    for j in range(0, n - lanes + 1, lanes):
        begin = i * n + j
        memory[begin : begin + lanes] = sums[j : j + lanes]
    return memory


def last_row_only(memory, i, sums, n, lanes):
    """Nothing is written past C any more, only into the next row: right only if that row comes later."""
    for j in range(0, n, lanes):
        begin = i * n + j
        many = min(lanes, n * n - begin)
        memory[begin : begin + many] = sums[j : j + many]
    return memory


def pushed_back(memory, i, sums, n, lanes):
    """To push the last vector back is a good trick, but a row may be shorter than a vector."""
    for j in range(0, n, lanes):
        j = min(j, n - lanes)
        begin = i * n + j
        memory[begin : begin + lanes] = sums[j : j + lanes]
    return memory


MISTAKES = [no_edge, last_row_only, pushed_back]

"""The order in which a tiled loop goes through B, with an edge where the side of a tile does not divide n."""

STUB = '''
def tiled(n, side):
    """The pairs (k, j) of B in the order of a tiled ikj, for one row of C: the topmost tiles from left to right,
    then those below them; within a tile row by row."""
    return [(k, j) for k in range(n) for j in range(n)]
'''


def tiled(n, side):
    return [
        (k, j)
        for k0 in range(0, n, side)
        for j0 in range(0, n, side)
        for k in range(k0, min(k0 + side, n))
        for j in range(j0, min(j0 + side, n))
    ]


def cases():
    yield 4, 2
    yield 6, 3
    yield 5, 2
    yield 7, 3
    yield 3, 8
    yield 6, 6
    yield 1, 1


def over_the_edge(n, side):
    """Where the side does not divide n, the last tiles reach past the matrix: they have to end with it."""
    return [
        (k, j)
        for k0 in range(0, n, side)
        for j0 in range(0, n, side)
        for k in range(k0, k0 + side)
        for j in range(j0, j0 + side)
    ]


def whole_tiles(n, side):
    """The edge that no whole tile covers is left out, and its numbers are missing from every sum."""
    whole = n // side * side
    return [
        (k, j)
        for k0 in range(0, whole, side)
        for j0 in range(0, whole, side)
        for k in range(k0, k0 + side)
        for j in range(j0, j0 + side)
    ]


def downwards(n, side):
    """That goes down through the tiles first. The sums are right, but it was asked to go along."""
    return [
        (k, j)
        for j0 in range(0, n, side)
        for k0 in range(0, n, side)
        for k in range(k0, min(k0 + side, n))
        for j in range(j0, min(j0 + side, n))
    ]


def columns(n, side):
    """Within a tile that goes down the columns: every step is in another line of memory."""
    return [
        (k, j)
        for k0 in range(0, n, side)
        for j0 in range(0, n, side)
        for j in range(j0, min(j0 + side, n))
        for k in range(k0, min(k0 + side, n))
    ]


MISTAKES = [over_the_edge, whole_tiles, downwards, columns]

"""Which thread holds an element of a blocked layout."""

STUB = '''
def holder(i, j, size, lanes, warps):
    """The warp and the lane that hold the element in row i and column j, as a tuple. A thread holds a piece of
    size[0] x size[1] elements. lanes[0] x lanes[1] threads beside each other are a warp, warps[0] x warps[1] warps
    beside each other the block, and the pattern repeats. Numbers run along the columns first."""
    lane = i // size[0] * lanes[1] + j // size[1]
    return 0, lane
'''


def holder(i, j, size, lanes, warps):
    row, column = i // size[0], j // size[1]
    lane = row % lanes[0] * lanes[1] + column % lanes[1]
    row, column = row // lanes[0], column // lanes[1]
    warp = row % warps[0] * warps[1] + column % warps[1]
    return warp, lane


def cases():
    loads = (1, 8), (8, 4), (4, 1)
    yield 0, 7, *loads
    yield 0, 8, *loads
    yield 9, 31, *loads
    yield 33, 5, *loads
    yield 20, 50, (1, 8), (4, 8), (4, 1)
    yield 11, 13, (2, 2), (4, 8), (2, 2)
    yield 3, 100, (1, 1), (2, 16), (1, 4)


def forgets_warps(i, j, size, lanes, warps):
    """Behind the last lane of a row another warp begins."""
    row, column = i // size[0], j // size[1]
    return 0, row % lanes[0] * lanes[1] + column % lanes[1]


def does_not_repeat(i, j, size, lanes, warps):
    """Behind the last warp the first one begins again."""
    row, column = i // size[0], j // size[1]
    lane = row % lanes[0] * lanes[1] + column % lanes[1]
    return row // lanes[0] * warps[1] + column // lanes[1], lane


def wrong_way_round(i, j, size, lanes, warps):
    """Lanes run along the columns first."""
    row, column = i // size[0], j // size[1]
    lane = column % lanes[1] * lanes[0] + row % lanes[0]
    row, column = row // lanes[0], column // lanes[1]
    return row % warps[0] * warps[1] + column % warps[1], lane


MISTAKES = [forgets_warps, does_not_repeat, wrong_way_round]

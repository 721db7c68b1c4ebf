"""Which pieces of a heap are lost."""

STUB = '''
def leaked(pointers, roots):
    """pointers: for each piece of the heap, which pieces the pointers in it lead to; roots: where globals lead.

    Give the pieces that no pointer of the program leads to any more, in order.
    """
    return [n for n in range(len(pointers)) if n not in roots]
'''


def leaked(pointers, roots):
    reached = set()
    todo = list(roots)
    while todo:
        piece = todo.pop()
        if piece not in reached:
            reached.add(piece)
            todo += pointers[piece]
    return [n for n in range(len(pointers)) if n not in reached]


def cases():
    yield [[]], [0]
    yield [[]], []
    yield [[1], [2], []], [0]
    yield [[1], [2], [], [4], [3]], [0]
    yield [[], [0], [1]], [1]
    yield [[1], [0]], []
    yield [[1, 2], [3], [3], [], [3]], [0]
    yield [[1], [2], [0], [0]], [1]


def roots_alone(pointers, roots):
    """A piece that a reachable piece points to is not lost either: follow the pointers in each piece, too."""
    return [n for n in range(len(pointers)) if n not in roots]


def counted(pointers, roots):
    """Two lost pieces that point at each other keep each other alive here. This is what counting references does: a
    piece is lost unless some way leads to it from a root."""
    pointed = {to for piece in pointers for to in piece} | set(roots)
    return [n for n in range(len(pointers)) if n not in pointed]


def one_step(pointers, roots):
    """That follows pointers once. A list has many links, so go on until nothing new is found."""
    reached = set(roots) | {to for root in roots for to in pointers[root]}
    return [n for n in range(len(pointers)) if n not in reached]


MISTAKES = [roots_alone, counted, one_step]

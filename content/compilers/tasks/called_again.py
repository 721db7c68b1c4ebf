"""What Dynamo does with a series of calls: compile, use again, or leave it to Python."""

STUB = '''
def called_again(sizes, dynamic, limit=8):
    """sizes: the number of rows at each call, at least 2; dynamic: may a size be left open?
    The first compilation is always for one size. If another size comes and dynamic is true, the next compilation
    leaves it open and holds for all; otherwise it is for that size alone. After `limit` compilations nothing
    more is compiled.
    Return a tuple with "compiled", "reused" or "Python" for each call."""
'''


def called_again(sizes, dynamic, limit=8):
    known, opened, done = set(), False, []
    for size in sizes:
        if opened or size in known:
            done.append("reused")
        elif len(known) >= limit:
            done.append("Python")
        else:
            opened = dynamic and bool(known)
            known.add(size)
            done.append("compiled")
    return tuple(done)


def cases():
    yield [512, 384, 386, 388, 512], True
    yield [512, 384, 386, 388, 512], False
    yield [7, 7, 7], True
    yield [], False
    yield list(range(2, 14)), False
    yield [2, 3, 2, 4, 3, 5], False, 3
    yield list(range(2, 14)), True
    yield [2, 3, 4, 5, 2, 3], False, 2


def mistaken(sizes, dynamic, limit, at_once=False, kept=None, forgotten=False):
    """The same with one thing wrong: only so many of the last ones ``kept``, or all ``forgotten`` at the limit."""
    known, opened, done = [], False, []
    for size in sizes:
        over = len(known) >= limit
        fits = opened or size in (known[-kept:] if kept else known)
        if fits and not (forgotten and over and not opened):
            done.append("reused")
        elif over:
            done.append("Python")
        else:
            opened = dynamic and (at_once or bool(known))
            known.append(size)
            done.append("compiled")
    return tuple(done)


def open_at_once(sizes, dynamic, limit=8):
    """The first compilation is for one size. Only when a second size comes does Dynamo know which one changes."""
    return mistaken(sizes, dynamic, limit, at_once=True)


def only_the_last(sizes, dynamic, limit=8):
    """All compilations are kept, not only the newest: a size that comes back finds its own."""
    return mistaken(sizes, dynamic, limit, kept=1)


def no_end(sizes, dynamic, limit=8):
    """After `limit` compilations nothing more is compiled: what fits none of them is left to Python."""
    return mistaken(sizes, dynamic, limit=len(sizes))


def all_to_python(sizes, dynamic, limit=8):
    """At the limit what was compiled is not thrown away: sizes that it holds for still use it."""
    return mistaken(sizes, dynamic, limit, forgotten=True)


MISTAKES = [open_at_once, only_the_last, no_end, all_to_python]

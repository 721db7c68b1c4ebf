"""What a span has of its own: its time without that of the spans directly inside of it."""

STUB = '''
def own_times(spans):
    """spans: (depth, begin, end) of each span of one thread, in the order in which they begin. What lies inside of
    a span follows it with a greater depth. Returns the self time of each span, in the same order, as a tuple."""
    return tuple(end - begin for depth, begin, end in spans)
'''


def own_times(spans):
    own, around = [], []
    for depth, begin, end in spans:
        del around[depth:]
        if around:
            own[around[-1]] -= end - begin
        around.append(len(own))
        own.append(end - begin)
    return tuple(own)


def cases():
    yield (((0, 0, 10),),)
    yield (((0, 0, 10), (1, 2, 5)),)
    yield (((0, 0, 10), (1, 2, 8), (2, 3, 6)),)
    yield (((0, 0, 10), (1, 0, 4), (1, 4, 10)),)
    yield (((0, 0, 20), (1, 1, 9), (2, 2, 4), (2, 5, 8), (1, 10, 19), (0, 30, 31)),)
    yield (((0, 5, 9), (0, 12, 30), (1, 13, 29), (2, 14, 28), (3, 15, 27)),)


def all_inside(spans):
    """A span inside of a span inside is subtracted twice: only those directly inside count."""
    spans = list(spans)
    return tuple(
        end - begin - sum(e - b for d, b, e in spans if d > depth and begin <= b and e <= end)
        for depth, begin, end in spans
    )


def one_child(spans):
    """A span may have several others directly inside of it; all of them count."""
    own = []
    for at, (depth, begin, end) in enumerate(spans):
        inner = [e - b for d, b, e in spans[at + 1 : at + 2] if d == depth + 1]
        own.append(end - begin - sum(inner))
    return tuple(own)


def total(spans):
    """This is how long each span lasts, with all that lies inside of it."""
    return tuple(end - begin for _, begin, end in spans)


MISTAKES = [all_inside, one_child, total]

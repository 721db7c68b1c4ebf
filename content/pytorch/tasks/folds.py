"""Which batch norms may go into the convolution before them: two questions to a graph."""

STUB = '''
def folds(nodes):
    """Each node is a tuple (name, kind, module, reads): kind is "input", "conv", "norm", "other" or "output",
    module is the name of the module that it calls ("" for none), and reads is a tuple of names of nodes.
    All is in eval mode. Returns the names of the norms that may be folded, as a tuple in the order of the nodes."""
    return tuple(name for name, kind, module, reads in nodes if kind == "norm")
'''


def folds(nodes):
    known = {name: (kind, module) for name, kind, module, _ in nodes}
    found = []
    for name, kind, _, reads in nodes:
        if kind != "norm" or known[reads[0]][0] != "conv":
            continue
        module = known[reads[0]][1]
        readers = sum(reads[0] in each for _, _, _, each in nodes)
        calls = sum(other == module for _, _, other, _ in nodes)
        if readers == 1 and calls == 1:
            found.append(name)
    return tuple(found)


X = ("x", "input", "", ())


def cases():
    conv, norm = ("c", "conv", "conv", ("x",)), ("n", "norm", "norm", ("c",))
    yield ((X, conv, norm, ("out", "output", "", ("n",))),)
    yield ((X, conv, norm, ("sum", "other", "", ("n", "c")), ("out", "output", "", ("sum",))),)
    yield ((X, conv, norm, ("again", "conv", "conv", ("n",)), ("out", "output", "", ("again",))),)
    yield ((X, conv, norm, ("out", "output", "", ("n", "c"))),)
    yield (
        (X, conv, ("relu", "other", "", ("c",)), ("n", "norm", "norm", ("relu",)), ("out", "output", "", ("n",))),
    )
    pair = (("d", "conv", "second", ("x",)), ("m", "norm", "norm", ("d",)))
    yield ((X, conv, norm, *pair, ("sum", "other", "", ("n", "m")), ("out", "output", "", ("sum",))),)
    yield ((X, conv, norm, ("square", "other", "", ("n", "n")), ("out", "output", "", ("square",))),)


def any_reader(nodes):
    """Another reader of the convolution would get normalized values."""
    known = {name: (kind, module) for name, kind, module, _ in nodes}
    return tuple(
        name
        for name, kind, _, reads in nodes
        if kind == "norm"
        and known[reads[0]][0] == "conv"
        and sum(other == known[reads[0]][1] for _, _, other, _ in nodes) == 1
    )


def any_call(nodes):
    """The weights belong to the module: its other calls would use the new ones, too."""
    known = {name: kind for name, kind, _, _ in nodes}
    return tuple(
        name
        for name, kind, _, reads in nodes
        if kind == "norm" and known[reads[0]] == "conv" and sum(reads[0] in each for _, _, _, each in nodes) == 1
    )


def any_before(nodes):
    """Only what a convolution gives can be folded into one."""
    module = {name: module for name, _, module, _ in nodes}
    return tuple(
        name
        for name, kind, _, reads in nodes
        if kind == "norm"
        and sum(reads[0] in each for _, _, _, each in nodes) == 1
        and (not module[reads[0]] or sum(other == module[reads[0]] for _, _, other, _ in nodes) == 1)
    )


def norm_once(nodes):
    """A batch norm may be shared: its factors are copied into each convolution, and it stays as it is."""
    known = {name: (kind, module) for name, kind, module, _ in nodes}
    found = []
    for name, kind, own, reads in nodes:
        if kind != "norm" or known[reads[0]][0] != "conv":
            continue
        readers = sum(reads[0] in each for _, _, _, each in nodes)
        calls = [sum(other == module for _, _, other, _ in nodes) for module in (known[reads[0]][1], own)]
        if readers == 1 and calls == [1, 1]:
            found.append(name)
    return tuple(found)


MISTAKES = [any_reader, any_call, any_before, norm_once]

"""A graph in which softcap is written with operators that the compiler knows."""

STUB = '''
def softcap_rewrite(graph):
    """graph: a tuple of nodes (name, operator, inputs); an input is the name of a node or a number. Returns it with
    each ("y", "softcap", ("x", cap)) replaced by three nodes: ("y_div", "div", ("x", cap)), then
    ("y_tanh", "tanh", ("y_div",)), then ("y", "mul", ("y_tanh", cap)). The order of the nodes stays."""
    return tuple((name, "tanh" if operator == "softcap" else operator, inputs) for name, operator, inputs in graph)
'''


def softcap_rewrite(graph):
    return rewritten(graph)


def rewritten(graph, last="{}"):
    made = []
    for name, operator, inputs in graph:
        if operator != "softcap":
            made.append((name, operator, inputs))
            continue
        x, cap = inputs
        made += [
            (f"{name}_div", "div", (x, cap)),
            (f"{name}_tanh", "tanh", (f"{name}_div",)),
            (last.format(name), "mul", (f"{name}_tanh", cap)),
        ]
    return tuple(made)


def same(got, expected):
    return got == expected


def cases():
    yield ((("y", "softcap", ("x", 30.0)), ("z", "mul", ("y", 2))),)
    yield ((("a", "add", ("x", 1)), ("b", "relu", ("a",))),)
    yield ((("y", "softcap", ("x", 2.5)),),)
    yield ((("a", "softcap", ("x", 30.0)), ("b", "softcap", ("a", 5.0)), ("c", "add", ("a", "b"))),)
    yield ((),)
    yield ((("m", "max", ("x",)), ("y", "softcap", ("x", "m")), ("s", "sum", ("y",))),)


def only_tanh(graph):
    """tanh alone caps at 1: the division before it and the product behind it are missing."""
    return tuple((name, "tanh" if operator == "softcap" else operator, inputs) for name, operator, inputs in graph)


def new_name(graph):
    """Who used the result still asks for it by its name, so the last of the three has to bear it."""
    return rewritten(graph, "{}_mul")


def its_default(graph):
    """The cap is an input of the node. 30 is only its default."""
    return rewritten((name, op, (inputs[0], 30.0) if op == "softcap" else inputs) for name, op, inputs in graph)


def only_one(graph):
    """A graph may call softcap more than once."""
    for n, (_, operator, _) in enumerate(graph):
        if operator == "softcap":
            return graph[:n] + rewritten(graph[n : n + 1]) + graph[n + 1 :]
    return graph


MISTAKES = [only_tanh, new_name, its_default, only_one]

"""A schema as PyTorch writes it, from the signature of a Python function."""

import inspect

STUB = '''
def softcap_schema(function):
    """function: its parameters are annotated "Tensor", "int", "float" or "bool", and may have defaults. Those after
    * stay after *. All of them are only read, and it returns a new tensor. Returns the text of its schema, such as
    "scaled(Tensor x, float by=2.0) -> Tensor"."""
    return f"{function.__name__}(Tensor x) -> tensor"
'''


def softcap_schema(function):
    return written_out(function)


def written_out(function):
    found, keyword = [], False
    for each in inspect.signature(function).parameters.values():
        if each.kind is each.KEYWORD_ONLY and not keyword:
            found.append("*")
            keyword = True
        default = "" if each.default is each.empty else f"={each.default}"
        found.append(f"{each.annotation} {each.name}{default}")
    return f"{function.__name__}({', '.join(found)}) -> Tensor"


class Shown:
    """A function that a case can show."""

    def __init__(self, text):
        made = {}
        exec(f"def {text}: ...", made)
        self.text = text
        self.__name__ = text.partition("(")[0]
        self.__signature__ = inspect.signature(made[self.__name__])

    def __call__(self):
        raise NotImplementedError

    def __repr__(self):
        return self.text


def cases():
    yield (Shown('softcap(x: "Tensor", cap: "float" = 30.0)'),)
    yield (Shown('softcap(x: "Tensor", cap: "float")'),)
    yield (Shown('softcap(x: "Tensor", *, cap: "float" = 30.0)'),)
    yield (Shown('scaled(x: "Tensor", by: "Tensor", times: "int" = 1)'),)
    yield (Shown('softcap(x: "Tensor", *, cap: "float" = 30.0, hard: "bool" = False)'),)
    yield (Shown('zeroed(x: "Tensor")'),)


def without_defaults(function):
    """Without its default in the schema, every caller has to say cap: only the schema counts for a call."""
    found, keyword = [], False
    for each in inspect.signature(function).parameters.values():
        if each.kind is each.KEYWORD_ONLY and not keyword:
            found.append("*")
            keyword = True
        found.append(f"{each.annotation} {each.name}")
    return f"{function.__name__}({', '.join(found)}) -> Tensor"


def without_star(function):
    """What stands after * may only be given by name, and the schema says so, too, with one *."""
    found = []
    for each in inspect.signature(function).parameters.values():
        default = "" if each.default is each.empty else f"={each.default}"
        found.append(f"{each.annotation} {each.name}{default}")
    return f"{function.__name__}({', '.join(found)}) -> Tensor"


def star_each(function):
    """One * is enough for all that follow it."""
    found = []
    for each in inspect.signature(function).parameters.values():
        default = "" if each.default is each.empty else f"={each.default}"
        found += ["*"] if each.kind is each.KEYWORD_ONLY else []
        found.append(f"{each.annotation} {each.name}{default}")
    return f"{function.__name__}({', '.join(found)}) -> Tensor"


def written(function):
    """A mark with ! would say that the operator writes to x, and compilers would believe it."""
    return written_out(function).replace("Tensor x", "Tensor(a!) x")


def only_x(function):
    """Every parameter stands in the schema, its type before its name; the result is a Tensor, with a capital T."""
    return f"{function.__name__}(Tensor x) -> tensor"


MISTAKES = [only_x, without_defaults, without_star, star_each, written]

"""The symbol of a C++ function, from its name and the types of its arguments."""

STUB = '''
def mangled(path, takes):
    """path: the parts of a function's name, such as ("c10", "parse") for c10::parse. takes: the types of its
    arguments as c++filt writes them: int, long, double, char or bool, and behind it any of " const", "*" and "&",
    such as "char const*". No type but the five simple ones comes twice. Returns the symbol: _Z, then each part with
    its length in front of it, between N and E if there are several, then the arguments: i, l, d, c, b, with K for
    const, P for a pointer, R for a reference, the outermost first; v if there are none."""
    return "_Z"
'''

LETTERS = {"int": "i", "long": "l", "double": "d", "char": "c", "bool": "b"}
AROUND = {"*": "P", "&": "R", " const": "K"}


def mangled(path, takes):
    parts = joined(path)
    name = f"N{parts}E" if len(path) > 1 else parts
    return "_Z" + name + ("".join(map(coded, takes)) or "v")


def joined(path):
    return "".join(f"{len(part)}{part}" for part in path)


def coded(type):
    for end, letter in AROUND.items():
        if type.endswith(end):
            return letter + coded(type[: -len(end)])
    return LETTERS[type]


def cases():
    yield ("power",), ("double", "int")
    yield ("power",), ("double", "long")
    yield ("c10", "parse"), ("char const*",)
    yield ("shape",), ()
    yield ("underhood", "stats", "log_message"), ("bool", "char const* const&", "int")
    yield ("f",), ("double&", "double", "double")
    yield ("a", "b"), ()


def without_nesting(path, takes):
    """A name of several parts stands between N and E; without them, what follows reads as arguments."""
    return "_Z" + joined(path) + ("".join(map(coded, takes)) or "v")


def always_nested(path, takes):
    """A name of a single part has no N and no E."""
    return f"_ZN{joined(path)}E" + ("".join(map(coded, takes)) or "v")


def nothing_for_none(path, takes):
    """A function without arguments has a v: without it the symbol is that of a variable."""
    name = f"N{joined(path)}E" if len(path) > 1 else joined(path)
    return "_Z" + name + "".join(map(coded, takes))


def from_the_left(path, takes):
    """The outermost comes first: a pointer to a const char is PKc."""
    name = f"N{joined(path)}E" if len(path) > 1 else joined(path)
    return "_Z" + name + ("".join(coded(each)[::-1] for each in takes) or "v")


MISTAKES = [without_nesting, always_nested, nothing_for_none, from_the_left]

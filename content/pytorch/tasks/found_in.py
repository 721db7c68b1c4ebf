"""In which library the loader finds each symbol."""

STUB = '''
def found_in(needed, everyone, asked, libraries):
    """needed: a tuple of symbols. everyone: the names of the libraries that are loaded for the whole program, in
    order. asked: the names that the new library asks for, in order. libraries: a tuple with (name, the symbols that
    it defines, the names that it asks for itself) for each. The loader looks through everyone first, then through
    asked, then through what those ask for, level by level; the first that defines a symbol has it. Returns for each
    symbol the name of the library, or "" if none defines it."""
    return tuple("" for symbol in needed)
'''


def found_in(needed, everyone, asked, libraries):
    known = {name: (defined, asks) for name, defined, asks in libraries}
    order = list(everyone)
    waiting = list(asked)
    while waiting:
        name = waiting.pop(0)
        if name not in order:
            order.append(name)
            waiting += known[name][1]
    return tuple(next((name for name in order if symbol in known[name][0]), "") for symbol in needed)


def cases():
    libraries = (
        ("libc.so.6", ("strlen", "malloc", "free"), ()),
        ("libtorch.so", (), ("libtorch_cpu.so",)),
        ("libtorch_cpu.so", ("aoti_torch_get_dim", "shared"), ("libc10.so", "libgomp.so.1", "libc.so.6")),
        ("libc10.so", ("allocate", "log"), ("libc.so.6",)),
        ("libgomp.so.1", ("GOMP_parallel",), ("libc.so.6",)),
        ("libmimalloc.so", ("malloc", "free"), ("libc.so.6",)),
        ("liblog.so", ("log",), ("libdeep.so",)),
        ("libdeep.so", ("allocate", "deep"), ()),
    )
    yield ("aoti_torch_get_dim", "strlen"), ("libc.so.6",), ("libtorch_cpu.so",), libraries
    yield ("aoti_torch_get_dim", "strlen"), ("libc.so.6",), (), libraries
    yield ("allocate", "GOMP_parallel", "_Z5timesff"), ("libc.so.6",), ("libtorch.so",), libraries
    yield ("malloc", "strlen"), ("libmimalloc.so", "libc.so.6"), ("libtorch_cpu.so",), libraries
    yield ("log", "deep", "allocate"), ("libc.so.6",), ("liblog.so", "libc10.so"), libraries
    yield ("log",), ("libc.so.6",), ("libc10.so", "liblog.so"), libraries
    yield (), ("libc.so.6",), ("libtorch_cpu.so",), libraries


def only_what_it_asks_for(needed, everyone, asked, libraries):
    """A library asked for brings along what it asks for itself, and the loader looks there, too."""
    known = {name: defined for name, defined, _ in libraries}
    order = [*everyone, *asked]
    return tuple(next((name for name in order if symbol in known[name]), "") for symbol in needed)


def in_every_library(needed, everyone, asked, libraries):
    """A library that nobody asks for is not looked in, even if it lies on the disk."""
    return tuple(next((name for name, defined, _ in libraries if symbol in defined), "") for symbol in needed)


def its_own_first(needed, everyone, asked, libraries):
    """What is loaded for everyone comes first: that is how another malloc takes the place of the usual one."""
    known = {name: (defined, asks) for name, defined, asks in libraries}
    order, waiting = [], list(asked)
    while waiting:
        name = waiting.pop(0)
        if name not in order:
            order.append(name)
            waiting += known[name][1]
    order += everyone
    return tuple(next((name for name in order if symbol in known[name][0]), "") for symbol in needed)


def in_depth(needed, everyone, asked, libraries):
    """Level by level: all that the library asks for comes before what those ask for."""
    known = {name: (defined, asks) for name, defined, asks in libraries}
    order, waiting = list(everyone), list(asked)
    while waiting:
        name = waiting.pop(0)
        if name not in order:
            order.append(name)
            waiting = [*known[name][1], *waiting]
    return tuple(next((name for name in order if symbol in known[name][0]), "") for symbol in needed)


MISTAKES = [only_what_it_asks_for, in_every_library, its_own_first, in_depth]

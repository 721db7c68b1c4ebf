"""Which keys' kernels run for a call."""

STUB = '''
def kernels_that_run(keys, excluded, table, backend):
    """keys: names, the highest priority first. excluded: a set of names. table: for each key that has anything
    registered, "kernel", "composite" or "fallthrough". A composite kernel ends the walk, as the one of the backend
    does. Returns a tuple of the keys whose kernels run; raises NotImplementedError(key) where nothing is
    registered."""
    return tuple(key for key in keys if key not in excluded)
'''


def kernels_that_run(keys, excluded, table, backend):
    ran = []
    for key in keys:
        if key in excluded or table.get(key) == "fallthrough":
            continue
        if key not in table:
            raise NotImplementedError(key)
        ran.append(key)
        if key == backend or table[key] == "composite":
            break
    return tuple(ran)


def cases():
    keys = ["AutocastCPU", "AutogradCPU", "ADInplaceOrView", "BackendSelect", "CPU"]
    add = {
        "AutocastCPU": "fallthrough",
        "AutogradCPU": "kernel",
        "ADInplaceOrView": "fallthrough",
        "BackendSelect": "fallthrough",
        "CPU": "kernel",
    }
    yield keys, {"AutocastCPU"}, add, "CPU"
    yield keys, set(), {**add, "AutocastCPU": "kernel", "AutogradCPU": "composite", "CPU": "composite"}, "CPU"
    yield keys, {"AutocastCPU", "AutogradCPU"}, {**add, "AutogradCPU": "composite", "CPU": "composite"}, "CPU"
    yield keys, {"AutocastCPU"}, {**add, "ADInplaceOrView": "kernel"}, "CPU"
    yield [*keys, "Later"], {"AutocastCPU"}, {**add, "Later": "kernel"}, "CPU"
    yield ["AutogradCPU", "CPU"], {"AutogradCPU"}, {"CPU": "kernel"}, "CPU"


def goes_on(keys, excluded, table, backend):
    """A composite kernel calls other operators: the walk of this one is over."""
    ran = []
    for key in keys:
        if key in excluded or table.get(key) == "fallthrough":
            continue
        ran.append(key)
        if key == backend:
            break
    return tuple(ran)


def not_excluded(keys, excluded, table, backend):
    """What the thread excludes is not looked at."""
    ran = []
    for key in keys:
        if table.get(key) == "fallthrough":
            continue
        ran.append(key)
        if key == backend or table.get(key) == "composite":
            break
    return tuple(ran)


def below_the_backend(keys, excluded, table, backend):
    """The backend computes the result. Nothing below it has a turn."""
    ran = []
    for key in keys:
        if key in excluded or table.get(key) == "fallthrough":
            continue
        ran.append(key)
        if table.get(key) == "composite":
            break
    return tuple(ran)


MISTAKES = [goes_on, not_excluded, below_the_backend]

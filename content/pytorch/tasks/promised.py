"""What a schema promises: which arguments are written, and which share memory with a result."""

import re

STUB = '''
def promised(schema):
    """schema: such as "add_(Tensor(a!) self, Tensor other) -> Tensor(a!)". Each set has one letter. Returns two
    tuples: the names of the arguments that are written, and a pair (name of an argument, number of a result) for
    each that may share memory. Results count from 0."""
    return (), ()
'''


def promised(schema):
    taken, _, given = schema.partition(") -> ")
    marked = re.findall(r"Tensor\(([^()]*)\)\S* (\w+)", taken)
    return tuple(name for mark, name in marked if "!" in mark), shared(marked, results(given))


def results(given):
    given = given[1:-1] if given.startswith("(") else given
    found = [re.match(r"Tensor\(([^()]*)\)", each) for each in given.split(", ")]
    return [each[1] if each else "" for each in found]


def shared(marked, given):
    return tuple((name, n) for mark, name in marked for n, each in enumerate(given) if each[:1] == mark[0])


def cases():
    yield ("add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",)
    yield ("view(Tensor(a) self, SymInt[] size) -> Tensor(a)",)
    yield ("max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",)
    yield (
        "sort.values(Tensor self, int dim=-1, *, Tensor(a!) values, Tensor(b!) indices)"
        " -> (Tensor(a!) values, Tensor(b!) indices)",
    )
    yield ("split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]",)
    yield ("_foreach_add_.Tensor(Tensor(a!)[] self, Tensor other) -> ()",)
    yield ("scaled(Tensor(a!) x, float by=2.0) -> Tensor",)
    yield ("resize_(Tensor x, int size) -> Tensor",)


def by_its_name(schema):
    """An underscore at the end of the name is a habit. Only the mark says that an argument is written."""
    taken, _, given = schema.partition(") -> ")
    marked = re.findall(r"Tensor\(([^()]*)\)\S* (\w+)", taken)
    first = re.search(r"Tensor\S* (\w+)", taken)
    writes = schema.partition("(")[0].partition(".")[0].endswith("_")
    return ((first[1],) if writes else ()), shared(marked, results(given))


def all_that_is_marked(schema):
    """A set without an exclamation mark is shared, and not written."""
    taken, _, given = schema.partition(") -> ")
    marked = re.findall(r"Tensor\(([^()]*)\)\S* (\w+)", taken)
    return tuple(name for _, name in marked), shared(marked, results(given))


def whatever_the_set(schema):
    """An argument shares memory with the results of its own set alone."""
    taken, _, given = schema.partition(") -> ")
    marked = re.findall(r"Tensor\(([^()]*)\)\S* (\w+)", taken)
    pairs = tuple((name, n) for _, name in marked for n, each in enumerate(results(given)) if each)
    return tuple(name for mark, name in marked if "!" in mark), pairs


def the_whole_mark(schema):
    """The set of "a -> *" is a: compare the letters, and not the whole marks."""
    taken, _, given = schema.partition(") -> ")
    marked = re.findall(r"Tensor\(([^()]*)\)\S* (\w+)", taken)
    pairs = tuple((name, n) for mark, name in marked for n, each in enumerate(results(given)) if each == mark)
    return tuple(name for mark, name in marked if "!" in mark), pairs


MISTAKES = [by_its_name, all_that_is_marked, whatever_the_set, the_whole_mark]

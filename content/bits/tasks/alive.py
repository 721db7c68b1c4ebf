"""Liveness within one block, from its last line to its first."""

STUB = '''
def alive(lines, after):
    """lines: list of (result, reads), such as ("t1", ["a", "b"]); after: the names alive after the last line.
    Return the names that are alive before the first line: a tuple, in alphabetical order."""
'''


def alive(lines, after):
    found = set(after)
    for result, reads in reversed(lines):
        found.discard(result)
        found |= set(reads)
    return tuple(sorted(found))


def cases():
    yield [("t1", ["a", "b"])], ["t1"]
    yield [("a", ["a", "b"])], ["a"]
    yield [], ["x", "y"]
    yield [("t1", ["a"]), ("t2", ["t1", "b"]), ("a", ["t2"])], ["a", "c"]
    yield [("x", []), ("y", ["x"]), ("x", ["y", "z"])], ["x", "y"]
    yield [("n", ["n"]), ("n", ["n"])], []


def forwards(lines, after):
    """Which names are needed is known only from the end: walk the lines from the last to the first."""
    found = set(after)
    for result, reads in lines:
        found.discard(result)
        found |= set(reads)
    return tuple(sorted(found))


def reads_first(lines, after):
    """A line such as a = a + b reads the old a. Going backwards, first take away what it sets, then add reads."""
    found = set(after)
    for result, reads in reversed(lines):
        found |= set(reads)
        found.discard(result)
    return tuple(sorted(found))


def never_dies(lines, after):
    """A name that is set here is not needed before this line: its old value is overwritten."""
    found = set(after)
    for _, reads in reversed(lines):
        found |= set(reads)
    return tuple(sorted(found))


MISTAKES = [forwards, reads_first, never_dies]

"""The walk back over a tape of numbers."""

STUB = '''
def walk(tape, leaves):
    """tape: a list of (inputs, slopes). Operation i made value leaves + i from the values numbered in inputs;
    slopes says for each input how much the result moves when that input does. Values below leaves are given.
    Return the gradient of the last value with respect to each leaf: a list of leaves numbers."""
    found = [0.0] * (leaves + len(tape))
    found[-1] = 1.0
    return found[:leaves]
'''


def walk(tape, leaves):
    found = [0.0] * (leaves + len(tape))
    found[-1] = 1.0
    for i in reversed(range(len(tape))):
        inputs, slopes = tape[i]
        for value, slope in zip(inputs, slopes, strict=True):
            found[value] += found[leaves + i] * slope
    return found[:leaves]


def cases():
    yield [((0, 1), (5.0, 3.0))], 2
    yield [((0,), (2.0,)), ((1,), (10.0,))], 1
    yield [((0, 0), (3.0, 3.0))], 1
    yield [((0,), (2.0,)), ((0,), (7.0,)), ((1, 2), (1.0, 1.0))], 1
    yield [((0, 1), (4.0, 3.0)), ((2, 0), (3.0, 12.0)), ((3, 2), (1.0, 1.0))], 2
    yield [((0,), (2.0,)), ((0,), (9.0,)), ((1,), (5.0,))], 2


def one_path(tape, leaves):
    """That keeps one path to each value. A value that is used twice moves the result twice: add up its shares."""
    found = [0.0] * (leaves + len(tape))
    found[-1] = 1.0
    for i in reversed(range(len(tape))):
        for value, slope in zip(*tape[i], strict=True):
            found[value] = found[leaves + i] * slope
    return found[:leaves]


def forwards(tape, leaves):
    """That begins at the first operation, when nothing has arrived there yet. Walk from the last to the first."""
    found = [0.0] * (leaves + len(tape))
    found[-1] = 1.0
    for i, (inputs, slopes) in enumerate(tape):
        for value, slope in zip(inputs, slopes, strict=True):
            found[value] += found[leaves + i] * slope
    return found[:leaves]


def slopes_alone(tape, leaves):
    """That adds up slopes along the way. Along a path they multiply: what arrives times the slope goes on."""
    found = [0.0] * (leaves + len(tape))
    found[-1] = 1.0
    for i in reversed(range(len(tape))):
        for value, slope in zip(*tape[i], strict=True):
            found[value] += found[leaves + i] + slope
    return found[:leaves]


MISTAKES = [one_path, forwards, slopes_alone]

"""When each command of a program starts on a device with streams."""

STUB = '''
def starts(commands):
    """Each command is a tuple (stream, took, issued, waits): the name of its stream, how long it takes, when the
    host put it into the queue, and the numbers of earlier commands, from 0, that it waits for. Commands of one
    stream run one after another. Returns a tuple with the start of each."""
    return tuple(issued for stream, took, issued, waits in commands)
'''


def starts(commands):
    found, ends, last = [], [], {}
    for stream, took, issued, waits in commands:
        start = max(issued, last.get(stream, 0), *(ends[n] for n in waits), 0)
        found.append(start)
        ends.append(start + took)
        last[stream] = start + took
    return tuple(found)


def cases():
    yield ([("s", 80, 12, ()), ("t", 60, 24, ())],)
    yield ([("s", 80, 12, ()), ("t", 60, 24, (0,))],)
    yield ([("s", 80, 12, ()), ("s", 10, 24, ()), ("s", 5, 300, ())],)
    yield ([("s", 100, 12, ()), ("t", 30, 24, ()), ("t", 5, 36, (0,)), ("s", 7, 48, (1,))],)
    yield ([("s", 10, 12, ()), ("t", 90, 24, ()), ("u", 40, 36, (0, 1)), ("u", 1, 48, (0,))],)
    yield ([("s", 10, 12, ()), ("t", 10, 200, (0,))],)


def no_queue(commands):
    """Commands of one stream run one after another."""
    found, ends = [], []
    for _, took, issued, waits in commands:
        found.append(max(issued, *(ends[n] for n in waits), 0))
        ends.append(found[-1] + took)
    return tuple(found)


def no_waits(commands):
    """It also waits for the commands that it names."""
    found, last = [], {}
    for stream, took, issued, _ in commands:
        found.append(max(issued, last.get(stream, 0)))
        last[stream] = found[-1] + took
    return tuple(found)


def their_start(commands):
    """A command that is waited for has to end, not only to start."""
    found, last = [], {}
    for stream, took, issued, waits in commands:
        found.append(max(issued, last.get(stream, 0), *(found[n] for n in waits), 0))
        last[stream] = found[-1] + took
    return tuple(found)


def before_it_is_there(commands):
    """Nothing starts before the host has put it into the queue."""
    found, ends, last = [], [], {}
    for stream, took, issued, waits in commands:
        start = max(last.get(stream, issued), *(ends[n] for n in waits), 0)
        found.append(start)
        ends.append(start + took)
        last[stream] = start + took
    return tuple(found)


MISTAKES = [no_queue, no_waits, their_start, before_it_is_there]

"""How many arrays cross between memory and processor, for any way to cut a program into kernels."""

STUB = '''
def crossing_arrays(steps, kernels):
    """Each step is a tuple (name, needs): the name of its result and a tuple of the names that it reads.
    kernels has the number of its kernel for each step. The last step makes the result of the program.
    Returns how many arrays are read from memory or written to it, each once for each kernel."""
    return sum(len(needs) + 1 for name, needs in steps)
'''


def crossing_arrays(steps, kernels):
    read = reads(steps, kernels)
    return len({*read}) + len(passed_on(steps, read) | {steps[-1][0]})


def reads(steps, kernels):
    """The kernel and the name of each array that another kernel made, or nobody, as often as it is needed."""
    made = {name: kernel for (name, _), kernel in zip(steps, kernels, strict=True)}
    return [
        (kernel, each)
        for (_, needs), kernel in zip(steps, kernels, strict=True)
        for each in needs
        if made.get(each) != kernel
    ]


def passed_on(steps, read):
    return {each for _, each in read} & {name for name, _ in steps}


def cases():
    chain = (("a", ("x", "y")), ("b", ("a",)), ("c", ("b",)), ("z", ("c", "x")))
    for kernels in ((0, 1, 2, 3), (0, 0, 0, 0), (0, 0, 1, 1), (0, 1, 1, 1)):
        yield chain, kernels
    fan = (("t", ("x",)), ("u", ("t",)), ("v", ("t", "x")), ("z", ("u", "v")))
    for kernels in ((0, 1, 2, 3), (0, 1, 1, 1), (0, 0, 1, 1), (0, 0, 0, 0)):
        yield fan, kernels
    yield (("z", ("x", "x")),), (0,)


def each_need(steps, kernels):
    """A kernel that has read an array has it: it does not read it again for another of its steps."""
    read = reads(steps, kernels)
    return len(read) + len(passed_on(steps, read) | {steps[-1][0]})


def all_written(steps, kernels):
    """What only its own kernel needs is not written."""
    return len({*reads(steps, kernels)}) + len(steps)


def no_result(steps, kernels):
    """Nobody reads the last result here, and it is written all the same."""
    read = reads(steps, kernels)
    return len({*read}) + len(passed_on(steps, read))


def read_once(steps, kernels):
    """Each kernel that needs an array reads it: what one has in its registers, the next one has not."""
    read = reads(steps, kernels)
    return len({each for _, each in read}) + len(passed_on(steps, read) | {steps[-1][0]})


MISTAKES = [each_need, all_written, no_result, read_once]

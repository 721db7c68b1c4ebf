"""An interpreter loop in ten lines."""

STUB = '''
def stack_machine(code):
    """code: list of (name, argument). LOAD puts its argument on the stack; ADD, SUBTRACT and MULTIPLY take two
    values and put one back; JUMP goes to the instruction with that index, JUMP_IF_ZERO does so if the value that
    it takes is 0; COPY puts the topmost value on the stack once more; RETURN gives back the topmost value."""
    stack, at = [], 0
    while True:
        name, argument = code[at]
        at += 1
'''


def stack_machine(code):
    return interpret(code)


def interpret(code, turned=False, condition_stays=False):
    stack, at = [], 0
    while True:
        name, argument = code[at]
        at += 1
        if name == "LOAD":
            stack.append(argument)
        elif name == "COPY":
            stack.append(stack[-1])
        elif name == "JUMP":
            at = argument
        elif name == "JUMP_IF_ZERO":
            if (stack[-1] if condition_stays else stack.pop()) == 0:
                at = argument
        elif name == "RETURN":
            return stack.pop()
        else:
            right, left = stack.pop(), stack.pop()
            if turned:
                right, left = left, right
            if name == "ADD":
                stack.append(left + right)
            elif name == "SUBTRACT":
                stack.append(left - right)
            else:
                stack.append(left * right)


def cases():
    def code(*lines):
        return [(line.split()[0], int(line.split()[1]) if " " in line else None) for line in lines]

    yield (code("LOAD 2", "LOAD 3", "ADD", "RETURN"),)
    yield (code("LOAD 10", "LOAD 3", "SUBTRACT", "RETURN"),)
    yield (code("LOAD 2", "LOAD 3", "LOAD 4", "MULTIPLY", "ADD", "RETURN"),)
    yield (code("LOAD 0", "JUMP_IF_ZERO 4", "LOAD 1", "RETURN", "LOAD 2", "RETURN"),)
    yield (code("LOAD 5", "JUMP_IF_ZERO 4", "LOAD 1", "RETURN", "LOAD 2", "RETURN"),)
    yield (code("LOAD -4", "COPY", "JUMP_IF_ZERO 6", "LOAD 1", "ADD", "JUMP 1", "RETURN"),)
    yield (code("LOAD 7", "LOAD 5", "JUMP_IF_ZERO 3", "RETURN"),)


def turned(code):
    """The topmost value is the right operand: it was put there last. 10 − 3 came out as 3 − 10."""
    return interpret(code, turned=True)


def keeps_the_condition(code):
    """JUMP_IF_ZERO takes the value off the stack, whether it jumps or not; here it stays, and is in the way."""
    return interpret(code, condition_stays=True)


MISTAKES = [turned, keeps_the_condition]

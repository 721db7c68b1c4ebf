"""The scale of each step, as GradScaler would choose it."""

STUB = '''
def scales(first, interval, infinite):
    """first: the scale of the first step. infinite: for each step, whether a gradient came out infinite. Such a
    step halves the scale; interval good steps in a row double it. Returns the scale of each step, as a tuple."""
    return (first,) * len(infinite)
'''


def scales(first, interval, infinite):
    scale, fine, used = first, 0, []
    for bad in infinite:
        used.append(scale)
        fine = 0 if bad else fine + 1
        if bad:
            scale /= 2
        elif fine == interval:
            scale, fine = scale * 2, 0
    return tuple(used)


def cases():
    yield 65536.0, 2, (False, False, False, False, False)
    yield 65536.0, 3, (True, True, False, False)
    yield 8.0, 2, (False, True, False, False, False)
    yield 1.0, 1, (False, False, True, False)
    yield 4.0, 2, (False, False, True, False, False, True, False, False)
    yield 2.0, 5, (False, True)


def never_grows(first, interval, infinite):
    """The scale never grows here: after a number of good steps it doubles."""
    scale, used = first, []
    for bad in infinite:
        used.append(scale)
        if bad:
            scale /= 2
    return tuple(used)


def not_in_a_row(first, interval, infinite):
    """A bad step sets the count of good ones back to zero: they have to come in a row."""
    scale, fine, used = first, 0, []
    for bad in infinite:
        used.append(scale)
        if bad:
            scale /= 2
            continue
        fine += 1
        if fine == interval:
            scale, fine = scale * 2, 0
    return tuple(used)


def grows_again_at_once(first, interval, infinite):
    """After it has doubled, the count starts anew: the next doubling takes as many good steps again."""
    scale, fine, used = first, 0, []
    for bad in infinite:
        used.append(scale)
        fine = 0 if bad else fine + 1
        if bad:
            scale /= 2
        elif fine >= interval:
            scale *= 2
    return tuple(used)


def already_changed(first, interval, infinite):
    """The scale changes after the step: the step itself still used the old one."""
    scale, fine, used = first, 0, []
    for bad in infinite:
        fine = 0 if bad else fine + 1
        if bad:
            scale /= 2
        elif fine == interval:
            scale, fine = scale * 2, 0
        used.append(scale)
    return tuple(used)


MISTAKES = [never_grows, not_in_a_row, grows_again_at_once, already_changed]

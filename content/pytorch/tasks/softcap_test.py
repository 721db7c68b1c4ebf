"""A test that lets the right softcap pass, and fails for every one that has a mistake."""

import numpy as np

STUB = '''
import numpy as np

def softcap_test(softcap):
    """softcap(x, cap=30.0): takes an array, and should return cap * tanh(x / cap) of each element. Returns True if
    it does, to 5 digits, for arrays of any length, shape and strides, for any cap, and for numbers of any size;
    otherwise False. It should not change x. An error that it raises counts as a failure, too."""
    x = np.linspace(-60, 60, 16)
    return np.allclose(softcap(x), 30 * np.tanh(x / 30))
'''


def layouts():
    """Made anew for each softcap, which might write to them."""
    yield np.linspace(-60, 60, 19)
    yield np.linspace(-60, 60, 32)[::2]
    yield np.linspace(-60, 60, 15).reshape(3, 5).T
    yield np.array([1e-9, 1e-3, 300.0, 3e5, -3e5])
    yield np.zeros(0)


def softcap_test(softcap):
    return all(agrees(softcap, x, *cap) for cap in ((), (2.5,)) for x in layouts())


def agrees(softcap, x, cap=30.0):
    kept, expected = x.copy(), cap * np.tanh(x / cap)
    try:
        y = np.asarray(softcap(x) if cap == 30.0 else softcap(x, cap))
    except Exception:
        return False
    same = y.shape == x.shape and np.allclose(y, expected, rtol=1e-5, atol=0)
    return bool(same and np.array_equal(x, kept))


class Mutant:
    """softcap with one mistake, which its name says."""

    def __init__(self, name, function):
        self.name, self.function = name, function

    def __call__(self, x, cap=30.0):
        return self.function(x, cap)

    def __repr__(self):
        return self.name


def right(x, cap):
    return cap * np.tanh(x / cap)


def no_tail(x, cap):
    y = np.full(x.size, np.nan)
    whole = x.size // 8 * 8
    y[:whole] = right(x.ravel()[:whole], cap)
    return y.reshape(x.shape)


def no_strides(x, cap):
    base = x if x.base is None else x.base
    return right(base.ravel()[: x.size].reshape(x.shape), cap)


def overflowing(x, cap):
    e = np.exp(2 * x / cap)
    return cap * (e - 1) / (e + 1)


def in_place(x, cap):
    x[...] = right(x, cap)
    return x


def refuses_empty(x, cap):
    if x.max() > 1e30:
        raise OverflowError
    return right(x, cap)


PLANTED = [
    Mutant("the right one", right),
    Mutant("no tail", no_tail),
    Mutant("no strides", no_strides),
    Mutant("overflows", overflowing),
    Mutant("writes to x", in_place),
    Mutant("cap is always 30", lambda x, cap: right(x, 30.0)),
    Mutant("clips", lambda x, cap: np.clip(x, -cap, cap)),
    Mutant("flattens", lambda x, cap: right(x, cap).ravel()),
    Mutant("refuses an empty array", refuses_empty),
]


def cases():
    for each in PLANTED:
        yield (each,)


def plain(softcap):
    """With 16 plain numbers most mistakes pass: try a tail, strides, edges, a cap, and what becomes of x."""
    x = np.linspace(-60, 60, 16)
    return bool(np.allclose(softcap(x), 30 * np.tanh(x / 30)))


def too_strict(softcap):
    """The right one fails your test: ask for 5 digits, and not for the same bits."""
    return all(np.array_equal(softcap(x.copy()), np.tanh(x / 30) / (1 / 30)) for x in layouts())


MISTAKES = [plain, too_strict]

"""Two halves of a row, each with its maximum and its sum of exponentials, become one."""

import math

STUB = '''
import math

def join_halves(one, other):
    """one, other: each a pair (m, s) for a part of a row: m is the largest x in it, s the sum of exp(x - m).
    An empty part is (-math.inf, 0.0). Return the pair for both parts together."""
    return one
'''


def join_halves(one, other):
    m = max(one[0], other[0])
    return m, sum(s * math.exp(top - m) for top, s in (one, other) if s)


def cases():
    nothing = (-math.inf, 0.0)
    yield (0.0, 1.0), (0.0, 1.0)
    yield (2.0, 1.5), (5.0, 1.25)
    yield (5.0, 1.25), (2.0, 1.5)
    yield (-3.0, 2.0), (-1.0, 4.0)
    yield (1000.0, 1.0), (990.0, 3.0)
    yield (-2000.0, 1.5), (-2001.0, 2.0)
    yield (1.0, 2.0), nothing
    yield nothing, (1.0, 2.0)
    yield nothing, nothing


def not_scaled(one, other):
    """The sums were taken from different maxima: each has to be scaled by exp(m₁ − m) before they are added."""
    return max(one[0], other[0]), one[1] + other[1]


def scaled_up(one, other):
    """The exponent has the wrong sign: a sum taken from a smaller maximum becomes smaller, not larger."""
    m = max(one[0], other[0])
    return m, sum(s * math.exp(min(m - top, 700)) for top, s in (one, other) if s)


def from_zero(one, other):
    """Back to exp(x) itself, which is too large for a float from x = 710 on, and 0 below −746. The maximum is there
    to avoid that: use differences of maxima only."""
    m = max(one[0], other[0])
    try:
        return m, (one[1] * math.exp(one[0]) + other[1] * math.exp(other[0])) / math.exp(m)
    except (OverflowError, ZeroDivisionError):
        return m, math.inf


def second_only(one, other):
    """Right as long as the second part has the larger maximum. It may be the first."""
    m = max(one[0], other[0])
    return m, (one[1] * math.exp(one[0] - m) if one[1] else 0.0) + other[1]


def nothing_forgotten(one, other):
    """An empty part has the maximum −∞, and −∞ − (−∞) is not a number. Two of them together are empty, too."""
    m = max(one[0], other[0])
    return m, one[1] * math.exp(one[0] - m) + other[1] * math.exp(other[0] - m)


MISTAKES = [not_scaled, scaled_up, from_zero, second_only, nothing_forgotten]

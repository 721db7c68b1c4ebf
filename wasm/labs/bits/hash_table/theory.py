"""What the mean number of probes should be with n keys in m slots, found (hit) and not found (miss).

A probe is one place looked at: an entry that is compared, or an empty slot that ends the search. Knuth's exact sums
for a table of this size are used where they exist (The Art of Computer Programming, volume 3, section 6.4); the
well-known curves in the load n/m are their limits for large tables. ``None`` says that there is no such number.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal

Scheme = Literal["direct", "chaining", "linear", "quadratic", "double", "robin_hood"]


def hit(scheme: Scheme, n: int, m: int) -> float | None:
    """The mean over the n keys of finding each once."""
    if n == 0:
        return None
    if scheme == "direct":
        return 1.0
    if scheme == "chaining":
        return 1 + (n - 1) / (2 * m)
    if n > m:
        return None
    if scheme in ("linear", "robin_hood"):  # who robs whom changes the spread, never the mean
        return (1 + knuth_q(0, m, n - 1)) / 2
    if scheme == "quadratic":  # the mean of the misses at each load on the way
        return 1 - math.log(1 - load(n, m)) - load(n, m) / 2
    return (m + 1) / n * sum(1 / (m + 1 - k) for k in range(n))


def miss(scheme: Scheme, n: int, m: int) -> float | None:
    """The mean of looking for a key that is not there."""
    if scheme == "direct":
        return 1.0
    if scheme == "chaining":
        return n / m + (1 - 1 / m) ** n
    if n >= m:
        return None
    if scheme == "linear":
        return (1 + knuth_q(1, m, n)) / 2
    if scheme == "robin_hood":
        return (1 + knuth_q(0, m, n)) / 2 + n / m / 2
    if scheme == "quadratic":
        return 1 / (1 - load(n, m)) - load(n, m) - math.log(1 - load(n, m))
    return (m + 1) / (m + 1 - n)


def load(n: int, m: int) -> float:
    """As if one slot more could never be taken: it makes the uniform limit 1/(1−α) exact, and keeps the others
    finite in a full table."""
    return n / (m + 1)


@lru_cache(maxsize=1024)
def knuth_q(r: int, m: int, n: int) -> float:
    """Q_r(m, n) = Σ (r+k choose k) · n/m · (n−1)/m · … over k factors."""
    total, product = 0.0, 1.0
    for k in range(n + 1):
        total += math.comb(r + k, k) * product
        product *= (n - k) / m
    return total

"""Hash functions on whole arrays of keys: 64-bit words in, bucket numbers out.

``buckets`` is a power of two, as in most libraries; division by a prime takes the next prime below.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from labs.models.hashing.functions import GOLDEN, PRIME, choose

Words = NDArray[np.uint64]
Mixer = Literal[
    "division", "division_prime", "multiplication", "universal", "fnv1a", "murmur3", "splitmix64", "cpython"
]

MERSENNE = 2**61 - 1


def u(number: int) -> np.uint64:
    return np.uint64(number)


def fnv1a(keys: Words) -> Words:
    """FNV-1a, 32 bits, over the four bytes of each key, the lowest first."""
    value = np.full_like(keys, 0x811C9DC5)
    for byte in range(4):
        value = (value ^ (keys >> u(8 * byte) & u(0xFF))) * u(0x01000193) & u(0xFFFFFFFF)
    return value


def murmur3(keys: Words) -> Words:
    """The finaliser of MurmurHash3, 32 bits."""
    value = keys & u(0xFFFFFFFF)
    value = (value ^ value >> u(16)) * u(0x85EBCA6B) & u(0xFFFFFFFF)
    value = (value ^ value >> u(13)) * u(0xC2B2AE35) & u(0xFFFFFFFF)
    return value ^ value >> u(16)


def splitmix64(keys: Words) -> Words:
    """One step of SplitMix64 from the state ``key``; arithmetic is modulo 2⁶⁴, as NumPy's is."""
    value = keys + u(0x9E3779B97F4A7C15)
    value = (value ^ value >> u(30)) * u(0xBF58476D1CE4E5B9)
    value = (value ^ value >> u(27)) * u(0x94D049BB133111EB)
    return value ^ value >> u(31)


def cpython_int(keys: Words) -> Words:
    """hash() of a whole number that is not negative: the number itself, modulo 2⁶¹ − 1."""
    return keys % u(MERSENNE)


LOW_BITS: dict[str, Callable[[Words], Words]] = {
    "fnv1a": fnv1a,
    "murmur3": murmur3,
    "splitmix64": splitmix64,
    "cpython": cpython_int,
}


def bucket(name: Mixer, keys: Words, buckets: int, seed: int) -> NDArray[np.int64]:
    """The bucket of each key; ``seed`` draws a and b of the universal family."""
    if name == "division":
        found = keys % u(buckets)
    elif name == "division_prime":
        found = keys % u(prime_below(buckets))
    elif name == "multiplication":
        found = (keys * u(GOLDEN) & u(0xFFFFFFFF)) * u(buckets) >> u(32)
    elif name == "universal":
        function = choose("universal", seed)
        found = (keys * u(function.a) + u(function.b)) % u(PRIME) % u(buckets)
    else:
        found = LOW_BITS[name](keys) & u(buckets - 1)
    return found.astype(np.int64)


def prime_below(number: int) -> int:
    """The largest prime up to a number."""
    while any(number % divisor == 0 for divisor in range(2, int(number**0.5) + 1)):
        number -= 1
    return number


def size(name: Mixer, buckets: int) -> int:
    return prime_below(buckets) if name == "division_prime" else buckets

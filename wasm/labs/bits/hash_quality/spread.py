"""How evenly keys fall: what chance alone would do, how far counts are from it, and what one flipped bit moves."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from labs.bits.hash_quality.mixers import Mixer, Words, bucket, size
from labs.contract import Float32

SAMPLES = 256  # keys of the avalanche
KEY_BITS = 31
CHUNK = 1 << 16  # keys that an attacker tries at once
BREAKING = 256  # keys that an attacker collects


def poisson(mean: float, most: int) -> Float32:
    """The share of buckets that hold 0, 1, … most keys when each key falls anywhere with equal chance."""
    return np.array([math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(most + 1)], np.float32)


def longest_by_chance(mean: float, buckets: int) -> int:
    """The median of the fullest bucket: every bucket holds at most so many with a chance of one half."""
    most, at_most = 0, math.exp(-mean)
    while at_most**buckets < 0.5:
        most += 1
        at_most += math.exp(most * math.log(mean) - mean - math.lgamma(most + 1))
    return most


def chi_squared(counts: NDArray[np.int64]) -> float:
    """Σ (count − mean)² / mean: near the number of buckets for chance, far more for a bad function, less for one
    that is more even than chance."""
    mean = counts.mean()
    return float(((counts - mean) ** 2 / mean).sum())


def avalanche(name: Mixer, buckets: int, seed: int) -> Float32:
    """[KEY_BITS, bits of the bucket number] how often flipping one bit of a key flips one bit of its bucket."""
    keys = np.random.default_rng(seed).integers(0, 2**KEY_BITS, SAMPLES, dtype=np.uint64)
    bits = (size(name, buckets) - 1).bit_length()
    before = bucket(name, keys, buckets, seed)
    table = np.empty((KEY_BITS, bits), np.float32)
    for flipped in range(KEY_BITS):
        changed = before ^ bucket(name, keys ^ np.uint64(1 << flipped), buckets, seed)
        table[flipped] = [(changed >> bit & 1).mean() for bit in range(bits)]
    return table


def attack(name: Mixer, buckets: int, seed: int, count: int) -> tuple[Words, int]:
    """Keys that all fall in one bucket, found by trying; and how many were tried. No insight is needed: one key in
    ``buckets`` will do."""
    found: list[Words] = []
    target = int(bucket(name, np.array([1], np.uint64), buckets, seed)[0])
    tried = 0
    while sum(map(len, found)) < count:
        keys = np.arange(tried, tried + CHUNK, dtype=np.uint64)
        found.append(keys[bucket(name, keys, buckets, seed) == target])
        tried += CHUNK
    keys = np.concatenate(found)[:count]
    return keys, int(keys[-1]) + 1

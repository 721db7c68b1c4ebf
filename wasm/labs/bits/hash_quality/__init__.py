"""Hash quality: how evenly a hash function spreads keys over buckets, and who can spoil it.

Keys fall into buckets, a twelfth of them at a time. The counts stand beside what chance alone would make of them
(Poisson, chi-squared); the avalanche shows which bits of a key reach which bits of the bucket's number. Then
somebody who knows the function looks for keys that share a bucket, and they meet functions drawn after that.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from labs.bits.hash_quality import spread
from labs.bits.hash_quality.mixers import Mixer, bucket, size
from labs.bits.hash_quality.siphash import siphash13
from labs.contract import Event, Float32, Int32, Interval, Label, say
from labs.models.hashing.keys import Key, fnv1a, stream

POSTER = 14  # which bits decide, below the buckets that they leave empty

PORTIONS = 12
DRAWS = 50  # of universal functions that meet the attacker's keys


@dataclass(frozen=True)
class Params:
    function: Annotated[
        Mixer,
        Label(
            "Hash function",
            help="cpython: a number is its own hash, a word gets SipHash; the low bits pick the bucket.",
        ),
    ] = "division"
    pattern: Annotated[
        Literal[
            "random",
            "sequential",
            "reversed",
            "multiples",
            "pages",
            "powers",
            "clustered",
            "words",
            "against_division",
            "against_multiplication",
        ],
        Label("Keys", help="Multiples of 8; pages: of 4,096; sums of few powers of two; the last two are attacks."),
    ] = "multiples"
    buckets: Annotated[
        Literal[64, 128, 256, 512], Label("Buckets m", help="division_prime takes the next prime below.")
    ] = 128
    mean: Annotated[int, Interval(ge=1, le=8), Label("Keys per bucket")] = 4
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Label("Seed", help="For the keys, and for a and b.")] = 1


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """The buckets so far; what is not yet known is None."""

    kind: Literal["picture"] = "picture"
    stage: Literal["fill", "sizes", "avalanche", "attack", "fresh"]
    buckets: int
    keys: int
    counts: Int32
    """[buckets] keys in each"""
    mean: float
    empty: int
    """Buckets without a key."""
    longest: int
    """Keys in the fullest bucket."""
    longest_by_chance: int
    """The median of that, did each key fall anywhere with equal chance."""
    sizes: Int32 | None = None
    """[0 … longest] buckets of each size"""
    sizes_by_chance: Float32 | None = None
    """[0 … longest] the same by Poisson's law"""
    chi_squared: float | None = None
    """Σ (count − mean)² / mean"""
    freedom: int | None = None
    """buckets − 1: what chance makes of chi-squared on average"""
    avalanche: Float32 | None = None
    """[bits of a key × bits of a bucket's number] share of flips"""
    index_bits: int | None = None
    avalanche_mean: float | None = None
    tried: int | None = None
    """Keys that the attacker tried."""
    attack_counts: Int32 | None = None
    """[buckets] the attacker's keys, by the function that was attacked"""
    attack_longest: int | None = None
    fresh_counts: Int32 | None = None
    """[buckets] the same keys, by the first of the fresh universal functions"""
    fresh_longest: Int32 | None = None
    """[draws] the fullest bucket under each"""


def run(params: Params) -> Iterator[Picture]:
    m = size(params.function, params.buckets)
    keys = list(itertools.islice(stream(params.pattern, m, params.seed), m * params.mean))
    at = place(params, keys)
    for portion in range(1, PORTIONS + 1):
        picture = fill(m, at[: len(keys) * portion // PORTIONS])
        yield picture

    chi = spread.chi_squared(picture.counts.astype(np.int64))
    picture = replace(
        picture,
        stage="sizes",
        text=say(
            "Chi-squared is {:,.0f}, and chance would give {} ± {:.0f}: {}.",
            chi,
            m - 1,
            (2 * (m - 1)) ** 0.5,
            verdict(chi, m - 1),
        ),
        sizes=np.bincount(picture.counts).astype(np.int32),
        sizes_by_chance=m * spread.poisson(picture.mean, picture.longest),
        chi_squared=chi,
        freedom=m - 1,
    )
    yield picture

    table = spread.avalanche(params.function, params.buckets, params.seed)
    dead = int((table.max(axis=1) == 0).sum())
    picture = replace(
        picture,
        stage="avalanche",
        text=say(
            "A flipped bit of the key flips a bit of the bucket's number in {:.0%} of all cases "
            "(half is best), and {} of the {} bits of a key change nothing at all.",
            table.mean(),
            dead,
            len(table),
        ),
        avalanche=table.ravel(),
        index_bits=table.shape[1],
        avalanche_mean=float(table.mean()),
    )
    yield picture
    yield from attacks(params, picture)


def attacks(params: Params, picture: Picture) -> Iterator[Picture]:
    m = picture.buckets
    keys, tried = spread.attack(params.function, params.buckets, params.seed, spread.BREAKING)
    counts = np.bincount(bucket(params.function, keys, params.buckets, params.seed), minlength=m)
    picture = replace(
        picture,
        stage="attack",
        text=say(
            "An attacker who knows the function tries {:,} keys and keeps {}, all in bucket "
            "{}: where {:.1f} were expected there are {}.",
            tried,
            len(keys),
            counts.argmax(),
            len(keys) / m,
            counts.max(),
        ),
        tried=tried,
        attack_counts=counts.astype(np.int32),
        attack_longest=int(counts.max()),
    )
    yield picture

    fresh = [
        np.bincount(bucket("universal", keys, params.buckets, params.seed + 1 + draw), minlength=params.buckets)
        for draw in range(DRAWS)
    ]
    longest = np.array([each.max() for each in fresh], np.int32)
    yield replace(
        picture,
        stage="fresh",
        text=say(
            "The same {} keys under {} universal functions drawn afterwards: the fullest bucket "
            "holds {} to {}, {:.1f} on average.",
            len(keys),
            DRAWS,
            longest.min(),
            longest.max(),
            longest.mean(),
        ),
        fresh_counts=fresh[0].astype(np.int32),
        fresh_longest=longest,
    )


def place(params: Params, keys: list[Key]) -> NDArray[np.int64]:
    """The bucket of each key. Words are hashed byte by byte where the function is one for bytes."""
    if params.pattern == "words" and params.function in ("cpython", "fnv1a"):
        rng = random.Random(f"siphash {params.seed}")
        k0, k1 = rng.getrandbits(64), rng.getrandbits(64)
        words = [key.name.encode() for key in keys]
        hashes = [siphash13(word, k0, k1) if params.function == "cpython" else fnv1a(word) for word in words]
        return np.array([value % params.buckets for value in hashes], np.int64)
    return bucket(params.function, np.array([key.number for key in keys], np.uint64), params.buckets, params.seed)


def fill(buckets: int, at: NDArray[np.int64]) -> Picture:
    counts = np.bincount(at, minlength=buckets)
    mean, longest, empty = len(at) / buckets, int(counts.max()), int((counts == 0).sum())
    chance = spread.longest_by_chance(mean, buckets)
    return Picture(
        stage="fill",
        text=say(
            "{} keys in {} buckets: the fullest holds {} (by chance about {}), and {} are empty.",
            len(at),
            buckets,
            longest,
            chance,
            empty,
        ),
        buckets=buckets,
        keys=len(at),
        counts=counts.astype(np.int32),
        mean=mean,
        empty=empty,
        longest=longest,
        longest_by_chance=chance,
    )


def verdict(chi: float, freedom: int) -> str:
    """Four standard deviations either way are chance; few keys in ten thousand fall outside."""
    away = (chi - freedom) / (2 * freedom) ** 0.5
    if away > 4:
        return "far less even than chance"
    return "more even than chance" if away < -4 else "as even as chance"

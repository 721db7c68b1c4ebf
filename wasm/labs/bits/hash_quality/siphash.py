"""SipHash-1-3, which CPython uses for strings and bytes with a key drawn when it starts."""

from __future__ import annotations

MASK = 2**64 - 1


def siphash13(data: bytes, k0: int, k1: int) -> int:
    v = [
        k0 ^ 0x736F6D6570736575,
        k1 ^ 0x646F72616E646F6D,
        k0 ^ 0x6C7967656E657261,
        k1 ^ 0x7465646279746573,
    ]
    whole = len(data) // 8 * 8
    last = int.from_bytes(data[whole:], "little") | (len(data) & 0xFF) << 56
    words = [int.from_bytes(data[at : at + 8], "little") for at in range(0, whole, 8)]
    for word in [*words, last]:
        v[3] ^= word
        turn(v)
        v[0] ^= word
    v[2] ^= 0xFF
    for _ in range(3):
        turn(v)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def turn(v: list[int]) -> None:
    v[0] = (v[0] + v[1]) & MASK
    v[1] = rotated(v[1], 13) ^ v[0]
    v[0] = rotated(v[0], 32)
    v[2] = (v[2] + v[3]) & MASK
    v[3] = rotated(v[3], 16) ^ v[2]
    v[0] = (v[0] + v[3]) & MASK
    v[3] = rotated(v[3], 21) ^ v[0]
    v[2] = (v[2] + v[1]) & MASK
    v[1] = rotated(v[1], 17) ^ v[2]
    v[2] = rotated(v[2], 32)


def rotated(value: int, by: int) -> int:
    return (value << by | value >> (64 - by)) & MASK

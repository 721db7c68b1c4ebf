"""The shape of the transformer, and its alphabet: what training, the kernel and the cache all have to agree on."""

from __future__ import annotations

WIDTH = 128  # numbers that stand for a token
HEADS = 4
LAYERS = 3
INNER = 4 * WIDTH  # between the two products of a layer's second half
CONTEXT = 256  # positions
BLOCK = 16  # positions in a block of the cache: as many as the widest registers hold
BLOCKS = CONTEXT // BLOCK  # in the table of a sequence
VOCABULARY = 128  # ASCII: a token is a character


def encode(text: str) -> list[int]:
    """Tokens of a text; a character beyond ASCII is a question mark."""
    return list(text.encode("ascii", "replace"))


def decode(tokens: list[int]) -> str:
    return bytes(tokens).decode("ascii")

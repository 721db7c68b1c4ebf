"""Torch's messages, cut to what a sentence can hold."""

from __future__ import annotations


def first_sentence(message: str) -> str:
    """What follows in a longer one is a table of what is registered, or what else to switch on."""
    return message.partition(". ")[0].partition("\n")[0].removesuffix(".") + "."

"""Why a program is not taken, or not carried on with."""

from __future__ import annotations


class RefusedError(Exception):
    """The program asks for what this machine does not do; the message says what to change."""

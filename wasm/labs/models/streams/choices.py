"""What both labs let a reader choose: a program, the kind of its streams, and that of the default stream."""

from __future__ import annotations

from typing import Annotated, Literal

from labs.contract import Label, Text
from labs.models.streams.examples import EXAMPLES

PROGRAM = Text(1500, language="python", examples=EXAMPLES, listed=True)
Streams = Annotated[
    Literal["non-blocking", "blocking"],
    Label("Streams", help="Non-blocking, as PyTorch makes them; or as cudaStreamCreate does.", main=True),
]
DefaultStream = Annotated[
    Literal["legacy", "per-thread"],
    Label("Default stream", help="The legacy default stream and blocking streams wait for each other."),
]

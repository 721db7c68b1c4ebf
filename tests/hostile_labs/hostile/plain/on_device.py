"""On device: says where it ran."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Event, Label


@dataclass(frozen=True)
class Params:
    device: Annotated[Literal["cpu", "cuda"], Label("Run on")] = "cpu"


@dataclass(frozen=True)
class Ran(Event):
    kind: Literal["ran"] = "ran"
    device: str = ""


def run(params: Params) -> Iterator[Ran]:
    yield Ran(text="Ran.", device=params.device)

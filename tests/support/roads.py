"""Runs of compilers/mlir_lowering that do not wait for clocks, for the tests of its roads."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from native.compilers.mlir_lowering import Params, bench, run
from native.compilers.mlir_lowering.board import Board
from native.compilers.mlir_lowering.pictures import Lowered


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """How fast it is says nothing here."""
    monkeypatch.setattr(bench, "PATIENCE", 1e-3)
    monkeypatch.setattr(bench, "REPETITIONS", 2)
    monkeypatch.setattr(Board, "limit", lambda board: setattr(board, "peak", 1e6))


@pytest.fixture(scope="module", autouse=True)
def ready() -> None:
    """What PyTorch loads when it first writes a program down is there before any worker is forked."""
    torch.export.export(torch.nn.ReLU(), (torch.ones(1),))


@pytest.fixture
def unrun(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where only the pictures count."""
    monkeypatch.setattr(bench.Bench, "ran", lambda *given: None)
    monkeypatch.setattr(bench.Bench, "rivals", lambda *given: [])


PICTURES = pytest.mark.usefixtures("unrun")


def log(until: str = "", **params: Any) -> list[Lowered]:
    """The whole log, or what comes before and with the picture of that name."""
    events = []
    for event in (pictures := run(Params(**params))):
        events.append(event)
        if event.name == until:
            pictures.close()  # type: ignore[attr-defined]
            break
    return events


def named(events: list[Lowered], name: str) -> Lowered:
    return next(event for event in events if event.name == name)

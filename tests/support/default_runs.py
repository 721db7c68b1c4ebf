"""A deterministic lab's run with its own settings, made once for all tests that compare it with another."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import pytest
from labs.contract import pack
from labs.discover import Lab


def one_worker(lab: str) -> pytest.MarkDecorator:
    """All tests of a lab that are about this run go to one worker."""
    return pytest.mark.xdist_group(f"default run of {lab}")


def each(labs: Iterable[Lab]) -> Callable[..., Any]:
    """A test for every one of these labs."""
    return pytest.mark.parametrize("lab", [pytest.param(lab, id=lab.id, marks=one_worker(lab.id)) for lab in labs])


@cache
def packed(lab: Lab) -> list[str]:
    """Each event as it travels. Raises what the lab raises."""
    assert not lab.measures, "each of its runs finds its own times"
    return [json.dumps(pack(event), allow_nan=False) for event in lab.run(lab.params())]


def events(lab: Lab) -> list[dict[str, Any]]:
    """The same, read again."""
    return [json.loads(line) for line in packed(lab)]

"""The errors of all trained networks."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

FILE = "errors.json"


@cache
def kept() -> dict[str, Any]:
    """What `scripts/train_operator_grid.py` wrote."""
    found: dict[str, Any] = json.loads(files(__package__).joinpath(FILE).read_text("utf-8"))
    return found

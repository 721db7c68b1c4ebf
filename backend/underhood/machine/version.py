"""The version of Underhood itself, which the API tells."""

from __future__ import annotations

import tomllib
from importlib import metadata
from pathlib import Path


def _version() -> str:
    """Ours; a machine that only records runs a checkout that nobody installed."""
    try:
        return metadata.version("underhood")
    except metadata.PackageNotFoundError:
        project = Path(__file__).parents[3] / "pyproject.toml"
        return str(tomllib.loads(project.read_text("utf-8"))["project"]["version"])


VERSION = _version()

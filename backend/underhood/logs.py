"""Where log lines go: to stderr, each with its time and who wrote it."""

from __future__ import annotations

import os
from typing import Any

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s", "datefmt": "%H:%M:%S"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {"underhood": {"level": os.environ.get("UNDERHOOD_LOG", "INFO").upper()}},
}

"""Where log lines go: to stderr, for people, or with UNDERHOOD_LOG_FORMAT=json as one JSON object a line.

A line about a run carries its id, its lab and, once it has ended, status and seconds. In JSON each call of the API
has a line, too; for people only if UNDERHOOD_LOG names a level. Who asked is written nowhere.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any


class JsonLines(logging.Formatter):
    """Time (UTC), level, logger and message, then whatever ``extra={"facts": …}`` says."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= getattr(record, "facts", {})
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def configuration(environ: Mapping[str, str]) -> dict[str, Any]:
    """For ``logging.config``."""
    form = "json" if environ.get("UNDERHOOD_LOG_FORMAT") == "json" else "text"
    level = environ.get("UNDERHOOD_LOG", "").upper()
    quiet = form == "text" and not level
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "text": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s", "datefmt": "%H:%M:%S"},
            "json": {"()": JsonLines},
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": form}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "underhood": {"level": level or "INFO"},
            "underhood.access": {"level": "WARNING" if quiet else level or "INFO"},
        },
    }


LOGGING = configuration(os.environ)

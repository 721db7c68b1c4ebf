"""What the ``underhood`` command prints: results on stdout, everything about them on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from labs.discover import Lab
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from underhood.contract.schema import params_schema
from underhood.contract.validation import allowed


def say(line: str) -> None:
    """One line of result. Flushed, because a run is read while it happens."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def complain(line: str) -> None:
    sys.stderr.write(f"underhood: {line}\n")


@contextmanager
def progress(title: str) -> Iterator[Callable[[str], None]]:
    """A spinner on stderr while a lab computes; yields a ``say`` that does not write into it."""
    console = Console(stderr=True)
    if not console.is_terminal:  # nobody watches: no spinner to stop, so nothing of it to be interrupted in
        yield say
        return
    status = console.status(Text(title))
    lines = 0

    def report(line: str) -> None:
        nonlocal lines
        lines += 1
        status.stop()
        say(line)
        status.update(Text(f"{title}, {lines} {'event' if lines == 1 else 'events'} so far"))
        status.start()

    with status:
        yield report


def table(labs: Iterable[Lab]) -> None:
    """All labs with what they take."""
    rows = Table(box=box.SIMPLE, pad_edge=False)
    rows.add_column("lab", no_wrap=True)
    rows.add_column("takes")
    for lab in labs:
        about = Text.assemble((lab.id, "bold"), f"\n{lab.title}\n", (f"runs on {', '.join(lab.runs_on)}", "dim"))
        rows.add_row(about, _parameters(lab), end_section=True)
    Console().print(rows)


def _parameters(lab: Lab) -> Text:
    properties: dict[str, dict[str, Any]] = params_schema(lab)["properties"]
    lines = Text()
    for name, schema in properties.items():
        lines.append("\n" if lines else "")
        lines.append(name, style="cyan").append(f": {allowed(schema)}")
        if "default" in schema:
            lines.append(f" (default {schema['default']!r})", style="dim")
    return lines

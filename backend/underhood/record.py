"""Runs a lab in this process and keeps its log: what a page shows before anything has run.

    python -m underhood.record learning/number_line --bits 4 --name four_bits

This file needs the labs, the standard library and NumPy, neither pydantic nor the web server: a lab that wants a
GPU is recorded on a machine that has little more than PyTorch (``PYTHONPATH=backend:wasm``).
"""

from __future__ import annotations

import argparse
import json
import sys
import typing
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from labs.contract import LabError, Text, pack
from labs.discover import Lab, find

from underhood.author.compare_logs import first_difference
from underhood.machine.environment import restart_without_tuning
from underhood.machine.provenance import provenance

RECORDINGS = Path("content/recordings")  # seen from the checkout, where `make record` runs

Log = list[dict[str, Any]]


def started(lab: Lab, params: Any, where: Literal["recorded", "server"]) -> dict[str, Any]:
    """The event that opens a log: it says where the numbers that follow come from."""
    device = getattr(params, "device", "cpu")
    return {"kind": "started", "attempt": 1, "provenance": provenance(lab.version, where, device)}


def end(status: Literal["ok", "failed", "cancelled"] = "ok", reason: str = "") -> dict[str, Any]:
    """The event that closes a log, always and once."""
    return {"kind": "end", "status": status, "reason": reason}


def record(lab: Lab, params: Any, name: str = "default") -> dict[str, Any]:
    """Run a lab and return its recording. Raises ``LabError`` when it cannot run here with these parameters."""
    if lab.on_device:
        raise LabError(
            f"{lab.id} measures its reader's own device. Record it there: python scripts/record_device.py {lab.id}"
        )
    opening = started(lab, params, "recorded")
    events = [opening, *(pack(event) for event in lab.run(params)), end()]
    return {"lab": lab.id, "name": name, "params": asdict(params), "events": events}


def path_of(out: Path, lab: str, name: str = "default") -> Path:
    return out / lab / f"{name}.json"


def write(recording: dict[str, Any], out: Path, tolerance: float, measures: bool = False) -> str:
    """Write a recording, unless the one that is there shows the same run. Returns what was done, in words."""
    path = path_of(out, recording["lab"], recording["name"])
    count = f"{len(recording['events']) - 2} events"
    change: str | None = "new"
    if path.is_file():
        old = json.loads(path.read_text(encoding="utf-8"))
        if old["params"] != recording["params"]:
            change = "its parameters changed"
        elif measures:
            change = "measured anew"
        else:
            change = first_difference(old["events"], recording["events"], rel=tolerance)
    if change is None:
        return f"unchanged ({count})"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dumps(recording), encoding="utf-8")
    return f"recorded ({count}): {change}"


def dumps(recording: dict[str, Any]) -> str:
    """JSON with one event a line: as small as it gets while a diff still shows which events changed."""
    head = json.dumps({key: value for key, value in recording.items() if key != "events"}, ensure_ascii=False)
    events = ",\n".join(line(event) for event in recording["events"])
    return f'{head[:-1]}, "events": [\n{events}\n]}}\n'


def line(event: dict[str, Any]) -> str:
    """One event as one line of JSON."""
    return json.dumps(event, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def tolerance(lab: Lab) -> float:
    """How far, relatively, a float may be from its recording: 1e-6, or what the lab calls ``TOLERANCE``."""
    return float(getattr(sys.modules[lab.module], "TOLERANCE", 1e-6))


def main(arguments: list[str] | None = None) -> int:
    says = (__doc__ or "").splitlines()[0]
    # No abbreviations: --n is a parameter of labs, and not the beginning of --name.
    parser = argparse.ArgumentParser(prog="python -m underhood.record", description=says, allow_abbrev=False)
    parser.add_argument("lab", help="series/lab; its parameters follow as --name value")
    parser.add_argument("--name", default="default", help="name of the recording (default: default)")
    parser.add_argument("--out", type=Path, default=RECORDINGS, help=f"folder (default: {RECORDINGS})")
    asked, rest = parser.parse_known_args(arguments)
    labs = find()
    if asked.lab not in labs:
        parser.error(f"there is no lab {asked.lab}; underhood labs lists them")
    lab = labs[asked.lab]
    try:
        params = lab.params(**dict(_values(lab, rest)))
    except ValueError as problem:
        parser.error(str(problem))
    try:
        done = write(record(lab, params, asked.name), asked.out, tolerance(lab), lab.measures)
    except LabError as problem:
        sys.stderr.write(f"{lab.id}: {problem}\n")
        return 1
    sys.stdout.write(f"{lab.id}: {done}\n")
    return 0


def _values(lab: Lab, rest: list[str]) -> Iterator[tuple[str, Any]]:
    """Parameters from ``--name value`` pairs by their annotated types alone; bounds are pydantic's to check."""
    hints = typing.get_type_hints(lab.params)
    for option, text in zip(rest[::2], [*rest[1::2], ""], strict=False):
        name = option.removeprefix("--").replace("-", "_")
        if not option.startswith("--") or name not in hints:
            raise ValueError(f"{lab.id} takes {', '.join(f'--{known}' for known in hints)}, not {option}")
        hint = hints[name]
        if hint is str:
            yield name, _examples(lab, name).get(text.removeprefix("@"), text) if text.startswith("@") else text
            continue
        if hint in (int, float):
            try:
                yield name, hint(text)
            except ValueError:
                raise ValueError(f"--{name} must be {hint.__name__}, not {text!r}") from None
            continue
        choices = typing.get_args(hint) if typing.get_origin(hint) is Literal else (True, False)
        by_text = {str(choice).lower(): choice for choice in choices}
        if text.lower() not in by_text:
            raise ValueError(f"--{name} must be one of {', '.join(by_text)}, not {text!r}")
        yield name, by_text[text.lower()]


def _examples(lab: Lab, name: str) -> Mapping[str, str]:
    extras = typing.get_args(typing.get_type_hints(lab.params, include_extras=True)[name])
    return next((extra.examples for extra in extras if isinstance(extra, Text)), {})


if __name__ == "__main__":
    restart_without_tuning()
    sys.exit(main())

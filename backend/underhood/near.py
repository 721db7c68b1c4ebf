"""Records the settings beside each lab's defaults, so that a first move is answered while Python still starts.

    python -m underhood.near frontend/near

The build makes them and nobody keeps them: a lab is recorded again once its sources, or what records them, change.
A recording's file says which setting is another: ``bits=3.json``.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import shutil
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from labs.discover import Lab, find

from underhood import record as recording
from underhood.contract.schema import params_schema

BUDGET = 2_000_000
"""Bytes of a lab's runs of this kind; they travel as a twentieth of that, and one at a time."""
MOST = 8
"""Of the settings at hand."""
FURTHER = 4
"""Of all others."""
BESIDE = 2
"""Settings that stand beside a picture where a lab does not say which."""
MADE_OF = "made_of"
"""The file in a lab's folder that says for which sources its runs hold."""


def near(lab: Lab) -> Iterator[tuple[str, Any]]:
    """Names and parameters that differ from the defaults in one: first of the settings that a reader has at hand.

    None of a lab that browsers do not run, or that measures.
    """
    if "browser" in lab.runs_on and not (lab.measures or lab.on_device):
        fields = params_schema(lab)["properties"]
        at_hand = [name for name, field in fields.items() if field.get("main")] or [*fields][:BESIDE]
        yield from itertools.islice(one_setting_away(lab, at_hand), MOST)
        further = (name for name in fields if name not in at_hand)
        yield from itertools.islice(one_setting_away(lab, further), FURTHER)


def one_setting_away(lab: Lab, names: Iterable[str] | None = None) -> Iterator[tuple[str, Any]]:
    """Of any lab, without an end to how many: of each parameter the nearest, then of each the next."""
    defaults = lab.params()
    fields = params_schema(lab)["properties"]
    rows = [
        [(f"{name}={written}", replace(defaults, **{name: value})) for written, value in values]
        for name in (fields if names is None else names)
        if name != "seed" and (values := list(_beside(fields[name], getattr(defaults, name))))
    ]
    for round_ in itertools.zip_longest(*rows):
        yield from (each for each in round_ if each is not None)


def _beside(field: dict[str, Any], default: Any) -> Iterable[tuple[str, Any]]:
    """Other values of a parameter as they are written, the nearest first: its control is moved to them first."""
    if isinstance(default, bool):
        return [(str(not default).lower(), not default)]
    listed = field.get("examples") or {str(choice): choice for choice in field.get("enum", ())}
    if values := [*listed.values()]:
        at = values.index(default) if default in values else 0
        others = [(name, value) for name, value in listed.items() if value != default]
        return sorted(others, key=lambda other: abs(values.index(other[1]) - at))
    if isinstance(default, str):
        return []
    low, high = field["minimum"], field["maximum"]
    step = 1 if isinstance(default, int) else 10.0 ** math.floor(math.log10((high - low) / 100))
    moved = (round(default + sign * by * step, 9) for by in range(1, MOST) for sign in (1, -1))
    return [(str(value), type(default)(value)) for value in moved if low <= value <= high]


def record_near(lab: Lab, out: Path) -> int:
    """Record the settings beside a lab's own, the nearest first, as long as there is room; returns how many."""
    folder = out / lab.id
    if is_made(lab, out):
        return 0
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    spent = count = 0
    for name, params in near(lab):
        text = recording.dumps(recording.record(lab, params, name))
        spent += len(text.encode())
        if spent > BUDGET:
            break
        (folder / f"{name}.json").write_text(text, "utf-8")
        count += 1
    (folder / MADE_OF).write_text(sources(lab), "utf-8")
    return count


def is_made(lab: Lab, out: Path) -> bool:
    """Whether the lab has been recorded as it is."""
    said = out / lab.id / MADE_OF
    return said.is_file() and said.read_text("utf-8") == sources(lab)


def sources(lab: Lab) -> str:
    """Of the lab, and of what chooses and writes its runs."""
    ours = b"".join(Path(file).read_bytes() for file in (__file__, recording.__file__))
    return hashlib.sha256(ours + lab.version.encode()).hexdigest()


def main(out: Path) -> None:
    labs = {id: lab for id, lab in find().items() if next(near(lab), None)}
    for folder in out.glob("*/*"):
        if f"{folder.parent.name}/{folder.name}" not in labs:
            shutil.rmtree(folder)
    with ProcessPoolExecutor() as processes:
        count = sum(processes.map(record_near, labs.values(), itertools.repeat(out)))
    sys.stdout.write(f"{count} runs recorded beside the defaults of labs that have changed\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

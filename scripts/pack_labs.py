"""Pack the portable labs into frontend/public/labs/labs.zip, which Pyodide unpacks in the reader's browser.

Beside it a notebook of every lab, for readers who want to take one along, and the sources that it consists of, for
those who read on from its own: its parts first, then what it shares.

The same sources always make the same bytes, and nothing is written when nothing changed: the archive's sha256
is its version, and browsers keep it for as long as that stays.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import io
import json
import sys
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from labs.discover import Lab, find, sources
from underhood.author.notebook import dumps

ROOT = Path(__file__).resolve().parent.parent
PUBLIC = ROOT / "frontend" / "public" / "labs"
SUFFIXES = {".py", ".npz", ".json"}
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the earliest date a zip can hold: real dates would make every archive differ


def main() -> int:
    labs = find().values()
    write_archive(labs)
    write_sources(labs)
    write_notebooks(labs)
    return 0


def write_archive(labs: Iterable[Lab]) -> None:
    data = archive()
    PUBLIC.mkdir(parents=True, exist_ok=True)
    _update(PUBLIC / "labs.zip", data)
    told = {"sha256": hashlib.sha256(data).hexdigest(), "versions": {lab.id: lab.version for lab in labs}}
    _update(PUBLIC / "labs.json", json.dumps(told).encode() + b"\n")


def write_sources(labs: Iterable[Lab]) -> None:
    for lab in labs:
        own, *others = sources(lab.module).values()
        inside = own.parent if own.name == "__init__.py" else own  # nothing lies in a file
        told = [
            {
                "path": path.relative_to(ROOT).as_posix(),
                "part": path.is_relative_to(inside),
                "code": path.read_text("utf-8"),
            }
            for path in others
        ]
        path = PUBLIC / f"{lab.id}.sources.json"
        path.parent.mkdir(exist_ok=True)
        _update(path, json.dumps(told, ensure_ascii=False).encode() + b"\n")


def write_notebooks(labs: Iterable[Lab]) -> None:
    for lab in labs:
        if lab.on_device:  # a notebook has no page that could lend it a device
            continue
        _notebook(lab).parent.mkdir(exist_ok=True)
        _update(_notebook(lab), dumps(lab).encode())


def without_notebook(labs: Iterable[Lab]) -> list[Lab]:
    """Those that have none, or that of another version."""
    return [
        lab
        for lab in labs
        if not (path := _notebook(lab)).is_file() or f"`{lab.version}`" not in path.read_text("utf-8")
    ]


def _notebook(lab: Lab) -> Path:
    return PUBLIC / f"{lab.id}.ipynb"


def archive() -> bytes:
    """The zip's bytes: package ``labs``, and ``annotated_types``, the one library that it needs besides NumPy."""
    files = dict(sorted((*_labs(), *_annotated_types())))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, path in files.items():
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            bundle.writestr(entry, path.read_bytes())
    return buffer.getvalue()


def _labs() -> Iterator[tuple[str, Path]]:
    package = ROOT / "wasm" / "labs"
    for path in package.rglob("*"):
        name = path.relative_to(package.parent)
        if (
            path.suffix in SUFFIXES
            and not name.stem.startswith("test_")
            and not {"tests", "__pycache__"} & {*name.parts}
        ):
            yield name.as_posix(), path


def _annotated_types() -> Iterator[tuple[str, Path]]:
    for file in importlib.metadata.files("annotated_types") or ():
        if file.name == "LICENSE":  # the licence asks to travel along
            yield "annotated_types/LICENSE", Path(str(file.locate()))
        elif file.suffix == ".py" and not file.name.startswith("test_"):
            yield file.as_posix(), Path(str(file.locate()))


def _update(path: Path, data: bytes) -> None:
    if not path.is_file() or path.read_bytes() != data:
        part = path.with_suffix(path.suffix + ".part")
        part.write_bytes(data)
        part.replace(path)


if __name__ == "__main__":
    sys.exit(main())

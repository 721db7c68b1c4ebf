"""Writes frontend/src/generated, a folder for every lab: ``lab.json`` (title, places, parameters), ``types.ts`` and
``fields.json`` (what each field of an event means, and what the axes of arrays are called). The bench has a
``file.json`` besides: the schema of the file that a measured machine writes.

``make contract`` runs it; with ``--check`` it writes nothing and fails on a file that is out of date. The files
are committed, so that a reviewer sees what a change of a lab means to its figure.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from labs.discover import Lab, find

from underhood.author.measured_schema import measured_schema
from underhood.contract.axes import axes
from underhood.contract.field_docs import field_docs
from underhood.contract.schema import describe, event_schemas, params_schema, placing
from underhood.machine.measured_file import LAB

ROOT = Path(__file__).resolve().parents[3]
OUT = ROOT / "frontend" / "src" / "generated"
FIX = "make contract"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m underhood.author.generate", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--check", action="store_true", help="write nothing; fail on a file that is out of date")
    check = parser.parse_args(arguments).check
    made = generate()
    stale = [path for path, text in made.items() if not path.is_file() or path.read_text("utf-8") != text]
    left = [path for path in OUT.rglob("*") if path.is_file() and path not in made]
    if check:
        for path in stale + left:
            wrong = "is out of date" if path in made else "belongs to no lab"
            sys.stderr.write(f"{path.relative_to(ROOT)} {wrong}: run {FIX}\n")
        return 1 if stale or left else 0
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made[path], encoding="utf-8")
    for path in left:
        path.unlink()
        for folder in path.parents[: len(path.relative_to(OUT).parts) - 1]:
            if not any(folder.iterdir()):
                folder.rmdir()
    return 0


def generate() -> dict[Path, str]:
    """The generated files' contents, by path."""
    labs = [given(lab) for lab in find().values()]
    node = Path(sys.prefix) / "bin" / "node"  # ours, from PyPI; make puts no other first
    command = [str(node) if node.exists() else "node", "scripts/types.mjs"]
    frontend = ROOT / "frontend"  # where prettier looks for its plugins
    made = subprocess.run(
        command, cwd=frontend, input=json.dumps(labs).encode(), stdout=subprocess.PIPE, check=True
    )
    return {OUT / name: text for name, text in json.loads(made.stdout).items()}


def given(lab: Lab) -> dict[str, Any]:
    """What the files of a lab are made of, by frontend/src/build/contract-types.ts."""
    with placing(lab, lab.params):
        lab.params()  # a page begins with the defaults, so every parameter needs one
    made = {"id": lab.id, "manifest": manifest(lab), "fields": fields(lab), "schema": typescript(lab)}
    return made | ({"file": measured_schema()} if lab.id == LAB else {})


def manifest(lab: Lab) -> dict[str, Any]:
    """What pages need of a lab: all but the events, of which the types say more, and the version, which any line of
    code changes: the build adds that, from what scripts/pack_labs.py writes.
    """
    return {key: value for key, value in describe(lab).items() if key not in ("events", "version")}


def fields(lab: Lab) -> dict[str, Any]:
    """What tables, exercises and articles need of a lab's events. Events share the words of what they share."""
    meanings = {field: said for event in lab.events for field, said in field_docs(event).items()}
    return {"meanings": meanings, "axes": axes(lab)}


def typescript(lab: Lab) -> dict[str, Any]:
    """One JSON Schema that holds all types of a lab under the names that Python gave them."""
    types: dict[str, Any] = {}
    for schema in [params_schema(lab), *event_schemas(lab).values()]:
        for name, made in [(schema["title"], schema), *schema.get("$defs", {}).items()]:
            made = _plain(made)
            if name in ("Event", "Lab") or types.setdefault(name, made) != made:
                raise ValueError(f"{lab.id} needs another name for its class {name}: the generated types use it")
    events = [{"$ref": f"#/$defs/{schema['title']}"} for schema in event_schemas(lab).values()]
    both = {"params": {"$ref": "#/$defs/Params"}, "event": {"anyOf": events}}
    return _plain({"type": "object", "properties": both}) | {"$defs": types}


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """An object's schema as its type needs it: every field present, since events and defaults are sent whole."""
    properties = {name: _untitled(field) for name, field in schema.get("properties", {}).items()}
    kept = {key: value for key, value in schema.items() if key in ("type", "description")}
    return {**kept, "properties": properties, "required": list(properties), "additionalProperties": False}


def _untitled(schema: Any) -> Any:
    """Drop titles, which would name a type each, and what no type needs; say tuples in the older words that the
    generator knows."""
    if isinstance(schema, list):
        return [_untitled(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    renamed = {"prefixItems": "items"}
    return {
        renamed.get(key, key): _untitled(value)
        for key, value in schema.items()
        if key not in ("title", "default", "examples", "axes")
    }


if __name__ == "__main__":
    sys.exit(main())

"""Pack each portable lab with what it imports into frontend/public/labs/packs, for Python in the reader's browser.

What all labs need is a pack of its own, and so is each of the models, for a reader's own code that imports it. A
pack is JSON, the texts of files by their path, which travels smaller than an archive: servers compress it as one
piece. Files of data that its modules name travel apart. Names carry hashes, so that browsers keep whatever stays;
``labs.json`` says which they are, and the version of each lab.

Beside them a notebook of every lab, for readers who want to take one along, and the sources that it consists of,
for those who read on from its own: its parts first, then what it shares. And the bench as one file, for machines
that have neither this server nor anything of ours.

The same sources always make the same bytes, and nothing is written when nothing changed.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import pkgutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from labs.discover import Lab, find, sources, version
from underhood.author import single_file
from underhood.author.notebook import dumps
from underhood.machine.measured_file import LAB

ROOT = Path(__file__).resolve().parent.parent
PUBLIC = ROOT / "frontend" / "public" / "labs"
WASM = ROOT / "wasm"
COMMON = "labs.contract"
MODELS = "labs.models"
DATA = {".npz", ".json"}


def main() -> int:
    labs = find().values()
    made = write_packs(labs) | write_sources(labs) | write_notebooks(labs) | write_single_file()
    for path in PUBLIC.rglob("*.*"):
        if path not in made:
            path.unlink()
    return 0


def write_packs(labs: Iterable[Lab]) -> set[Path]:
    common = {**_files(COMMON, "labs.discover", "labs.worker"), **_annotated_types()}
    packs = {COMMON: common} | {
        module: {path: file for path, file in _files(*modules).items() if path not in common}
        for module, modules in _packed(labs)
    }
    told = {module: _write_pack(module, files) for module, files in packs.items()}
    index = {"versions": {lab.id: lab.version for lab in labs}, "packs": told}
    _update(PUBLIC / "labs.json", json.dumps(index).encode() + b"\n")
    files = [name for pack in told.values() for name in (pack["code"], *pack["data"].values())]
    return {PUBLIC / name for name in ("labs.json", *files)}


def _packed(labs: Iterable[Lab]) -> Iterator[tuple[str, list[str]]]:
    """Whatever has a pack, and the modules that it is for, beside what they import."""
    for lab in labs:
        if "browser" in lab.runs_on:
            yield lab.module, [lab.module]
    folder = WASM.joinpath(*MODELS.split("."))
    for model in pkgutil.iter_modules([str(folder)], f"{MODELS}."):
        parts = pkgutil.walk_packages([str(folder / model.name.rpartition(".")[2])], f"{model.name}.")
        yield model.name, [model.name, *(part.name for part in parts)]


def _files(*modules: str) -> dict[str, Path]:
    """The sources of modules and of what they import, and what makes packages of the folders that these lie in."""
    found = {path for module in modules for path in sources(module).values()}
    found |= {folder / "__init__.py" for path in found for folder in path.relative_to(WASM).parents[:-1]}
    return {path.relative_to(WASM).as_posix(): path for path in sorted(WASM / each for each in found)}


def _write_pack(module: str, files: dict[str, Path]) -> dict[str, Any]:
    texts = {name: path.read_text("utf-8") for name, path in files.items()}
    data = {
        (Path(name).parent / each.name).as_posix(): _hashed(each.stem, each.read_bytes(), each.suffix)
        for name, text in texts.items()
        for each in sorted(files[name].parent.iterdir())
        if each.suffix in DATA and each.name in text
    }
    code = json.dumps(texts, ensure_ascii=False).encode()
    return {"code": _hashed(module, code, ".json"), "data": data}


def _hashed(name: str, data: bytes, suffix: str) -> str:
    """Writes a file that has a hash in its name, and returns its name."""
    path = _update(PUBLIC / "packs" / f"{name}.{hashlib.sha256(data).hexdigest()[:12]}{suffix}", data)
    return path.relative_to(PUBLIC).as_posix()


def write_sources(labs: Iterable[Lab]) -> set[Path]:
    return {_update(PUBLIC / f"{lab.id}.sources.json", _sources(lab)) for lab in labs}


def _sources(lab: Lab) -> bytes:
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
    return json.dumps(told, ensure_ascii=False).encode() + b"\n"


def write_notebooks(labs: Iterable[Lab]) -> set[Path]:
    """A lab on a reader's device has none: a notebook has no page that could lend it one."""
    made = set()
    for lab in labs:
        if lab.on_device:
            continue
        text = dumps(lab)
        if version(lab.module) == lab.version:  # else it was saved again, and this is another's code under its name
            made.add(_update(_notebook(lab), text.encode()))
    return made


def write_single_file() -> set[Path]:
    """The bench for any machine, as a script and as a notebook."""
    lab = find()[LAB]
    path = PUBLIC / lab.id / "bench_this_machine"
    made = {".py": single_file.script(lab), ".ipynb": single_file.dumps(lab)}
    return {_update(path.with_suffix(suffix), text.encode()) for suffix, text in made.items()}


def without_notebook(labs: Iterable[Lab]) -> list[Lab]:
    """Those that have none, or that of another version."""
    return [
        lab
        for lab in labs
        if not (path := _notebook(lab)).is_file() or f"`{lab.version}`" not in path.read_text("utf-8")
    ]


def _notebook(lab: Lab) -> Path:
    return PUBLIC / f"{lab.id}.ipynb"


def _annotated_types() -> dict[str, Path]:
    """The one library that labs need besides NumPy; its licence asks to travel along."""
    files = importlib.metadata.files("annotated_types") or ()
    kept = [file for file in files if file.suffix == ".py" and not file.name.startswith("test_")]
    kept += [file for file in files if file.name == "LICENSE"]
    return {f"annotated_types/{file.name}": Path(str(file.locate())) for file in kept}


def _update(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_bytes() != data:
        part = path.with_suffix(path.suffix + ".part")
        part.write_bytes(data)
        part.replace(path)
    return path


if __name__ == "__main__":
    sys.exit(main())

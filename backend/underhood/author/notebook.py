"""A lab as a Jupyter notebook that runs anywhere: the lab is a cell to read and to change, and what it imports of
ours travels along. Nothing of Underhood has to be installed, only what the lab itself is about.
"""

from __future__ import annotations

import ast
import base64
import importlib
import importlib.metadata
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from labs import contract
from labs.discover import Lab, sources

OURS = ("labs", "native", "underhood", "annotated_types")
ON_A_GPU = {"cuda": "cuda-bindings", "triton": "triton"}  # installed where there is one
DATA = {".npz", ".json", ".pem"}
KERNELS = Path(contract.__file__).parents[1] / "kernels"

SETUP = """\
# What the lab imports of Underhood is written into a folder of its own, from which Python then imports it.
import base64
import sys
import tempfile
from pathlib import Path

HERE = Path(tempfile.mkdtemp(prefix="underhood-"))
sys.path.insert(0, str(HERE))


def keep(name, content):
    path = HERE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)"""

RUN = """\
events = list(run(params))
for number, event in enumerate(events, 1):
    print(f"{number:4}  {event.text}")"""

SHOW = """\
# Every event is a whole picture: the last one holds all that is known at the end.
from dataclasses import fields

for field in fields(events[-1]):
    print(f"{field.name:24} {getattr(events[-1], field.name)}")"""

PLOT = """\
# Its rows of numbers, drawn if matplotlib is there.
import importlib.util

if importlib.util.find_spec("matplotlib"):
    import matplotlib.pyplot as plt

    rows = {f.name: getattr(events[-1], f.name) for f in fields(events[-1])}
    rows = {name: row for name, row in rows.items() if getattr(row, "ndim", 0) == 1 and row.size > 1}
    figure, axes = plt.subplots(max(1, len(rows)), figsize=(8, 2 * max(1, len(rows))), squeeze=False)
    for axis, (name, row) in zip(axes.flat, rows.items()):
        axis.plot(row)
        axis.set_title(name)
    figure.tight_layout()
else:
    print("pip install matplotlib, and run this cell again.")"""


def notebook(lab: Lab) -> dict[str, Any]:
    """A notebook (nbformat 4.5) with the lab's default parameters, in a cell tagged ``parameters``."""
    own, *others = sources(lab.module).values()
    source = own.read_text("utf-8")
    cells = [
        markdown("about", about(lab, [source, *(path.read_text("utf-8") for path in others)])),
        code("setup", SETUP, hidden=True),
        *(code(identifier(name), text, hidden=True) for name, text in carried(own, others)),
        markdown(
            "lab", f"## The lab\n\n`{lab.id}`, version `{lab.version}`. Change it, and run what follows again."
        ),
        code("source", source),
        markdown("run", "## A run\n\nParameters in, events out."),
        code("parameters", given(lab.params()), tags=["parameters"]),
        code("events", RUN),
        code("last", SHOW),
        code("plot", PLOT),
    ]
    return of_cells(cells)


def of_cells(cells: list[dict[str, Any]]) -> dict[str, Any]:
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def dumps(lab: Lab) -> str:
    return json.dumps(notebook(lab), ensure_ascii=False, indent=1) + "\n"


def about(lab: Lab, texts: list[str]) -> str:
    needs = sorted({need for text in texts for need in libraries(text)})
    return (
        f"# {lab.title}\n\n{lab.summary[0].upper()}{lab.summary[1:]}\n\n"
        "This notebook is one lab of Underhood, a living textbook of what happens below the Python API. It needs "
        f"Python 3.11 or newer and this:\n\n```\npip install {' '.join(needs)}\n```"
    )


@cache
def libraries(source: str) -> frozenset[str]:
    """What has to be installed for a source file, by the names under which it is installed."""
    return frozenset(_libraries(source))


def _libraries(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
        for name in {each.partition(".")[0] for each in names}:
            if name not in sys.stdlib_module_names and name not in OURS:
                yield ON_A_GPU.get(name) or distributions()[name][0]


@cache
def distributions() -> Mapping[str, list[str]]:
    """Under which name a package is installed. Asking reads the lists of all installed files."""
    return importlib.metadata.packages_distributions()


def carried(own: Path, others: list[Path]) -> Iterator[tuple[str, str]]:
    """Cells that write what the lab imports; the lab itself is a cell, and its file is there for its parts."""
    for name, content in travelling(own, others).items():
        text = literal("") if name == _inside(own) else written(content)
        yield name, f"keep({name!r}, {text})"


def travelling(own: Path, others: Iterable[Path]) -> dict[str, str | bytes]:
    """Our own modules by their places, the data that they read, and the one small library of the contract."""
    others = list(others)
    texts = [path.read_text("utf-8") for path in (own, *others)]
    # Whole packages, else others of the same name that are installed would be found before them.
    packages = {parent / "__init__.py" for path in others for parent in path.parents if parent.name != "models"}
    found: dict[str, str | bytes] = {
        _inside(path): path.read_text("utf-8")
        for path in sorted({*others, *(one for one in packages if one.is_file())})
    }
    for folder in sorted({path.parent for path in others}):
        found |= {_inside(path): path.read_bytes() for path in _named(folder, DATA, texts)}
    kernels = _named(KERNELS, {".c", ".cc", ".cu"}, texts)
    for path in (*kernels, *_named(KERNELS, {".h"}, [*texts, *(each.read_text("utf-8") for each in kernels)])):
        found[f"kernels/{path.name}"] = path.read_text("utf-8")
    return found | library("annotated_types")


def library(name: str) -> dict[str, str | bytes]:
    """A small library that travels along, with its licence, which asks to."""
    files = importlib.metadata.files(name) or ()
    module = Path(str(importlib.import_module(name).__file__))
    inside = f"{name}/__init__.py" if module.name == "__init__.py" else module.name
    licence = next(file for file in files if file.name == "LICENSE")
    return {inside: module.read_text("utf-8"), f"{name}-LICENSE": licence.read_text()}


def written(content: str | bytes) -> str:
    """What Python reads back as the content of a file."""
    if isinstance(content, str):
        return literal(content)
    return f'base64.b64decode("""\n{base64.encodebytes(content).decode()}""")'


def _named(folder: Path, suffixes: set[str], texts: list[str]) -> list[Path]:
    """Files of a folder that are spoken of by name."""
    files = (path for path in sorted(folder.iterdir()) if path.suffix in suffixes)
    return [path for path in files if any(path.name in text for text in texts)]


def _inside(path: Path) -> str:
    """A file's place below the folder that Python imports our packages from."""
    package = next(parent for parent in path.parents if parent.name in OURS)
    return path.relative_to(package.parent).as_posix()


def literal(text: str) -> str:
    """A text as Python would read it back, in lines where that is possible."""
    raw = "'''" not in text and not text.endswith(("\\", "'"))
    return f"r'''{text}'''" if raw else repr(text)


def given(params: Any) -> str:
    lines = "".join(f"    {name}={value!r},\n" for name, value in asdict(params).items())
    return f"params = Params(\n{lines})"


def identifier(name: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in name)[-64:]


def markdown(name: str, text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": text.splitlines(keepends=True)}


def code(name: str, text: str, *, hidden: bool = False, tags: list[str] | None = None) -> dict[str, Any]:
    metadata: dict[str, Any] = {"tags": tags} if tags else {}
    if hidden:
        metadata["jupyter"] = {"source_hidden": True}
    made: dict[str, Any] = {
        "cell_type": "code",
        "execution_count": None,
        "id": name,
        "metadata": metadata,
        "outputs": [],
    }
    return made | {"source": text.splitlines(keepends=True)}

"""The bench as one file that measures any machine: the lab's own sources, and ``underhood.measure``, which runs it.

Both the script and the notebook write the sources into a folder of their own and import them from there, as the
notebook of any lab does. So there is no second bench: what is measured elsewhere is measured by the same lines, and
says the same version.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path

from labs.discover import Lab, sources

from underhood.author import notebook
from underhood.author.notebook import code, markdown, travelling, written

DRIVER = "underhood.measure"
BESIDE = (
    "underhood.machine.environment",
    "underhood.machine.hardware",
    "underhood.machine.measured_file",
    "underhood.machine.provenance",
    "labs.discover",
    DRIVER,
)
CARRIED = ("threadpoolctl",)  # of what the lab needs besides NumPy; small, and in Python alone

OPENING = '''\
#!/usr/bin/env python3
"""{about}"""

import sys

if sys.version_info < (3, 11):
    sys.exit(f"Python 3.11 or newer is needed; this is {{sys.version.split()[0]}}.")

import atexit
import importlib.util
import shutil
import tempfile
from pathlib import Path

if not importlib.util.find_spec("numpy"):
    sys.exit("NumPy is needed: pip install numpy")

# The sources of the lab are written into a folder of its own, which is gone afterwards.
HERE = Path(tempfile.mkdtemp(prefix="underhood-"))
atexit.register(shutil.rmtree, HERE, ignore_errors=True)
sys.path.insert(0, str(HERE))


def keep(name, content):
    path = HERE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode())


'''

CLOSING = """

tempfile.tempdir = str(HERE)  # what is compiled lies there, too

from underhood.machine.environment import restart_without_tuning
from underhood.measure import main

if __name__ == "__main__":
    restart_without_tuning()
    sys.exit(main())
"""


def script(lab: Lab) -> str:
    about = f"{_about()}\nMade of {lab.id}, version {lab.version}, of Underhood.\n"
    kept = "\n".join(f"keep({name!r}, {written(content)})" for name, content in _files(lab).items())
    return OPENING.format(about=about) + kept + CLOSING


def dumps(lab: Lab) -> str:
    """The same as a notebook (nbformat 4.5)."""
    cells = [
        markdown("about", f"# Measure this machine\n\n{_about()}\n\n`{lab.id}`, version `{lab.version}`."),
        code("setup", notebook.SETUP, hidden=True),
        *(
            code(notebook.identifier(name), f"keep({name!r}, {written(content)})", hidden=True)
            for name, content in _files(lab).items()
        ),
        markdown("run", "## Measure\n\nThe options are those of the script; `--help` lists them."),
        code("measure", 'from underhood.measure import main\n\nmain(["--out", "bench.json"])', tags=["parameters"]),
    ]
    return json.dumps(notebook.of_cells(cells), ensure_ascii=False, indent=1) + "\n"


def _about() -> str:
    return (importlib.import_module(DRIVER).__doc__ or "").strip()


def _files(lab: Lab) -> dict[str, str | bytes]:
    own, *others = sources(lab.module).values()
    beside = [Path(str(importlib.import_module(name).__file__)) for name in BESIDE]
    files = travelling(own, [own, *others, *beside])
    for name in CARRIED:
        files |= notebook.library(name)
    return files

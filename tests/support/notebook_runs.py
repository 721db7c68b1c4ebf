"""A lab's default run as its notebook makes it. A lab that measures takes seconds for that, so this run is its only
one in all tests that hold for every lab: it is kept on disk, where both workers find it."""

from __future__ import annotations

import fcntl
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from labs.discover import Lab
from native.models.kernel import caches
from underhood.author.notebook import notebook

PACK = "\nimport json\nfrom labs.contract import pack\nprint(); print(json.dumps([pack(e) for e in events]))"


def printed(lab: Lab, kept: Path) -> list[str]:
    """The lines that the notebook prints where nothing of ours is installed; the last is its events as JSON.

    ``kept`` is a folder of this session that all workers share.
    """
    folder = kept / lab.id.replace("/", ".")
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # until the file is closed
        output = folder / "output.txt"
        if not output.exists():
            output.write_text(_run(lab, folder, caches(kept)), "utf-8")
    return output.read_text("utf-8").splitlines()


def events(lab: Lab, kept: Path) -> list[dict[str, Any]]:
    """The packed events of that run."""
    found: list[dict[str, Any]] = json.loads(printed(lab, kept)[-1])
    return found


def _run(lab: Lab, folder: Path, compiler: dict[str, str]) -> str:
    """``compiler`` says where C compilers find what another notebook had made of their own libraries."""
    start = _outside(folder, lab)
    (folder / "run.py").write_text(start + _script(notebook(lab)), "utf-8")
    gone = subprocess.run([sys.executable, "-I", "-S", "-c", start + "import labs"], capture_output=True)
    assert gone.returncode, "labs would be found without the notebook"
    command = [sys.executable, "-I", "-S", "-W", "error", "run.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, **compiler})
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def _script(made: dict[str, Any]) -> str:
    """The code cells one after the other, each compiled by itself, as a notebook's kernel does."""
    cells = ["".join(cell["source"]) for cell in made["cells"] if cell["cell_type"] == "code"]
    each = (f"exec(compile({cell!r}, 'cell', 'exec', dont_inherit=True), globals())" for cell in [*cells, PACK])
    return "\n".join(each)


def _outside(folder: Path, lab: Lab) -> str:
    """A Python's start: its standard library and what a reader has installed, without any package of ours."""
    site = Path(str(importlib.util.find_spec("numpy").submodule_search_locations[0])).parent  # type: ignore
    if lab.module.startswith("native."):
        return f"import sys; sys.path.append({str(site)!r})\n"  # editable installs are found by `site` alone
    for name in ("numpy", "numpy.libs"):
        if (site / name).exists():
            (folder / name).symlink_to(site / name)
    return f"import sys; sys.path.append({str(folder)!r})\n"

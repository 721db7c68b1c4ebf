"""A lab's default run as its notebook makes it. A lab that measures takes seconds for that, so this run is its only
one in all tests that hold for every lab: it is kept on disk, where both workers find it."""

from __future__ import annotations

import atexit
import fcntl
import importlib.util
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from labs.discover import Lab
from native.models.kernel import caches
from underhood.author.notebook import notebook

PYTHON = (sys.executable, "-I", "-S", "-W", "error")
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
            output.write_text(_run(lab, folder, kept), "utf-8")
    return output.read_text("utf-8").splitlines()


def events(lab: Lab, kept: Path) -> list[dict[str, Any]]:
    """The packed events of that run."""
    found: list[dict[str, Any]] = json.loads(printed(lab, kept)[-1])
    return found


def _run(lab: Lab, folder: Path, kept: Path) -> str:
    start = _outside(folder, lab)
    _refuse_ours(start)
    (folder / "run.py").write_text(start + _script(notebook(lab)), "utf-8")
    if lab.module.startswith("native."):
        status = _forks(start, kept).run(folder)
    else:
        with (folder / "stdout").open("w") as out, (folder / "stderr").open("w") as err:
            run = subprocess.run([*PYTHON, "run.py"], cwd=folder, stdout=out, stderr=err, env=_env(kept))
            status = run.returncode
    assert status == 0, (folder / "stderr").read_text("utf-8")[-2000:]
    return (folder / "stdout").read_text("utf-8")


def _env(kept: Path) -> dict[str, str]:
    """With the place where C compilers find what another notebook had made of their own libraries."""
    return {**os.environ, **caches(kept)}


@cache
def _refuse_ours(start: str) -> None:
    gone = subprocess.run([*PYTHON, "-c", start + "import labs"], capture_output=True)
    assert gone.returncode, "labs would be found without the notebook"


FORKS = """
import os, runpy, torch
for folder in sys.stdin:
    if child := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    os.chdir(folder.strip())
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, name in enumerate(("stdout", "stderr"), 1):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    runpy.run_path("run.py", run_name="__main__")
    break
"""


class _Forks:
    """Processes of a Python that has read in PyTorch, which takes seconds, and nothing else."""

    def __init__(self, start: str, env: dict[str, str]) -> None:
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.python = subprocess.Popen([*PYTHON, "-c", start + FORKS], env=env, **pipes)
        atexit.register(self.end)

    def run(self, folder: Path) -> int:
        """The status of that folder's run.py."""
        assert self.python.stdin and self.python.stdout
        print(folder, file=self.python.stdin, flush=True)
        return int(self.python.stdout.readline())

    def end(self) -> None:
        self.python.communicate()  # it ends with its input


@cache
def _forks(start: str, kept: Path) -> _Forks:
    return _Forks(start, _env(kept))


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

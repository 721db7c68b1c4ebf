"""Which modules of ours a change makes old: those whose files it changed, and all that import them."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE = (ROOT / "wasm", ROOT / "backend")
READ = (".npz", ".json")  # what our code reads when it is imported, beside its modules
OURS = {"labs", "native", "underhood", "pack_labs"}

Files = dict[str, tuple[int, int]]


def files() -> Files:
    """What our code consists of and reads, by its path, each with what is another once it is saved again."""
    found: Files = {}
    for root in CODE:
        for folder, below, names in os.walk(root):
            below[:] = [name for name in below if name != "__pycache__"]
            for name in names:
                if name.endswith((".py", *READ)):
                    with suppress(FileNotFoundError):  # an editor's own, gone already
                        stat = os.stat(path := os.path.join(folder, name))
                        found[path] = stat.st_mtime_ns, stat.st_size
    return found


def differing(before: Files, now: Files) -> set[str]:
    """What was saved again, made or deleted in between."""
    return {path for path in before.keys() | now.keys() if before.get(path) != now.get(path)}


@dataclass(frozen=True)
class Module:
    """One of ours that is loaded."""

    file: str
    needs: set[str]  # the modules of ours that it imports, and the packages that it is in


def loaded() -> dict[str, Module]:
    """All of ours, by their names. What they import is read off their sources, as labs.discover does it: a module
    that is only mentioned counts as imported."""
    from labs.discover import IMPORT

    ours = {name: each for name, each in sys.modules.items() if name.partition(".")[0] in OURS}
    found = {}
    for name, module in ours.items():
        path = Path(module.__file__ or "").resolve()
        needs = {name.rpartition(".")[0]}
        for of, names in IMPORT.findall(path.read_text("utf-8")) if path.is_file() else ():
            needs |= {of, *(f"{of}.{inner}" for inner in re.findall(r"\w+", names))}
        found[name] = Module(str(path), needs & ours.keys())
    return found


def old(changed: set[str], modules: dict[str, Module]) -> set[str]:
    """The modules that came from these files, and all that import them, directly or not."""
    found = {name for name, module in modules.items() if module.file in changed}
    while more := {name for name, module in modules.items() if module.needs & found} - found:
        found |= more
    return found


def forget(names: Iterable[str]) -> None:
    """The next import of these modules reads them anew."""
    for name in names:
        del sys.modules[name]
        package, _, inner = name.rpartition(".")
        if package in sys.modules:  # `from package import inner` looks there first
            vars(sys.modules[package]).pop(inner, None)

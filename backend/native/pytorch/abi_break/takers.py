"""Which Pythons take a file: their importers by the end of its name, pip by the tags of a wheel."""

from __future__ import annotations

import sysconfig
import tempfile
from importlib.machinery import ExtensionFileLoader, FileFinder
from pathlib import Path

from packaging.tags import Tag, cpython_tags

from native.pytorch.abi_break import module
from native.pytorch.abi_break.pictures import Taker

PYTHONS = tuple((3, minor) for minor in range(10, 15))
PLATFORM = sysconfig.get_platform().replace("-", "_").replace(".", "_")


def tag(file: str, of: tuple[int, int]) -> Tag:
    """Of a wheel with this file; a stable one says the oldest Python that it is for."""
    if file.endswith(".abi3.so"):
        return Tag(f"cp{module.LIMIT[0]}{module.LIMIT[1]}", "abi3", PLATFORM)
    return Tag(f"cp{of[0]}{of[1]}", f"cp{of[0]}{of[1]}", PLATFORM)


def takers(file: str, wheel: Tag) -> list[Taker]:
    return [
        Taker(f"{major}.{minor}", finds(file, (major, minor)), installs(wheel, (major, minor)))
        for major, minor in PYTHONS
    ]


def finds(file: str, python: tuple[int, int]) -> bool:
    """By the importer itself, given the suffixes of that Python."""
    suffixes = [module.suffix(python), ".abi3.so", ".so"]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / file).touch()
        return FileFinder(folder, (ExtensionFileLoader, suffixes)).find_spec(module.NAME) is not None


def installs(wheel: Tag, python: tuple[int, int]) -> bool:
    return wheel in cpython_tags(python, [f"cp{python[0]}{python[1]}"], [PLATFORM])

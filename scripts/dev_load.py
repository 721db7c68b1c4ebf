"""Load our code, and say of it what an author and the pages have to know."""

from __future__ import annotations

import importlib
import json
import linecache
import os
import sys
import traceback
from pathlib import Path
from typing import Any

from dev_modules import CODE, ROOT


def load(told: Path) -> dict[str, Any]:
    """The labs as they lie there; none, and a word in the terminal, if any of our code does not load.

    What there is to say for frontend/src/build/live-labs.ts lies beside ``told``, which is what was said before.
    """
    sys.dont_write_bytecode = told.exists()  # a file saved twice within a second would be taken for its older self
    importlib.invalidate_caches()
    linecache.clearcache()
    before = json.loads(told.read_text("utf-8"))["versions"] if told.exists() else {}
    labs: dict[str, Any] = {}
    try:
        labs, changed = _read(before)
        said = {"versions": {lab.id: lab.version for lab in labs.values()}, "changed": changed, "problem": None}
    except (Exception, SystemExit) as error:
        said = {"versions": before, "changed": [], "problem": (problem := problem_of(error))}
        print(
            f"\n{problem['where']}: {problem['message']}\n{problem['frame']}\nMend it and save; nothing restarts.\n"
        )
    draft(told).write_text(json.dumps(said), "utf-8")
    return labs


def draft(told: Path) -> Path:
    return told.with_suffix(".part")


def _read(before: dict[str, str]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The labs, and what those say of themselves whose version is another than before. Packs them, too."""
    import pack_labs
    import underhood.web.app  # noqa: F401  # what does not load must not take over
    from labs.discover import find
    from underhood.author.generate import given

    labs = find()
    changed = [given(lab) for lab in labs.values() if before.get(lab.id) != lab.version]
    pack_labs.write_packs(labs.values())
    pack_labs.write_sources(labs.values())
    return labs, changed


def problem_of(error: BaseException) -> dict[str, Any]:
    """What went wrong, and where in our own code: where a SyntaxError or a broken contract points, or the last line
    of ours that was reached."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [(frame.filename, frame.lineno or 1) for frame in frames]
    places.append((getattr(error, "filename", None) or "", getattr(error, "lineno", None) or 1))
    ours = [place for place in places if any(Path(place[0]).is_relative_to(root) for root in CODE)]
    if not ours:
        traceback.print_exception(error)
    file, line = ours[-1] if ours else places[0]
    near = range(max(1, line - 2), line + 3)
    lines = [(number, linecache.getline(file, number).rstrip()) for number in near]
    words = getattr(error, "msg", "") or str(error)
    return {
        "file": file,
        "line": line,
        "where": f"{os.path.relpath(file, ROOT)}:{line}",
        "message": f"{type(error).__name__}: {words}",
        "frame": "\n".join(f"{'>' if number == line else ' '} {number:4} | {text}" for number, text in lines),
    }

"""The backend of ``make dev``: every change is tried in a fork, and only what loads takes over.

The process that forks holds what is slow to import and nothing of ours, so a fork reads our code anew in a fraction
of a second. All forks answer at one socket, which stays open in between: a page never finds nobody there.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import linecache
import os
import select
import signal
import socket
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CODE = (ROOT / "wasm", ROOT / "backend")
SLOW = (
    "numpy.typing",
    "pydantic.dataclasses",
    "pydantic.v1",
    "fastapi.sse",
    "uvicorn.lifespan.on",
    "uvicorn.loops.auto",
    "uvicorn.protocols.http.auto",
    "uvicorn.protocols.websockets.auto",
    "starlette.staticfiles",
    "starlette.middleware.gzip",
    "sqlite3",
    "rich.progress",
)
PATIENCE_S = 30  # for code to load: a loop that never ends must not keep an author waiting for ever


class Backend:
    """The server that runs now, if any, and the way to a newer one."""

    def __init__(self, listener: socket.socket, told: Path) -> None:
        self.listener = listener
        self.told = told  # what frontend/src/build/live-labs.ts reads
        self.pid = 0
        for thing in SLOW:
            importlib.import_module(thing)

    def renew(self, stop: threading.Event) -> None:
        """Try the code as it lies there. If it loads, it takes over; if not, what ran before goes on."""
        sys.stdout.flush()
        ready, say = os.pipe()
        if not (pid := os.fork()):
            try:
                os.setsid()
                os.close(ready)
                become(self.listener, self.told, say)
            finally:
                os._exit(1)
        os.close(say)
        loaded = _hear(ready, stop)
        os.close(ready)
        if loaded:
            self.close()
            self.pid = pid
        else:
            end(pid)
        with contextlib.suppress(FileNotFoundError):  # it was ended before it could say anything
            _draft(self.told).replace(self.told)

    def close(self) -> None:
        if self.pid:
            end(self.pid)
        self.pid = 0


def _hear(ready: int, stop: threading.Event) -> bool:
    give_up = time.monotonic() + PATIENCE_S
    while not stop.is_set():
        if select.select([ready], [], [], 0.1)[0]:
            return bool(os.read(ready, 1))
        if time.monotonic() > give_up:
            print(f"The labs did not load within {PATIENCE_S} s: does one of them loop when it is imported?")
            break
    return False


def end(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)  # nothing here is worth a farewell; streams are taken up again
    os.waitpid(pid, 0)


def _draft(told: Path) -> Path:
    return told.with_suffix(".part")


def become(listener: socket.socket, told: Path, say: int) -> None:
    """In the fork: load, tell, serve."""
    sys.dont_write_bytecode = told.exists()  # a file saved twice within a second would be taken for its older self
    importlib.invalidate_caches()
    gc.disable()  # nothing that is loaded here is thrown away again
    before = json.loads(told.read_text("utf-8"))["versions"] if told.exists() else {}
    try:
        labs, said = load(before)
    except Exception as error:
        problem = problem_of(error)
        print(
            f"\n{problem['where']}: {problem['message']}\n{problem['frame']}\nMend it and save; nothing restarts.\n"
        )
        sys.stdout.flush()
        said = {"versions": before, "changed": [], "problem": problem}
        _draft(told).write_text(json.dumps(said), "utf-8")
        return
    _draft(told).write_text(json.dumps(said), "utf-8")
    gc.enable()
    os.write(say, b".")
    changed = [labs[given["id"]] for given in said["changed"]]
    threading.Thread(target=importlib.import_module("pack_labs").write_notebooks, args=[changed]).start()
    serve(listener, labs)


def load(before: dict[str, str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The labs, and what there is to say of those whose version is another than before. Packs them, too."""
    import pack_labs
    from labs.discover import find
    from underhood.generate import given

    labs = find()
    changed = [given(lab) for lab in labs.values() if before.get(lab.id) != lab.version]
    pack_labs.write_archive()
    return labs, {
        "versions": {lab.id: lab.version for lab in labs.values()},
        "changed": changed,
        "problem": None,
    }


def serve(listener: socket.socket, labs: dict[str, Any]) -> None:
    import uvicorn
    from underhood.app import create_app
    from underhood.logs import LOGGING

    config = uvicorn.Config(create_app(labs=labs), log_config=LOGGING, access_log=False, lifespan="on")
    uvicorn.Server(config).run(sockets=[listener])


def problem_of(error: Exception) -> dict[str, Any]:
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

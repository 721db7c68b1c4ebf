"""Serve with hot reload: ``astro dev`` for articles and figures, the backend beside it, restarted on a change.

A change of a lab also repacks what Pyodide gets and regenerates the types, so that the browser, the server and
the editor agree at once. Ctrl-C stops everything.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event
from typing import Any

import pack_labs
from watchfiles import PythonFilter, watch

ROOT = Path(__file__).resolve().parent.parent
NODE = Path(sys.executable).with_name("node")
ASTRO = [str(NODE), "node_modules/astro/bin/astro.mjs", "dev", "--port"]
BACKEND = [sys.executable, "-m", "underhood", "serve", "--port"]
CONTRACT = [sys.executable, "-m", "underhood.generate"]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--port", default="4321", help="of the pages")
    parser.add_argument("--backend-port", default="8000")
    asked = parser.parse_args()
    os.environ["UNDERHOOD_BACKEND"] = f"http://127.0.0.1:{asked.backend_port}"  # frontend/astro.config.ts
    stop = Event()
    signal.signal(signal.SIGINT, lambda *_: stop.set())
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    pack_labs.main()
    subprocess.run(CONTRACT, check=False)  # before the first page asks for it
    with child([*ASTRO, asked.port], ROOT / "frontend") as site:
        changes = watch(
            ROOT / "backend",
            ROOT / "wasm",
            watch_filter=PythonFilter(extra_extensions=(".npz",)),
            debounce=200,
            step=20,
            rust_timeout=1000,
            yield_on_timeout=True,  # so that a site that died is noticed
            stop_event=stop,
        )
        changed: set[Any] = set()
        while site.poll() is None and not stop.is_set():
            with child([*BACKEND, asked.backend_port], ROOT, signal.SIGKILL), refreshing(changed):
                changed = next((found for found in changes if found or site.poll() is not None), set())
            if changed:
                print("changed:", ", ".join(sorted({str(Path(path).relative_to(ROOT)) for _, path in changed})))
    return 0 if stop.is_set() else 1


@contextmanager
def refreshing(changed: set[Any]) -> Iterator[None]:
    """What is made of the labs, made beside the backend that starts; given up if they change again meanwhile.

    A half-typed lab fails here and is mended by the next change.
    """
    if not changed:
        yield
        return
    pack_labs.main()
    with child(CONTRACT, ROOT):
        yield


@contextmanager
def child(command: list[str], folder: Path, *hows: signal.Signals) -> Iterator[subprocess.Popen[bytes]]:
    """A process and its children, gone, politely or not, when the block ends."""
    # Its own session: Ctrl-C comes to us alone, and we stop the groups in order (node is started by a wrapper).
    process = subprocess.Popen(command, cwd=folder, start_new_session=True)
    try:
        yield process
    finally:
        for how in hows or (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, how)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=5)


if __name__ == "__main__":
    sys.exit(main())

"""Serve with hot reload: ``astro dev`` for articles and figures, and beside it the backend, renewed on a change.

A change of a lab also repacks what Pyodide gets and regenerates the types, so that the browser, the server and
the editor agree at once. Ctrl-C stops everything.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event

from dev_backend import Backend
from dev_modules import CODE, ROOT, differing, files
from watchfiles import watch

NODE = Path(sys.executable).with_name("node")
ASTRO = [str(NODE), "node_modules/astro/bin/astro.mjs", "dev", "--port"]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--port", default="4321", help="of the pages")
    parser.add_argument("--backend-port", type=int, default=8000)
    asked = parser.parse_args()
    stop = Event()
    signal.signal(signal.SIGINT, lambda *_: stop.set())
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    # Importing torch anew after every change would take longer than the change; a lab that needs it does it itself.
    os.environ.setdefault("UNDERHOOD_PRELOAD", "numpy")
    with (
        tempfile.TemporaryDirectory() as folder,
        socket.create_server(("127.0.0.1", asked.backend_port)) as listener,
        closing(Backend(listener, Path(folder) / "labs.json")) as backend,
    ):
        # Both are read by frontend/astro.config.ts.
        os.environ["UNDERHOOD_BACKEND"] = f"http://127.0.0.1:{listener.getsockname()[1]}"
        os.environ["UNDERHOOD_TOLD"] = str(backend.told)
        with child([*ASTRO, asked.port], ROOT / "frontend") as site:
            known = files()
            backend.renew(stop)
            changes = watch(
                *CODE,
                debounce=200,
                step=20,
                rust_timeout=1000,
                yield_on_timeout=True,  # so that a site that died is noticed, and a change that was not told
                stop_event=stop,
            )
            for _ in changes:
                if site.poll() is not None:
                    break
                # What is saved while earlier changes are handed over can be lost: the files themselves are asked.
                before, known = known, files()
                if changed := differing(before, known):
                    print("changed:", ", ".join(sorted(os.path.relpath(path, ROOT) for path in changed)))
                    backend.renew(stop)
    return 0 if stop.is_set() else 1


@contextmanager
def child(command: list[str], folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process and its children, gone, politely or not, when the block ends."""
    # Its own session: Ctrl-C comes to us alone, and we stop the groups in order (node is started by a wrapper).
    process = subprocess.Popen(command, cwd=folder, start_new_session=True)
    try:
        yield process
    finally:
        for how in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, how)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=5)


if __name__ == "__main__":
    sys.exit(main())

"""How soon an author sees what was saved, under `make dev`, in a copy of the tree: nothing here is touched."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPException
from pathlib import Path

from playwright.sync_api import Page

from .browser import chromium
from .stats import Result

ROOT = Path(__file__).resolve().parents[2]
BAR_S = 1.0
TIMES = 5
PATIENCE_S = 120
ARTICLE = "content/learning/03-quantization.mdx"
FIGURE = "frontend/src/figures/learning/number_line.svelte"
LAB = "wasm/labs/learning/number_line.py"
PAGE = "/learning/quantization/"
KEY = "number_line"


def dev() -> list[Result]:
    with tempfile.TemporaryDirectory() as folder:
        copy(Path(folder))
        with developing(Path(folder)) as (site, backend), chromium() as browser:
            page = browser.new_page()
            page.set_default_timeout(PATIENCE_S * 1000)
            page.goto(site + PAGE)
            page.locator(f"#{KEY}").scroll_into_view_if_needed()  # it wakes where it is seen
            found = measure(page, Path(folder), backend)
            page.close()
    return found


def measure(page: Page, root: Path, backend: str) -> list[Result]:
    figure = page.locator(f"#{KEY}")
    live = page.locator(f"#{KEY}[data-live]")

    def title(mark: str) -> str:
        return f"The number line{mark}"

    def answers(mark: str) -> None:
        while title(mark) not in ask(f"{backend}/api/labs"):
            time.sleep(0.01)

    # what -> file, words in it, the same words marked, what an author waits for
    changes: dict[str, tuple[str, str, Callable[[str], str], Callable[[str], None]]] = {
        "an article": (
            ARTICLE,
            "A small network reads",
            lambda mark: f"A small{mark} network reads",
            lambda mark: page.get_by_text(f"A small{mark} network reads").wait_for(),
        ),
        "a figure": (
            FIGURE,
            "value / s + z",
            lambda mark: f"value{mark} / s + z",
            lambda mark: figure.get_by_text(f"value{mark} / s + z").first.wait_for(),
        ),
        "a lab that computes something else": (
            LAB,
            "Read back, ",
            lambda mark: f"Read back {mark}, ",
            lambda mark: figure.get_by_text(f"Read back {mark}, ").first.wait_for(),
        ),
        "a lab with another contract": (
            LAB,
            "The number line:",
            lambda mark: f"{title(mark)}:",
            lambda mark: figure.get_by_text(title(mark), exact=True).first.wait_for(),
        ),
        "a lab, on the server": (LAB, "The number line:", lambda mark: f"{title(mark)}:", answers),
    }
    results = []
    for what, (path, words, marked, seen) in changes.items():
        file = root / path
        text = file.read_text("utf-8")
        assert words in text, f"{path} no longer says {words}"
        seconds = []
        for turn in range(TIMES + 1):  # the first is warm-up
            live.wait_for()
            page.wait_for_load_state("networkidle")
            time.sleep(1)  # an author reads and types between two saves
            file.write_text(text.replace(words, marked(str(turn))), "utf-8")
            begun = time.perf_counter()
            seen(str(turn))
            seconds.append(time.perf_counter() - begun)
        file.write_text(text, "utf-8")
        time.sleep(2)
        results.append(Result(f"make dev: {what}, after saving", tuple(seconds[1:]), "s", "median", BAR_S))
    return results


@contextmanager
def developing(root: Path) -> Iterator[tuple[str, str]]:
    """`make dev` of that tree on free ports; the addresses of its pages and of its backend."""
    site, backend = free_ports(2)
    code = os.pathsep.join(str(root / part) for part in ("backend", "wasm"))
    command = [sys.executable, "scripts/dev.py", "--port", str(site), "--backend-port", str(backend)]
    with (root / "dev.log").open("w") as log:
        process = subprocess.Popen(
            command, cwd=root, env=os.environ | {"PYTHONPATH": code}, stdout=log, stderr=subprocess.STDOUT
        )
    try:
        addresses = f"http://127.0.0.1:{site}", f"http://127.0.0.1:{backend}"
        deadline = time.perf_counter() + PATIENCE_S
        while not (ask(addresses[0] + PAGE) and ask(f"{addresses[1]}/api/health")):
            if time.perf_counter() > deadline or process.poll() is not None:
                raise RuntimeError(f"make dev did not come up:\n{(root / 'dev.log').read_text('utf-8')}")
            time.sleep(0.1)
        yield addresses
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_S)


def free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        taken = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in taken:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in taken]


def ask(address: str) -> str:
    """What is there; nothing while nobody answers."""
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
            return answer.read().decode()
    except (OSError, HTTPException):  # nobody there, or gone while it spoke
        return ""


def copy(to: Path) -> None:
    """The tree as it stands, with its libraries; those are linked where the disk allows it, as they are large."""
    skip = shutil.ignore_patterns(
        ".git", ".venv", "node_modules", "dist", ".astro", "public", "__pycache__", ".*_cache"
    )
    shutil.copytree(ROOT, to, ignore=skip, dirs_exist_ok=True, symlinks=True)
    caches = shutil.ignore_patterns(".vite", ".cache", ".astro")  # what is made anew, never through a link
    for large in ("frontend/node_modules", "frontend/public"):
        shutil.copytree(ROOT / large, to / large, ignore=caches, copy_function=_link, symlinks=True)


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another disk
        shutil.copy2(source, target)

"""Find a Chromium for the browser tests, or get one; prints its path.

Looked for in this order: $CHROMIUM, the usual names on PATH, the one that Playwright keeps. Got from apt when this
runs as root, or from Playwright. The headless shell comes first: the same engine without a browser around it, which
takes a third less of the processor for the same tests.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"
NAMES = (
    SHELL,
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)


def find() -> str:
    """The path of a Chromium that starts. Exits with what to do when there is none and none can be had."""
    if named := os.environ.get("CHROMIUM"):
        if not _starts(named):
            raise SystemExit(f"CHROMIUM is {named}, which does not start")
        return named
    found = _on_path() or _playwrights()
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        _run("apt-get", "update", "-qq")
        for package in (SHELL, "chromium"):  # not every release has the shell
            _run("apt-get", "install", "-y", "-qq", package)
            if found := _on_path():
                break
    if found is None:
        _run(sys.executable, "-m", "playwright", "install", "chromium")
        found = _playwrights()
    if found is None:
        raise SystemExit("No Chromium: install one with your package manager, or set CHROMIUM to its path.")
    return found


def _on_path() -> str | None:
    paths = (shutil.which(name) for name in NAMES)
    return next((path for path in paths if path and _starts(path)), None)


def _playwrights() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).is_file() and _starts(path) else None


def _starts(path: str) -> bool:
    """Ubuntu's chromium-browser is a stub that only asks for a snap, so being there is not enough."""
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=30, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _run(*command: str) -> None:
    """Run an installer; its failure is not the end, since the next source may have what it had not."""
    subprocess.run(command, check=False, stdout=sys.stderr)


if __name__ == "__main__":
    print(find())

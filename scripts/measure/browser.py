"""A headless Chromium, started the same way for tests and benchmark."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserType, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # scripts are not a package
from find_chromium import find

# Containers have no user namespaces for its sandbox, and nothing may be asked of another host. The shell alone fits
# letters to pixels unless told otherwise, and pictures would differ from a browser's.
FLAGS = (
    "--no-sandbox",
    "--font-render-hinting=none",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# A GPU that the processor emulates: what it computes is right, how long it takes says nothing.
EMULATED_GPU = ("--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan")


# WebAssembly as it is first compiled: to make Python faster takes longer than most of what it is asked for.
UNTUNED = "--js-flags=--liftoff-only"


@contextmanager
def chromium(*more: str) -> Iterator[Browser]:
    """With ``more`` flags than the usual ones."""
    with sync_playwright() as playwright, another(playwright.chromium, *more) as browser:
        yield browser


@contextmanager
def another(kind: BrowserType, *more: str) -> Iterator[Browser]:
    """One more, where one is open already."""
    browser = kind.launch(executable_path=find(), args=[*FLAGS, *more])
    try:
        yield browser
    finally:
        browser.close()

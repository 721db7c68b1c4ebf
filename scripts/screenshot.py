"""Take the picture in the README from the running page: ``make screenshot``."""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from find_chromium import find
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "figure.png"
PAGE = "/learning/quantization/?uniform_quantization.bits=3"
FLAGS = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"]


def main() -> None:
    with socket.socket() as free, tempfile.TemporaryDirectory() as data:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        serve = [sys.executable, "-m", "underhood", "serve", "--port", str(port), "--data", data]
        server = subprocess.Popen(serve)
        try:
            wait_for(f"http://127.0.0.1:{port}/api/health")
            take(f"http://127.0.0.1:{port}{PAGE}")
        finally:
            server.terminate()
            server.wait(timeout=10)
    print(PICTURE.relative_to(ROOT))


def take(url: str) -> None:
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=find(), args=FLAGS) as chromium,
    ):
        page = chromium.new_page(viewport={"width": 1280, "height": 1000}, device_scale_factor=2)
        page.goto(url)
        figure = page.locator("#uniform_quantization figure")
        figure.scroll_into_view_if_needed()
        figure.get_by_text("In your browser").wait_for(timeout=60_000)
        PICTURE.parent.mkdir(exist_ok=True)
        figure.screenshot(path=PICTURE)


def wait_for(url: str, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            urlopen(url, timeout=2)
            return
        except (URLError, ConnectionError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


if __name__ == "__main__":
    main()

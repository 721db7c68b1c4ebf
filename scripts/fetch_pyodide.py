"""Put Pyodide and its NumPy wheel into frontend/public/pyodide, so that the site serves them itself.

The runtime is an npm package; its NumPy wheel is not in it. The wheel comes from the cache, else from the
Pyodide CDN, else out of the PyPI wheel of open-webui, which carries the same file. Wherever it comes from, its
sha256 must be the one in the runtime's own lock file, so the source need not be trusted.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

FRONTEND = Path(__file__).resolve().parent.parent / "frontend"
RUNTIME = FRONTEND / "node_modules" / "pyodide"
PUBLIC = FRONTEND / "public" / "pyodide"
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")

CDN = "https://cdn.jsdelivr.net/pyodide/v{version}/full/{file}"
CARRIER = "open-webui==0.12.4"
CARRIER_SHA256 = "02e9caba96234db3fa17a92e56163b3f7f2b8ca8227fa886b85c178d696483f6"
CARRIER_PATH = "open_webui/frontend/pyodide/{file}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--cache", type=Path, required=True, help="directory that keeps the wheel between checkouts"
    )
    cache: Path = parser.parse_args().cache
    PUBLIC.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        _copy(RUNTIME / name, PUBLIC / name)
    numpy = json.loads((RUNTIME / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"]["numpy"]
    file, sha256 = str(numpy["file_name"]), str(numpy["sha256"])
    kept = cache / file
    if not kept.is_file() or _sha256(kept.read_bytes()) != sha256:
        cache.mkdir(parents=True, exist_ok=True)
        _write(kept, obtain(file, sha256))
    _copy(kept, PUBLIC / file)
    for old in set(PUBLIC.glob("*.whl")) - {PUBLIC / file}:
        old.unlink()  # an earlier Pyodide's wheel would be published for nothing
    return 0


def obtain(file: str, sha256: str) -> bytes:
    """The wheel's bytes from the first source that has the right ones; exits with what each source said."""
    complaints = []
    for name, content in _sources(file):
        try:
            data = content()
        except (OSError, subprocess.CalledProcessError, KeyError, zipfile.BadZipFile) as error:
            complaints.append(f"{name}: {error}")
            continue
        if _sha256(data) == sha256:
            return data
        complaints.append(f"{name}: refused, its sha256 is {_sha256(data)}, pyodide-lock.json says {sha256}")
    raise SystemExit("\n  ".join([f"{file} cannot be had:", *complaints]))


def _sources(file: str) -> Iterator[tuple[str, Callable[[], bytes]]]:
    version = json.loads((RUNTIME / "package.json").read_text(encoding="utf-8"))["version"]
    url = CDN.format(version=version, file=file)
    yield url, lambda: _download(url)
    yield CARRIER, lambda: _out_of_carrier(file)


def _download(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=20) as response:  # one try: the second source is as good
        return bytes(response.read())


def _out_of_carrier(file: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        pinned = Path(folder, "requirements.txt")
        pinned.write_text(f"{CARRIER} --hash=sha256:{CARRIER_SHA256}\n", encoding="utf-8")
        # The carrier is never installed, so the Python version that it asks for is claimed, not needed.
        ask = ["--no-deps", "--only-binary=:all:", "--python-version", "3.12", "--require-hashes"]
        command = [sys.executable, "-m", "pip", "download", "-q", *ask, "-d", folder, "-r", str(pinned)]
        subprocess.run(command, check=True)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            return archive.read(CARRIER_PATH.format(file=file))


def _copy(source: Path, target: Path) -> None:
    """Copy what differs, and leave the rest untouched: its time stamp is what browsers' caches go by."""
    if not target.is_file() or source.read_bytes() != target.read_bytes():
        shutil.copyfile(source, target)


def _write(path: Path, data: bytes) -> None:
    """Write all or nothing: a build cut short must not leave half a wheel in the cache."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_bytes(data)
    part.replace(path)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


if __name__ == "__main__":
    sys.exit(main())

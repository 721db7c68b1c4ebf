"""The scripts behind make: what they fetch is checked, what they pack is the same every time."""

import hashlib
import importlib.util
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
WHEEL = b"the bytes of a wheel"
SHA256 = hashlib.sha256(WHEEL).hexdigest()


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_archive_is_the_same_every_time_and_holds_no_tests() -> None:
    pack = load("pack_labs")
    data = pack.archive()
    assert data == pack.archive()
    names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    assert names == sorted(names)
    assert {"labs/contract.py", "labs/discover.py", "annotated_types/__init__.py"} <= {*names}
    assert not [name for name in names if "/test" in name or "pycache" in name]


def test_packing_writes_only_what_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = load("pack_labs")
    monkeypatch.setattr(pack, "PUBLIC", tmp_path)
    pack.main()
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    pack.main()
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before
    told = json.loads((tmp_path / "labs.json").read_text("utf-8"))
    assert told["sha256"] == hashlib.sha256((tmp_path / "labs.zip").read_bytes()).hexdigest()
    assert told["versions"] == {lab.id: lab.version for lab in pack.find().values()}


def test_the_sources_of_a_lab_tell_its_parts_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = load("pack_labs")
    monkeypatch.setattr(pack, "PUBLIC", tmp_path)
    pack.write_sources(
        [lab for lab in pack.find().values() if lab.id in ("tensors/strides", "learning/number_line")]
    )
    room, file = (
        json.loads((tmp_path / f"{lab}.sources.json").read_text("utf-8"))
        for lab in ("tensors/strides", "learning/number_line")
    )
    wasm = SCRIPTS.parent / "wasm" / "labs"
    names = [Path(each["path"]).stem for each in room]
    assert names[:2] == ["chain", "follow"] and "contract" in names[2:]
    assert [each["part"] for each in room] == [name in names[:2] for name in names]
    assert room[0]["code"] == (wasm / "tensors" / "strides" / "chain.py").read_text("utf-8")
    assert file and not any(each["part"] for each in file)


def test_the_archive_is_all_that_the_labs_need_besides_numpy(tmp_path: Path) -> None:
    """What Pyodide gets is enough: the standard library, NumPy, and the archive, nothing of this environment."""
    import numpy

    zipfile.ZipFile(io.BytesIO(load("pack_labs").archive())).extractall(tmp_path)
    (tmp_path / "numpy").symlink_to(Path(numpy.__file__).parent)
    for libraries in Path(numpy.__file__).parent.parent.glob("numpy.libs"):
        (tmp_path / "numpy.libs").symlink_to(libraries)
    code = f"""
import sys; sys.path.insert(0, {str(tmp_path)!r})
from labs.discover import find
labs = find()
assert all(lab.module.startswith("labs.") for lab in labs.values())
for lab in labs.values():
    assert lab.on_device or len(list(lab.run(lab.params()))) > 0
print(len(labs))
"""
    command = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0


def test_the_first_source_with_the_right_bytes_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    fetch = load("fetch_pyodide")

    def unreachable() -> bytes:
        raise OSError("no route to host")

    sources = [("the CDN", unreachable), ("a mirror", lambda: b"something else"), ("the carrier", lambda: WHEEL)]
    monkeypatch.setattr(fetch, "_sources", lambda file: iter(sources))
    assert fetch.obtain("numpy.whl", SHA256) == WHEEL


def test_wrong_bytes_are_refused_with_both_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    fetch = load("fetch_pyodide")
    monkeypatch.setattr(fetch, "_sources", lambda file: iter([("the CDN", lambda: b"something else")]))
    with pytest.raises(SystemExit) as stopped:
        fetch.obtain("numpy.whl", SHA256)
    assert SHA256 in str(stopped.value)
    assert hashlib.sha256(b"something else").hexdigest() in str(stopped.value)


def test_a_cached_wheel_is_used_and_a_spoilt_one_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fetch = load("fetch_pyodide")
    runtime, public, cache = tmp_path / "runtime", tmp_path / "public", tmp_path / "cache"
    runtime.mkdir()
    for name in fetch.FILES:
        (runtime / name).write_text("{}", "utf-8")
    lock = {"packages": {"numpy": {"file_name": "numpy.whl", "sha256": SHA256}}}
    (runtime / "pyodide-lock.json").write_text(json.dumps(lock), "utf-8")
    asked = []
    monkeypatch.setattr(fetch, "RUNTIME", runtime)
    monkeypatch.setattr(fetch, "PUBLIC", public)
    monkeypatch.setattr(fetch, "obtain", lambda file, sha256: asked.append(file) or WHEEL)
    monkeypatch.setattr(sys, "argv", ["fetch_pyodide.py", "--cache", str(cache)])
    for spoil, expected in ((False, 1), (False, 1), (True, 2)):
        if spoil:
            (cache / "numpy.whl").write_bytes(b"half a wh")
        assert fetch.main() == 0
        assert len(asked) == expected
        assert (public / "numpy.whl").read_bytes() == WHEEL
    assert {path.name for path in public.iterdir()} == {*fetch.FILES, "numpy.whl"}


def test_a_chromium_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    chromium = load("find_chromium")
    assert Path(chromium.find()).is_file()
    monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")
    with pytest.raises(SystemExit, match="does not start"):
        chromium.find()

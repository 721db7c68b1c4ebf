"""The scripts behind make: what they fetch is checked, what they pack is the same every time, and enough."""

import dataclasses
import gzip
import hashlib
import importlib.util
import json
import statistics
import subprocess
import sys
from collections.abc import Iterator
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


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ModuleType, Path]]:
    """The script, and a folder that it has packed everything into."""
    pack, folder = load("pack_labs"), tmp_path_factory.mktemp("labs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pack, "PUBLIC", folder)
        pack.main()
        yield pack, folder


def unpack(folder: Path, *modules: str) -> dict[str, bytes]:
    """The files of packs, by their path."""
    packs = json.loads((folder / "labs.json").read_text("utf-8"))["packs"]
    found: dict[str, bytes] = {}
    for module in modules:
        found |= {
            name: text.encode() for name, text in json.loads((folder / packs[module]["code"]).read_bytes()).items()
        }
        found |= {name: (folder / file).read_bytes() for name, file in packs[module]["data"].items()}
    return found


def test_packing_writes_only_what_changed_and_leaves_nothing_old(packed: tuple[ModuleType, Path]) -> None:
    pack, folder = packed
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    (folder / "packs" / "labs.gone.abc123.json").write_text("{}", "utf-8")
    pack.main()
    after = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    del before[folder / "packs"], after[folder / "packs"]
    assert after == before
    told = json.loads((folder / "labs.json").read_text("utf-8"))
    assert told["versions"] == {lab.id: lab.version for lab in pack.find().values()}


def test_a_pack_holds_what_its_lab_imports_and_nothing_else(packed: tuple[ModuleType, Path]) -> None:
    _, folder = packed
    common = unpack(folder, "labs.contract")
    assert {"labs/contract.py", "labs/discover.py", "annotated_types/__init__.py"} <= {*common}
    assert not [name for name in common if name.startswith(("labs/models/", "labs/learning/"))]
    assert {*unpack(folder, "labs.learning.number_line")} == {
        "labs/learning/__init__.py",
        "labs/learning/number_line.py",
        "labs/models/__init__.py",
        "labs/models/quantize.py",
    }


def test_data_travels_apart(packed: tuple[ModuleType, Path]) -> None:
    _, folder = packed
    packs = json.loads((folder / "labs.json").read_text("utf-8"))["packs"]
    lab = packs["labs.tensors.mlp_digits"]
    assert {*lab["data"]} == {f"labs/tensors/mlp_digits/{name}.npz" for name in ("digits", "trained")}
    digest = hashlib.sha256((folder / lab["data"]["labs/tensors/mlp_digits/digits.npz"]).read_bytes()).hexdigest()
    assert lab["data"]["labs/tensors/mlp_digits/digits.npz"] == f"packs/digits.{digest[:12]}.npz"
    assert "digits.npz" not in "".join(json.loads((folder / lab["code"]).read_bytes()))


def test_what_a_lab_costs_is_little(packed: tuple[ModuleType, Path]) -> None:
    """As it travels, without its data: a new lab that costs more shares too little of what is there."""
    _, folder = packed
    packs = json.loads((folder / "labs.json").read_text("utf-8"))["packs"]
    sizes = {name: len(gzip.compress((folder / packs[name]["code"]).read_bytes())) for name in packs}
    labs = {name: size for name, size in sizes.items() if not name.startswith(("labs.models", "labs.contract"))}
    assert statistics.median(labs.values()) < 12_000
    assert max(labs.values()) < 90_000, max(labs, key=lambda name: labs[name])


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


def test_no_notebook_holds_code_under_the_name_of_another_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lab that was saved again since it was loaded: `make dev` took its notebook for the newer one."""
    pack = load("pack_labs")
    monkeypatch.setattr(pack, "PUBLIC", tmp_path)
    lab = pack.find()["learning/number_line"]
    assert not pack.write_notebooks([dataclasses.replace(lab, version="0123456789ab")])
    assert pack.write_notebooks([lab]) == {tmp_path / "learning" / "number_line.ipynb"}


def test_a_pack_is_all_that_its_lab_needs_besides_numpy(packed: tuple[ModuleType, Path], tmp_path: Path) -> None:
    """What Pyodide gets is enough: the standard library, NumPy, and the packs, nothing of this environment."""
    import numpy

    pack, folder = packed
    (tmp_path / "numpy").symlink_to(Path(numpy.__file__).parent)
    for libraries in Path(numpy.__file__).parent.parent.glob("numpy.libs"):
        (tmp_path / "numpy.libs").symlink_to(libraries)
    labs = list(pack.find(("labs",)).values())
    for lab in labs:
        for name, content in unpack(folder, "labs.contract", lab.module).items():
            path = tmp_path / lab.module / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    code = f"""
import importlib, sys
sys.path.insert(0, {str(tmp_path)!r})
import numpy
for module, version in {[(lab.module, lab.version) for lab in labs]}:
    sys.path.insert(0, {str(tmp_path)!r} + "/" + module)
    from labs import discover
    lab = discover.describe(importlib.import_module(module))
    assert lab.version == version, module
    assert lab.on_device or list(lab.run(lab.params()))
    for name in [name for name in sys.modules if name.partition(".")[0] in ("labs", "annotated_types")]:
        del sys.modules[name]
    del sys.path[0]
"""
    command = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


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

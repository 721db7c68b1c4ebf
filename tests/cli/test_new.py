"""`underhood new` writes a lab that works as it is, and nothing where it must not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import small_site
from underhood.author.new import ROOT, new
from underhood.cli import main

BIN = Path(sys.executable).parent


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout of its own, with this one's libraries."""
    copy = tmp_path_factory.mktemp("copy")
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    for path in filter(lambda path: path.is_file(), map(ROOT.joinpath, files)):
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    libraries = copy / "frontend" / "node_modules"
    libraries.mkdir()
    for library in (ROOT / "frontend" / "node_modules").iterdir():
        if not library.name.startswith("."):  # those are caches, which two builds must not share
            (libraries / library.name).symlink_to(library)
    for made in ("frontend/public/pyodide", "frontend/src/device/built"):
        (copy / made).symlink_to(ROOT / made)
    return copy


def do(copy: Path, *command: str, folder: str = ".") -> str:
    path = os.pathsep.join((str(BIN), os.environ["PATH"]))
    code = os.pathsep.join(str(copy / part) for part in ("backend", "wasm"))
    env = os.environ | {"PATH": path, "PYTHONPATH": code, "ASTRO_TELEMETRY_DISABLED": "1"}
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # each of these commands reads all labs
    done = subprocess.run(command, cwd=copy / folder, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_a_new_lab_works_as_it_is(copy: Path) -> None:
    python = [sys.executable, "-m"]
    made = do(copy, *python, "underhood", "new", "lab", "speed/first_try").split()
    made += do(copy, *python, "underhood", "new", "speed/second_try", "--native").split()
    assert len(made) == 6
    do(copy, *python, "underhood.author.generate")
    do(copy, *python, "underhood", "record", "speed/first_try", "speed/second_try")
    do(copy, "ruff", "format", "--check", ".")
    do(copy, "ruff", "check", ".")
    tests = [path for path in made if path.startswith("tests/")]
    imports = ["tests/layout/test_imports.py", "tests/layout/test_frontend_imports.py"]
    do(copy, *python, "pytest", *tests, *imports, "tests/labs/test_every_lab.py", "-k", "_try or imports")
    figures = [path.removeprefix("frontend/") for path in made if path.endswith(".svelte")]
    node = [str(BIN / "node")]
    do(copy, *node, "node_modules/prettier/bin/prettier.cjs", "--check", *figures, folder="frontend")
    small_site.cut(copy, keep=("speed/first_try", "speed/second_try"))
    do(copy, sys.executable, "scripts/pack_labs.py")
    do(copy, *node, "node_modules/astro/bin/astro.mjs", "build", folder="frontend")
    for lab in ("speed/first_try", "speed/second_try"):
        page = (copy / "frontend" / "dist" / "labs" / lab / "index.html").read_text("utf-8")
        assert "The root of 2 lies between" in page


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("alone", "series/name"),
        ("Learning/Lab", "series/name"),
        ("learning/with-dash", "series/name"),
        ("learning/a/b", "series/name"),
        ("learning/../escape", "series/name"),
        ("learning/class", "means something to Python"),
        ("models/shared", "means something to Python"),
        ("learning/number_line", "there is a lab"),
        ("cooking/soup", "there is no series cooking"),
    ],
)
def test_a_bad_name_is_refused_in_a_line(name: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", name]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


def test_a_file_that_is_there_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "content" / "speed").mkdir(parents=True)
    (tmp_path / "content" / "speed" / "series.json").write_text("{}")
    drawn = tmp_path / "frontend" / "src" / "figures" / "speed" / "mine.svelte"
    drawn.parent.mkdir(parents=True)
    drawn.write_text("mine")
    with pytest.raises(ValueError, match=r"mine\.svelte is there already; nothing was written"):
        new("speed/mine", root=tmp_path)
    assert drawn.read_text() == "mine"
    assert not (tmp_path / "wasm").exists()

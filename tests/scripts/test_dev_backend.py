"""The backend of `make dev`, in a copy of our code: what a change reaches, what it leaves alone, and that nothing
outlives the process that watches. tests/e2e/test_dev.py has the pages."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SECONDS = 30  # of patience: other tests may run beside these
HANGS_S = 10  # for code that loops
# Every change is tried with all labs there are: those of one series say as much as a hundred, and sooner.
LEFT_OUT = ("bits", "compilers", "descent", "pytorch", "speed", "tensors", "tools", "built", "__pycache__")

# Asked for a renewal by a line, it says when it is through with it.
WATCHER = f"""
import socket, sys, threading
from pathlib import Path
sys.path.insert(0, "scripts")
from dev_backend import Backend

with socket.create_server(("127.0.0.1", 0)) as listener:
    backend = Backend(listener, Path("told.json"), patience={HANGS_S})
    print(listener.getsockname()[1], flush=True)
    for line in sys.stdin:
        backend.renew(threading.Event())
        print("through", backend.template, flush=True)
    backend.close()
"""

LAB = '''"""{name}: says what its helper says."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from labs.contract import Event
from labs.models import {helper}


@dataclass(frozen=True)
class Params:
    n: int = {helper}.N


@dataclass(frozen=True, kw_only=True)
class Step(Event):
    kind: Literal["step"] = "step"


def run(params: Params) -> Iterator[Step]:
    yield Step(text="")
'''


class Desk:
    """The copy, the process that watches, and the server that it has begun."""

    def __init__(self, root: Path) -> None:
        self.root = root
        code = os.pathsep.join(str(root / part) for part in ("backend", "wasm"))
        self.watcher = subprocess.Popen(
            [sys.executable, "-c", WATCHER],
            cwd=root,
            env=os.environ | {"PYTHONPATH": code, "UNDERHOOD_PRELOAD": "numpy"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.watcher.stdin and self.watcher.stdout
        self.orders, self.says = self.watcher.stdin, self.watcher.stdout
        self.port = int(self.says.readline())
        self.template = 0

    def write(self, path: str, text: str) -> None:
        (self.root / "wasm" / "labs" / path).write_text(text, "utf-8")

    def delete(self, path: str) -> None:
        (self.root / "wasm" / "labs" / path).unlink()

    def renew(self) -> str:
        """Try what lies there; what the terminal is told."""
        self.orders.write("renew\n")
        self.orders.flush()
        said = ""
        while not (line := self.says.readline()).startswith("through"):
            assert line, f"it ended: {said}"
            said += line
        self.template = int(line.split()[1])
        return said

    def told(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads((self.root / "told.json").read_text("utf-8"))
        return told

    def labs(self) -> dict[str, Any]:
        """What the server says of the labs, by their ids."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/labs", timeout=SECONDS) as answer:
            return {lab["id"]: lab for lab in json.load(answer)}

    def n(self, lab: str) -> int:
        default: int = self.labs()[lab]["params"]["properties"]["n"]["default"]
        return default

    def listens(self) -> bool:
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", self.port)) == 0


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    yield from working(tmp_path_factory.mktemp("code"))


@pytest.fixture
def own_desk(tmp_path: Path) -> Iterator[Desk]:
    yield from working(tmp_path)


def working(root: Path) -> Iterator[Desk]:
    for part in ("scripts", "backend", "wasm"):
        shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns(*LEFT_OUT))
    desk = Desk(root)
    try:
        assert desk.renew() == ""
        yield desk
    finally:
        with suppress(BrokenPipeError):
            desk.orders.close()
        desk.says.close()
        desk.watcher.wait(SECONDS)


def until(so: Callable[[], bool]) -> None:
    give_up = time.monotonic() + SECONDS
    while not so():
        assert time.monotonic() < give_up
        time.sleep(0.02)


@pytest.fixture
def two(desk: Desk) -> Iterator[tuple[str, str]]:
    """Two new labs; what one of them imports imports what the other does."""
    desk.write("models/below.py", "N = 1\n")
    desk.write("models/above.py", "from labs.models.below import N\n")
    desk.write("learning/one.py", LAB.format(name="One", helper="below"))
    desk.write("learning/two.py", LAB.format(name="Two", helper="above"))
    assert desk.renew() == ""
    yield "learning/one", "learning/two"
    for path in ("learning/one.py", "learning/two.py", "models/above.py", "models/below.py"):
        (desk.root / "wasm" / "labs" / path).unlink(missing_ok=True)
    assert desk.renew() == ""
    assert not {"learning/one", "learning/two"} & {*desk.labs(), *desk.told()["versions"]}


def test_a_helper_that_changes_reaches_all_labs_that_use_it(desk: Desk, two: tuple[str, str]) -> None:
    template, others = desk.template, {name: lab for name, lab in desk.labs().items() if name not in two}
    for n in range(2, 5):  # all of one size, and some within a second
        desk.write("models/below.py", f"N = {n}\n")
        assert desk.renew() == ""
        assert [desk.n(lab) for lab in two] == [n, n]
        assert sorted(given["id"] for given in desk.told()["changed"]) == [*two]
    assert {name: lab for name, lab in desk.labs().items() if name not in two} == others
    assert desk.template == template, "everything was read anew"
    assert not [*desk.root.rglob("below.*.pyc")], "what is as long and as old in seconds would be taken for it"


def test_what_does_not_load_changes_nothing_until_it_is_fixed(desk: Desk, two: tuple[str, str]) -> None:
    for broken, named in (
        ("N = 1 / 0\n", "models/below.py:1: ZeroDivisionError"),
        ("N = (\n", "models/below.py:1: SyntaxError"),
        ("M = 1\n", "learning/one.py:13: AttributeError"),
        ("import sys\nsys.exit(3)\n", "models/below.py:2: SystemExit"),
        ("import os\nos._exit(3)\n", ""),
        ("while True: pass\n", f"did not load within {HANGS_S} s"),
    ):
        desk.write("models/below.py", broken)
        assert named in desk.renew()
        assert [desk.n(lab) for lab in two] == [1, 1]
    desk.write("models/below.py", "N = 4\n")
    assert desk.renew() == ""
    assert [desk.n(lab) for lab in two] == [4, 4]
    assert desk.told()["problem"] is None


def test_a_module_that_is_deleted_is_missed_by_who_imports_it(desk: Desk, two: tuple[str, str]) -> None:
    for path, named in (
        ("models/below.py", "wasm/labs/learning/one.py:8: ImportError"),
        ("learning/one.py", "wasm/labs/models/above.py:1: ModuleNotFoundError"),
        ("models/above.py", "wasm/labs/learning/two.py:8: ImportError"),
        ("learning/two.py", ""),
    ):
        desk.delete(path)
        assert named in (said := desk.renew())
        assert bool(said) == bool(named)
    assert not {*two} & {*desk.labs()}


def test_a_server_that_cannot_be_imported_does_not_take_over(desk: Desk) -> None:
    api = desk.root / "backend" / "underhood" / "web" / "api.py"
    text = api.read_text("utf-8")
    api.write_text(f"{text}\n1 / 0\n", "utf-8")
    assert f"backend/underhood/web/api.py:{text.count(chr(10)) + 2}: ZeroDivisionError" in desk.renew()
    assert desk.labs()
    api.write_text(text, "utf-8")
    assert desk.renew() == ""


def test_where_much_is_old_or_data_changed_all_is_read_anew(desk: Desk) -> None:
    (data, *_) = (desk.root / "wasm" / "labs").rglob("*.npz")
    for path in (desk.root / "wasm" / "labs" / "__init__.py", data):
        template = desk.template
        os.utime(path)
        assert desk.renew() == ""
        assert desk.template != template
        assert desk.labs()


def test_without_its_template_it_begins_another(desk: Desk, two: tuple[str, str]) -> None:
    os.kill(template := desk.template, signal.SIGKILL)
    desk.write("models/below.py", "N = 5\n")
    assert desk.renew() == ""
    assert desk.template != template
    assert [desk.n(lab) for lab in two] == [5, 5]


def test_nothing_outlives_the_process_that_watches_when_it_is_killed(own_desk: Desk) -> None:
    nothing_outlives(own_desk, own_desk.watcher.kill)


def test_nothing_outlives_the_process_that_watches_when_it_is_told_to_end(desk: Desk) -> None:
    """Here the desk that all share is closed, so this test comes last."""
    nothing_outlives(desk, desk.orders.close)


def nothing_outlives(desk: Desk, end: Callable[[], None]) -> None:
    desk.write("models/quantize.py", "")  # its users miss something: one more process that ended
    assert "ImportError" in desk.renew()
    assert desk.listens()
    end()
    until(lambda: not desk.listens())  # every process of it holds the socket
    desk.watcher.wait(SECONDS)

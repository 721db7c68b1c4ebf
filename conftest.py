"""For every test: how long an example takes says nothing on a machine that does other things, too; and which tests
may run at the same time. `make test` has a worker for each core, each with servers and a browser of its own."""

import fcntl
import os
from collections.abc import Generator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest
from _pytest.nodeid import NodeId
from hypothesis import settings
from threadpoolctl import ThreadpoolController
from underhood.machine.hardware import cores

settings.register_profile("underhood", deadline=None)
settings.load_profile("underhood")

BROWSER = Path(__file__).parent / "tests" / "e2e"
SPEED = Path(__file__).parent / "tests" / "labs" / "speed"
GATE = Path(__file__).parent / "pyproject.toml"
libraries = pytest.StashKey[ThreadpoolController]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="every program, many more draws, everything measured anew")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """A worker takes a core and about 2.5 GiB; more than eight would wait for each other's tests that run alone."""
    return min(8, max(2, cores()))


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--all"):
        os.environ["UNDERHOOD_TEST_ALL"] = "1"  # tests/support/extent.py reads it while tests are being collected


def is_alone(item: pytest.Item) -> bool:
    return item.get_closest_marker("alone") is not None


def group_of(item: pytest.Item) -> str:
    """Tests of one group run in one worker, so what their module has made for all of them is made once."""
    if marker := item.get_closest_marker("xdist_group"):
        return str(marker.args[0])
    named: dict[str, list[pytest.FixtureDef[object]]] = item._fixtureinfo.name2fixturedefs  # type: ignore[attr-defined]
    shares = any(fixture.scope == "module" for fixtures in named.values() for fixture in fixtures)
    return item.path.stem if shares else ""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Browser tests come last: Playwright keeps an event loop running in its worker until the browser closes, and
    tests that start a loop of their own could not. Of both kinds, those that must be alone come last."""
    items.sort(key=lambda item: (item.path.is_relative_to(BROWSER), is_alone(item)))
    if getattr(config.option, "loadgroup", False):
        for item in items:
            if group := group_of(item):
                # xdist 3.8 tells its scheduler of groups in names, by an attribute that pytest 9.2 has no more.
                item._id = NodeId.parse(f"{item.nodeid}@{group}")


def pytest_collection_finish(session: pytest.Session) -> None:
    session.config.stash[libraries] = ThreadpoolController()  # of what the tests have imported by now


def one_thread(item: pytest.Item) -> AbstractContextManager[object]:
    """NumPy's products in one thread, unless the test is of how fast they are: OpenBLAS keeps a second one spinning
    between small products, on the processor that the other worker has."""
    if is_alone(item) or item.path.is_relative_to(SPEED):
        return nullcontext()
    limited: AbstractContextManager[object] = item.config.stash[libraries].limit(limits=1, user_api="blas")
    return limited


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """A test marked ``alone`` waits until the tests of the other workers are over, and keeps the next ones waiting:
    while it waits it holds the gate that every test comes through."""
    with open(GATE) as gate, open(__file__) as turn:
        fcntl.flock(gate, fcntl.LOCK_EX)
        fcntl.flock(turn, fcntl.LOCK_EX if is_alone(item) else fcntl.LOCK_SH)
        fcntl.flock(gate, fcntl.LOCK_UN)
        try:
            with one_thread(item):
                return (yield)
        finally:
            fcntl.flock(turn, fcntl.LOCK_UN)  # for children that hold the file, too

"""T22: ten attacks from inside a run, each denied or killed."""

import os
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from served import Server
from underhood.confine import landlock, loopback, sandbox
from underhood.settings import Limits

pytestmark = pytest.mark.xdist_group("sandbox")  # they share a file

SECRET = Path("/tmp/underhood-secret")  # where `bad/deed` looks for it
KERNEL = {  # what this one has
    "landlock": landlock.version() >= 1,
    "seccomp": Path("/proc/sys/kernel/seccomp/actions_avail").exists(),
}
OUT_OF_REACH = {
    "read a file that all may read": "landlock",
    "write outside": "landlock",
    "make a TCP socket": "seccomp",
    "make a UDP socket": "seccomp",
    "signal the parent": "landlock",
    "read the parent's environment": "landlock",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, site: Path) -> Iterator[Server]:
    SECRET.write_text("all may read this, and labs may not")
    data = tmp_path_factory.mktemp("sandbox") / "data"
    server = Server(data, site, wall=3, memory=700 << 20, processes=32)
    yield server
    server.stop()
    server.client.close()
    SECRET.unlink()


@pytest.fixture(scope="module")
def spied(server: Server) -> dict[str, str]:
    """What came of each attempt to reach out of the sandbox: the name of an error, or "done"."""
    events = server.events(server.ask("bad/deed", deed="spy"))
    assert events[-1]["status"] == "ok"
    return dict(
        event["value"] for event in events[2:] if event["kind"] == "told" and isinstance(event["value"], list)
    )


def attack(server: Server, deed: str) -> tuple[list[Any], dict[str, Any]]:
    """What the attacker could say, and how its run ended."""
    *events, end = server.events(server.ask("bad/deed", deed=deed))
    return [event["value"] for event in events if event["kind"] == "told"][1:], end


@pytest.mark.parametrize("attempt", [attempt for attempt, layer in OUT_OF_REACH.items() if KERNEL[layer]])
def test_what_is_out_of_reach(spied: dict[str, str], attempt: str) -> None:
    assert spied[attempt] == "PermissionError"


def test_every_layer_of_the_kernel_is_in_force(server: Server) -> None:
    held = server.client.get("/api/health").json()["sandbox"]
    assert {layer: layer in held for layer in KERNEL} == KERNEL
    assert ("loopback" in held) == has_networks()


def has_networks() -> bool:
    """Whether this kernel makes one for a process, found out by a process that ends."""
    if not (pid := os.fork()):
        os._exit(0 if loopback.leave_for_loopback() else 1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def test_where_the_kernel_makes_no_network_the_loopback_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = asdict(Limits()) | {"cores": 1}
    monkeypatch.setattr(loopback, "leave_for_loopback", lambda: True)
    assert "loopback" in (made := sandbox.probe(limits))
    monkeypatch.setattr(loopback, "leave_for_loopback", lambda: False)
    assert sandbox.probe(limits) == [layer for layer in made if layer != "loopback"]


@pytest.mark.skipif(not has_networks(), reason="the kernel makes no network for a process")
def test_a_lab_that_needs_the_loopback_is_alone_on_it(server: Server) -> None:
    port = int(server.url.rpartition(":")[2].strip("/"))
    events = server.events(server.ask("bad/neighbour", port=port))
    assert dict(event["value"] for event in events if event["kind"] == "told") == {
        "its own server": "done",
        "a server of this machine": "ConnectionRefusedError",
        "another machine": "OSError",
    }


def test_without_landlock_root_is_no_more_than_a_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing else sees to files, a run has no right to those of others."""
    monkeypatch.setattr(landlock, "version", lambda: 0)
    shut = tmp_path / "shut"
    shut.write_text("of somebody else")
    shut.chmod(0)
    (tmp_path / "own").mkdir()
    if not (pid := os.fork()):
        code = 1
        try:
            held = sandbox.confine(tmp_path / "own", asdict(Limits()) | {"cores": 1})
            code = 2 if "landlock" in held else 3
            shut.write_text("mine")
        except PermissionError:
            code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert shut.stat().st_size == len("of somebody else")


def test_a_fork_bomb_is_denied_and_nothing_of_it_is_left(server: Server) -> None:
    before = len(server.children())
    (born,), end = attack(server, "fork_bomb")
    assert born < 64  # 32, and one for each task of the same user that ended meanwhile
    assert end["status"] == "ok"
    give_up = time.monotonic() + 5
    while len(server.children()) > before and time.monotonic() < give_up:
        time.sleep(0.02)
    assert len(server.children()) == before


def test_a_gigabyte_is_denied(server: Server) -> None:
    said, end = attack(server, "hog_gigabyte")
    assert said == []
    assert end["reason"] == "The lab needed more memory than a run may use. Choose smaller parameters."


def test_an_endless_loop_is_killed(server: Server) -> None:
    began = time.monotonic()
    _, end = attack(server, "burn_processor")
    assert end["status"] == "timed_out"
    assert time.monotonic() - began < 3 + 10


def test_a_hundred_megabytes_of_output_go_nowhere(server: Server) -> None:
    said, end = attack(server, "flood_output")
    assert (len(said), end["status"]) == (1, "ok")
    assert server.log.stat().st_size < 2 << 20

"""Settings from the environment, and provenance without the web application."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from underhood.machine import provenance
from underhood.machine.hardware import memory
from underhood.settings import Settings


def test_the_environment_overrides_the_defaults() -> None:
    settings = Settings.from_env(
        {
            "UNDERHOOD_DATA": "/srv/underhood",
            "UNDERHOOD_QUEUE": "7",
            "UNDERHOOD_WALL": "2.5",
            "UNDERHOOD_ALLOWED_HOSTS": "book.example, other.example",
            "UNDERHOOD_PRELOAD": "numpy",
            "UNDERHOOD_SOMETHING_ELSE": "is not ours",
        }
    )
    assert settings.data == Path("/srv/underhood")
    assert settings.queue == 7
    assert settings.limits.wall == 2.5
    assert settings.allowed_hosts == ("127.0.0.1", "localhost", "[::1]", "book.example", "other.example")
    assert settings.preload == ("numpy",)
    assert settings.streams == Settings().streams


def test_what_cannot_be_read_is_named() -> None:
    with pytest.raises(ValueError, match="UNDERHOOD_QUEUE must be a whole number, not 'many'"):
        Settings.from_env({"UNDERHOOD_QUEUE": "many"})


@pytest.mark.parametrize("url", ["redis", "redis://", "http://host:6379", "redis://:secret@"])
def test_an_address_that_is_not_of_redis_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(ValueError, match="UNDERHOOD_REDIS_URL must look like redis://host:6379/0") as refused:
        Settings.from_env({"UNDERHOOD_REDIS_URL": url})
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("url", ["redis://h", "rediss://user:secret@h:1/2", "unix:///run/redis.sock?db=1"])
def test_an_address_of_redis_is_taken_and_not_shown(url: str) -> None:
    settings = Settings.from_env({"UNDERHOOD_REDIS_URL": url, "UNDERHOOD_LABS": "labs,ours"})
    assert settings.redis_url == url
    assert settings.labs == ("labs", "ours")
    assert url not in repr(settings)


def test_provenance_names_machine_and_versions() -> None:
    facts = provenance.provenance("abc", where="recorded")
    assert (facts["where"], facts["lab_version"]) == ("recorded", "abc")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", facts["at"])
    assert re.fullmatch(r".+, \d+ cores?, .+, \S+ \d+\.\d+", facts["machine"])
    assert facts["machine"] == ", ".join(facts["hardware"].values())
    assert facts["versions"]["python"] == ".".join(map(str, sys.version_info[:3]))


def test_provenance_needs_nothing_of_the_web() -> None:
    code = "import sys, underhood.machine.provenance as p; p.provenance(''); sys.exit('fastapi' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("gibibytes", "cores", "runs", "each"),
    [(64, 8, 8, 4), (8, 8, 6, 1), (4, 2, 2, 1.5), (4, 8, 3, 1), (1, 4, 1, 0.75), (24, 2, 2, 4)],
)
def test_runs_share_the_memory_of_their_container(
    gibibytes: int, cores: int, runs: int, each: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("underhood.settings.memory", lambda: gibibytes << 30)
    monkeypatch.setattr("underhood.settings.cores", lambda: cores)
    settings = Settings.from_env({})
    assert (settings.concurrency, settings.limits.memory) == (runs, each * (1 << 30))
    assert Settings.from_env({"UNDERHOOD_CONCURRENCY": "5", "UNDERHOOD_MEMORY": "7"}).limits.memory == 7


def test_a_container_may_have_less_memory_than_its_machine(tmp_path: Path) -> None:
    (tmp_path / "memory.max").write_text("1048576\n")
    assert memory(tmp_path / "memory.max") == 1 << 20
    (tmp_path / "memory.max").write_text("max\n")
    assert memory(tmp_path / "memory.max") == memory(tmp_path / "none") > 1 << 28

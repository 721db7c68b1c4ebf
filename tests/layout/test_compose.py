"""The container keeps the promises of its comments: little to attack, nothing needed that a machine may lack."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
FINAL = DOCKERFILE[DOCKERFILE.rindex("\nFROM") :]


@pytest.fixture(scope="module")
def service() -> dict[str, Any]:
    (only,) = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))["services"].values()
    assert isinstance(only, dict)
    return only


def test_only_this_machine_is_let_in(service: dict[str, Any]) -> None:
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])


def test_the_container_can_do_little(service: dict[str, Any]) -> None:
    assert service["user"] == "10001:10001"
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert service["pids_limit"] <= 1024
    assert service["mem_limit"]
    (tmp,) = service["tmpfs"]
    assert_scratch(tmp)
    assert not {"privileged", "cap_add", "network_mode", "pid", "devices", "ipc"} & service.keys()


def assert_scratch(tmp: str) -> None:
    """Labs load the code that they compile; Docker mounts tmpfs noexec unless told otherwise."""
    path, _, options = tmp.partition(":")
    assert path == "/tmp"
    assert {"exec", "nosuid", "nodev"} <= {*options.split(",")} and "noexec" not in options
    assert re.search(r"size=\d+m", options)


def test_the_container_stops_restarts_and_reports(service: dict[str, Any]) -> None:
    assert service["init"] is True
    assert int(service["stop_grace_period"].removesuffix("s")) >= 10
    assert "/api/health" in service["healthcheck"]["test"][-1]
    assert service["restart"] == "unless-stopped"


def test_runs_outlive_the_container(service: dict[str, Any]) -> None:
    assert service["volumes"] == ["data:/data"]
    assert "UNDERHOOD_DATA=/data" in FINAL


def test_the_base_file_needs_neither_a_gpu_nor_another_service(service: dict[str, Any]) -> None:
    """A GPU reservation is fatal on a machine without one, so it belongs in an override."""
    text = (ROOT / "docker-compose.yml").read_text("utf-8").partition("services:")[2]
    assert "deploy" not in service
    assert "depends_on" not in service
    assert not re.search(r"nvidia|gpu|cuda|redis", text, re.IGNORECASE)


def test_the_image_is_not_root_and_holds_no_build_tools() -> None:
    assert re.search(r"^USER 10001:10001$", FINAL, re.MULTILINE)
    assert FINAL.index("USER") < FINAL.index("CMD")
    assert "HEALTHCHECK" in FINAL
    installs = re.findall(r"apt-get install .*?(?= &&|$)", FINAL, re.MULTILINE)
    assert installs == ["apt-get install -y --no-install-recommends g++"], (
        "for what torch.compile writes, as it runs"
    )
    assert not re.search(r"pip install|npm|make\b|COPY \. ", FINAL)
    assert "COPY tests" not in DOCKERFILE


def test_the_base_image_is_pinned() -> None:
    assert re.search(r"^ARG PYTHON=python:3\.\d+\.\d+-slim-\w+(@sha256:[0-9a-f]{64})?$", DOCKERFILE, re.MULTILINE)
    assert re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE) == ["${PYTHON}", "${PYTHON}"]


def test_the_image_is_built_from_sources_alone() -> None:
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    # every dot file: .git, .venv, .data and what editors and shells leave, secrets among it
    assert {".*", "tests", "**/node_modules", "frontend/dist", "frontend/public/pyodide"} <= {*ignored}


@pytest.fixture(scope="module")
def spread() -> dict[str, Any]:
    services = yaml.safe_load((ROOT / "compose.cuda.yml").read_text("utf-8"))["services"]
    assert isinstance(services, dict)
    return services


def test_workers_and_redis_have_no_way_out(spread: dict[str, Any]) -> None:
    networks = yaml.safe_load((ROOT / "compose.cuda.yml").read_text("utf-8"))["networks"]
    assert networks == {"back": {"internal": True}}
    for name in spread.keys() - {"underhood"}:
        assert spread[name]["networks"] == ["back"]
        assert not {"ports", "privileged", "cap_add", "network_mode", "pid", "ipc"} & spread[name].keys()


def test_every_service_can_do_little_and_reports(spread: dict[str, Any]) -> None:
    for name in spread.keys() - {"underhood"}:
        each = spread[name]
        assert each["user"].split(":")[0] not in ("0", "root")
        assert each["read_only"] is True
        assert each["cap_drop"] == ["ALL"]
        assert "no-new-privileges:true" in each["security_opt"]
        assert each["pids_limit"] and each["mem_limit"] and each["healthcheck"]
        assert each["restart"] == "unless-stopped"


def test_workers_can_load_what_they_compile(spread: dict[str, Any]) -> None:
    for name in ("worker-cpu", "worker-cuda"):
        assert_scratch(spread[name]["tmpfs"][0])


def test_finished_runs_leave_room_in_redis_for_others(spread: dict[str, Any]) -> None:
    found = re.search(r"--maxmemory (\d+)gb", spread["redis"]["command"][-1])
    assert found
    for name in spread.keys() - {"redis"}:
        assert spread[name]["environment"]["UNDERHOOD_KEEP_BYTES"] <= (int(found[1]) << 30) // 3


def test_readers_behind_a_proxy_can_be_told_apart(service: dict[str, Any], spread: dict[str, Any]) -> None:
    for each in (service, spread["underhood"]):
        assert "UNDERHOOD_PROXIES" in each["environment"]


def test_redis_keeps_what_was_accepted(spread: dict[str, Any]) -> None:
    command = spread["redis"]["command"][-1]
    for option in ("--requirepass", "--appendonly yes", "--maxmemory-policy noeviction"):
        assert option in command
    assert spread["redis"]["volumes"] == ["redis:/data"]


def test_only_the_cuda_worker_asks_for_a_gpu(spread: dict[str, Any]) -> None:
    assert [name for name, each in spread.items() if "deploy" in each] == ["worker-cuda"]
    (device,) = spread["worker-cuda"]["deploy"]["resources"]["reservations"]["devices"]
    assert device == {"driver": "nvidia", "count": 1, "capabilities": ["gpu"]}
    assert spread["worker-cuda"]["build"]["args"] == {"TORCH": "cuda"}

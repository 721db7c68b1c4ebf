"""The proxy of deploy/Caddyfile, run for real: it streams at once, keeps the host, speaks TLS and HTTP/2."""

import itertools
import os
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).parents[2]
CADDYFILE = ROOT / "deploy" / "Caddyfile"
# For a test alone: no listener on port 80, no certificate in the machine's trust store, no admin port.
QUIET = "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n"

Proxy = Callable[[str, str], int]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def until(check: Callable[[], bool], seconds: float = 20) -> None:
    give_up = time.monotonic() + seconds
    while True:
        try:
            if check():
                return
        except httpx.TransportError:
            pass
        assert time.monotonic() < give_up, "it did not come about"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def upstream(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    port, data = free_port(), tmp_path_factory.mktemp("data")
    command = [sys.executable, "-m", "underhood", "serve", "--port", str(port), "--data", str(data)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    until(lambda: httpx.get(f"http://127.0.0.1:{port}/api/health").status_code == 200)
    yield port
    server.terminate()
    server.wait(10)


@pytest.fixture
def proxy(upstream: int, tmp_path: Path) -> Iterator[Proxy]:
    """Start Caddy with the shipped file for a scheme and a TLS directive; returns its port."""
    started: list[subprocess.Popen[bytes]] = []

    def start(scheme: str, tls: str) -> int:
        port = free_port()
        config = tmp_path / "Caddyfile"
        config.write_text(QUIET + CADDYFILE.read_text("utf-8"), "utf-8")
        env = os.environ | {
            "UNDERHOOD_HOST": f"{scheme}://localhost:{port}",
            "UNDERHOOD_UPSTREAMS": f"127.0.0.1:{upstream}",
            "UNDERHOOD_TLS": tls,
            "XDG_DATA_HOME": str(tmp_path),
            "XDG_CONFIG_HOME": str(tmp_path),
        }
        command = ["caddy", "run", "--config", str(config), "--adapter", "caddyfile"]
        started.append(subprocess.Popen(command, env=env, stderr=subprocess.DEVNULL))
        until(lambda: httpx.get(f"{scheme}://localhost:{port}/api/health", verify=False).status_code == 200)
        return port

    yield start
    for process in started:
        process.terminate()
        process.wait(10)


def test_a_run_streams_through_it_as_it_happens(proxy: Proxy) -> None:
    base = f"http://localhost:{proxy('http', '')}"
    # From a page behind the proxy: the origin is the proxy's, which the server must recognize as its own.
    with httpx.Client(base_url=base, headers={"Origin": base}, timeout=30) as client:
        lab = {"lab": "learning/post_training_quantization", "params": {"epochs": 6, "seed": 41}}
        run = client.post("/api/runs", json=lab).json()["id"]
        arrivals = []
        with client.stream("GET", f"/api/events?runs={run}:0") as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            for line in stream.iter_lines():
                if line.startswith("event: training"):
                    arrivals.append(time.monotonic())
        assert len(arrivals) > 20
        gaps = [later - sooner for sooner, later in itertools.pairwise(arrivals)]
        assert sum(gap > 0.002 for gap in gaps) > 10, "the events came in one piece: something buffers them"


def test_it_speaks_tls_and_offers_http2(proxy: Proxy) -> None:
    port = proxy("https", "tls internal")
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # the certificate is the test's own
    context.set_alpn_protocols(["h2", "http/1.1"])
    with (
        socket.create_connection(("127.0.0.1", port), timeout=10) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as secured,
    ):
        assert secured.selected_alpn_protocol() == "h2"
    answer = httpx.get(f"https://localhost:{port}/api/health", verify=False)
    assert answer.headers["strict-transport-security"] == "max-age=31536000"
    assert "server" not in answer.headers

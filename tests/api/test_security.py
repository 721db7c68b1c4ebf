"""Who is answered, and what stands on every answer."""

import socket
from typing import Any

import httpx
import pytest

BODY = {"lab": "plain/count", "params": {}}
EVERYWHERE = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
}
SCRIPT = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'"
DATA = "default-src 'none'; frame-ancestors 'none'"


@pytest.mark.parametrize(
    "path",
    ["/", "/series/", "/nothing/", "/api/health", "/api/nothing", "/_astro/page.abc123.js", "/pyodide/python.wasm"],
)
def test_headers_are_on_every_answer(server: Any, path: str) -> None:
    headers = server.client.get(path).headers
    assert {name: headers.get(name) for name in EVERYWHERE} == EVERYWHERE
    assert "Server" not in headers


def test_headers_are_on_refusals(server: Any) -> None:
    for answer in (
        server.client.get("/", headers={"Host": "evil.example"}),
        server.client.post("/api/runs", json=BODY, headers={"Origin": "http://evil.example"}),
        server.client.post("/api/runs", content=b"x" * 70_000, headers={"Content-Type": "application/json"}),
    ):
        assert answer.status_code >= 400
        assert answer.json()["detail"]
        assert {name: answer.headers.get(name) for name in EVERYWHERE} == EVERYWHERE


@pytest.mark.parametrize(
    ("path", "policy"),
    [
        ("/", "frame-ancestors 'self'"),
        ("/nothing/", "frame-ancestors 'self'"),
        ("/embed/plain/count/", "frame-ancestors *"),
        ("/sandbox.html", "sandbox allow-scripts; frame-ancestors *"),
        ("/_astro/page.abc123.js", SCRIPT),
        ("/pyodide/python.wasm", DATA),
        ("/api/health", DATA),
        ("/api/nothing", DATA),
    ],
)
def test_what_each_kind_of_answer_may_load(server: Any, path: str, policy: str) -> None:
    answer = server.client.get(path)
    assert answer.headers.get_list("Content-Security-Policy") == [policy]


def test_what_has_not_changed_keeps_its_policy(server: Any) -> None:
    """A browser puts the headers of a 304 in the place of those in its cache."""
    etag = server.client.get("/_astro/page.abc123.js").headers["ETag"]
    again = server.client.get("/_astro/page.abc123.js", headers={"If-None-Match": etag})
    assert again.status_code == 304
    assert "Content-Security-Policy" not in again.headers


def test_a_page_to_embed_may_be_framed(server: Any) -> None:
    headers = server.client.get("/embed/plain/count/").headers
    assert headers["Content-Security-Policy"] == "frame-ancestors *"
    assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("localhost", 200),
        ("localhost:8000", 200),
        ("LOCALHOST", 200),
        ("[::1]:8000", 200),
        ("evil.example", 400),
        ("localhost.evil.example", 400),
        ("127.0.0.1.evil.example", 400),
        ("[::1].evil.example", 400),
        ("127.0.0.1:8000:80", 400),
        ("", 400),
    ],
)
def test_only_its_own_names_are_answered(server: Any, host: str, status: int) -> None:
    assert server.client.get("/api/health", headers={"Host": host}).status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "{url}"}, 200),
        ({"Origin": "{url}", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),  # another server on this machine is another site
        ({"Origin": "{url}.evil.example"}, 403),
        ({"Origin": "http://["}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
    ],
)
def test_only_its_own_pages_may_change_anything(server: Any, headers: dict[str, str], status: int) -> None:
    headers = {name: value.format(url=server.url) for name, value in headers.items()}
    server.client.post("/api/runs", json=BODY)
    for answer in (
        server.client.post("/api/runs", json=BODY, headers=headers),
        server.client.delete("/api/runs/nothing", headers=headers),
    ):
        assert answer.status_code == (status if status == 403 or answer.request.method == "POST" else 404)
    assert server.client.get("/api/health", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "path", ["/embed/..%2fseries/", "//sandbox.html", "/_astro/..%2findex.html", "/embed//../", "//"]
)
def test_a_page_has_one_address(server: Any, path: str) -> None:
    """Under another one it would have the headers of another page: framed anywhere, or kept for ever."""
    with socket.create_connection(
        ("127.0.0.1", int(server.url.rpartition(":")[2]))
    ) as raw:  # clients tidy paths up
        raw.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: raw.recv(65536), b"")).decode()
    assert answer.startswith("HTTP/1.1 404")
    assert "immutable" not in answer and "<h1>" not in answer


def test_ordinary_clients_read_that_their_body_is_too_large(server: Any) -> None:
    for size in (66_000, 3_000_000):
        answer = httpx.post(
            f"{server.url}/api/runs", content=b" " * size, headers={"Content-Type": "application/json"}
        )
        assert (answer.status_code, answer.json()["detail"]) == (413, "A request may carry 65,536 bytes.")


def test_a_form_of_another_site_cannot_post(server: Any) -> None:
    """Without an Origin header, a body that needs no preflight is not taken for JSON."""
    body = b'{"lab": "plain/count", "params": {}}'
    assert server.client.post("/api/runs", content=body, headers={"Content-Type": "text/plain"}).status_code == 422


def test_a_body_may_be_so_large(server: Any) -> None:
    json_type = {"Content-Type": "application/json"}
    fits = b'{"lab": "plain/count", "params": {}' + b" " * 60_000 + b"}"
    assert server.client.post("/api/runs", content=fits, headers=json_type).status_code in (200, 201)
    large = fits + b" " * 6_000
    assert server.client.post("/api/runs", content=large, headers=json_type).status_code == 413
    pieces = (b" " * 1000 for _ in range(70))  # sent in chunks, without a length
    assert server.client.post("/api/runs", content=pieces, headers=json_type).status_code == 413

"""The built site: pages, caching, compression, and the page for what is not there."""

import gzip
from pathlib import Path
from typing import Any

import pytest

FOREVER = "public, max-age=31536000, immutable"
# What browsers offer, and what they are given: Chromium and Firefox, Safari, one behind an old proxy.
BROWSERS = {"gzip, deflate, br, zstd": "zstd", "gzip, deflate, br": "br", "gzip": "gzip"}


def test_pages_stand_at_their_folder(server: Any, site: Path) -> None:
    for path, page in (("/", "index.html"), ("/series/", "series/index.html")):
        answer = server.client.get(path)
        assert answer.status_code == 200
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert answer.text == (site / page).read_text()
    moved = server.client.get("/series")
    assert moved.status_code == 307
    assert moved.headers["Location"].endswith("/series/")


def test_what_is_not_there_is_the_404_page(server: Any, site: Path) -> None:
    answer = server.client.get("/no/such/page/")
    assert answer.status_code == 404
    assert answer.text == (site / "404.html").read_text()


@pytest.mark.parametrize(
    "path", ["/../conftest.py", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd"]
)
def test_nothing_outside_the_site_is_served(server: Any, path: str) -> None:
    answer = server.client.get(path)
    assert answer.status_code == 404
    assert "root:" not in answer.text


def test_only_names_that_change_with_their_content_are_cached_for_good(server: Any) -> None:
    for path, cache in (
        ("/_astro/page.abc123.js", FOREVER),
        ("/labs/labs.json", "no-cache"),
        ("/labs/packs/labs.contract.abc123.json", FOREVER),
        ("/pyodide/python.wasm", "no-cache"),
        ("/pagefind/fragment/en_1a2b3c.pf_fragment", FOREVER),
        ("/pagefind/pagefind.js", "no-cache"),
        ("/", "no-cache"),
        ("/_astro/gone.js", "no-cache"),
        ("/api/health", "no-store"),
    ):
        assert server.client.get(path).headers["Cache-Control"] == cache, path


def test_a_page_that_has_not_changed_is_not_sent_again(server: Any) -> None:
    first = server.client.get("/")
    again = server.client.get("/", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    assert not again.content


def test_text_is_compressed_and_what_is_compressed_is_not(server: Any, site: Path) -> None:
    page = (site / "index.html").read_text()
    for offered, chosen in BROWSERS.items():
        for path, encoding in (("/", chosen), ("/_astro/page.abc123.js", chosen), ("/pyodide/python.wasm", None)):
            answer = server.client.get(path, headers={"Accept-Encoding": offered})
            assert answer.headers.get("Content-Encoding") == encoding, (path, offered)
            assert encoding is None or answer.headers["Vary"] == "Accept-Encoding"
        assert server.client.get("/", headers={"Accept-Encoding": offered}).text == page, offered
    plain = server.client.get("/", headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    assert plain.text == page


def test_what_has_a_compressed_copy_beside_it_travels_as_that(server: Any, site: Path) -> None:
    code = site / "pyodide" / "python.wasm"
    copy = code.with_name("python.wasm.gz")
    copy.write_bytes(gzip.compress(code.read_bytes()))
    try:
        answer = server.client.get("/pyodide/python.wasm")
        assert answer.headers["Content-Encoding"] == "gzip"
        assert answer.headers["Content-Type"] == "application/wasm"
        assert int(answer.headers["Content-Length"]) == copy.stat().st_size
        assert answer.content == code.read_bytes()
        plain = server.client.get("/pyodide/python.wasm", headers={"Accept-Encoding": "identity"})
        assert "Content-Encoding" not in plain.headers
        assert plain.content == code.read_bytes()
        known = server.client.get("/pyodide/python.wasm", headers={"If-None-Match": answer.headers["ETag"]})
        assert known.status_code == 304
    finally:
        copy.unlink()


def test_pages_cannot_be_posted_to(server: Any) -> None:
    assert server.client.post("/").status_code == 405


def test_without_a_site_the_api_works(serve: Any, tmp_path: Path) -> None:
    server = type(serve())(tmp_path / "other", tmp_path / "nowhere")
    try:
        answer = server.client.get("/")
        assert answer.status_code == 404
        assert "make build" in answer.json()["detail"]
        assert server.client.get("/api/health").status_code == 200
    finally:
        server.stop()
        server.client.close()

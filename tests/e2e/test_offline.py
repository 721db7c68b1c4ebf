"""A page that was visited opens without a server, whole; a new deployment is never mixed with the one before."""

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from measure.paint import ARTICLE
from measure.serving import Server, serving
from playwright.sync_api import Browser, expect
from reader import PYTHON_MS, SOON_MS, Figure, Reader, reading
from test_source import SOURCE

DIST = Path(__file__).parents[2] / "frontend" / "dist"
AWAY = r"ERR_CONNECTION_REFUSED|failed: http|dynamically imported module: \S+/pyodide\.mjs"

# Resolves once the cache of a build holds this path; caches tell nobody when they change.
KEPT = """async ([start, path, patience]) => {
  const give_up = performance.now() + patience;
  for (;;) {
    for (const name of await caches.keys())
      if (name.startsWith(start) && await (await caches.open(name)).match(path)) return name;
    if (performance.now() > give_up) throw new Error(`${path} is not kept`);
    await new Promise((done) => setTimeout(done, 50));
  }
}"""

# Resolves once the newest service worker is the one that serves this page.
TAKEN_OVER = """async () => {
  const found = await navigator.serviceWorker.getRegistration();
  while (found.installing || found.waiting || navigator.serviceWorker.controller !== found.active
         || found.active.state !== "activated") await new Promise((done) => setTimeout(done, 50));
}"""


def kept(reader: Reader, path: str, start: str = "site-") -> str:
    """The cache that holds ``path``, once one does."""
    name: str = reader.page.evaluate(KEPT, [start, path, PYTHON_MS])
    return name


class Deployment:
    """A server that can go away and come back, with the same address and other pages."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port, self.count = folder, 0, 0
        self.running = ExitStack()

    def up(self, site: Path = DIST) -> Server:
        self.count += 1
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("UNDERHOOD_PRELOAD", "numpy")  # nothing runs there that would want torch
            server = self.running.enter_context(serving(self.folder / f"data{self.count}", site, self.port))
        self.port = urlsplit(server.url).port or 0
        return server

    def down(self) -> None:
        self.running.close()


@pytest.fixture
def deployment(tmp_path: Path) -> Iterator[Deployment]:
    made = Deployment(tmp_path)
    yield made
    made.down()


@contextmanager
def visiting(browser: Browser, server: Server) -> Iterator[Reader]:
    with reading(browser, server.url, saving=False, service_workers="allow") as reader:
        yield reader
        reader.hears(AWAY)


def next_build(folder: Path) -> Path:
    """The site as another build would leave it: other words, other names of scripts, another service worker."""
    site = folder / "next"
    shutil.copytree(DIST, site, ignore=shutil.ignore_patterns("pyodide", "cards", "embed"))
    (site / "pyodide").symlink_to(DIST / "pyodide")
    found = json.loads((DIST / "offline.json").read_text("utf-8"))["build"]
    renamed = {script.name: f"next-{script.name}" for script in (site / "_astro").glob("*.js")}
    other = {found: "f" * 12, "Quantization": "Quantisation", **renamed}
    words = re.compile(rf"{found}|Quantization|(?<![\w.-])[\w.-]+\.js\b")
    texts = [*site.rglob("*.html"), *site.rglob("*.js"), *site.rglob("offline.json")]
    for path in (each for each in texts if not each.is_relative_to(site / "copies")):  # those are large and apart
        text = path.read_text("utf-8")
        path.write_text(words.sub(lambda word: other.get(word[0], word[0]), text), "utf-8")
    for before, after in renamed.items():
        (site / "_astro" / before).rename(site / "_astro" / after)
    return site


def test_a_visited_article_opens_without_a_server_with_its_runs(browser: Browser, deployment: Deployment) -> None:
    with visiting(browser, deployment.up()) as reader:
        reader.go(ARTICLE)
        kept(reader, ARTICLE)
        deployment.down()
        reader.page.reload()
        expect(reader.page.locator("h1")).to_have_text("Quantization")
        assert reader.page.evaluate("() => crossOriginIsolated"), "the copy has lost its headers"
        for key in ("number_line", "uniform_quantization", "post_training_quantization"):
            figure = reader.figure(key)
            of = figure.steps[1]
            figure.scrubber.press("Home")
            figure.at(1, of)
            expect(figure.badge).to_contain_text("Recorded")


@pytest.fixture(scope="module")
def away(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """A visit in which Python was started, and nothing else; then the server went away."""
    deployment = Deployment(tmp_path_factory.mktemp("away"))
    with visiting(browser, deployment.up()) as reader:
        reader.go("/labs/learning/number_line/")
        run_again(reader)
        kept(reader, "/labs/learning/number_line/")
        for file in ("/sandbox.html", "/tasks/learning/restore.py"):
            kept(reader, file)
        for file in ("pyodide.asm.wasm", "python_stdlib.zip", "snapshot.bin"):
            kept(reader, f"/pyodide/{file}", "python-")
        deployment.down()
        yield reader


def test_python_that_was_used_runs_without_a_server(away: Reader) -> None:
    away.page.reload()
    run_again(away)


def test_code_that_a_reader_changed_runs_without_a_server_and_as_sealed(away: Reader) -> None:
    away.page.reload()
    figure = run_changed(away)
    changed = re.compile("^Read without a network, ")
    expect(figure.host.locator(".sentence")).to_have_text(changed, timeout=PYTHON_MS)
    frame = next(each for each in away.page.frames if each.url.endswith("/sandbox.html"))
    assert frame.evaluate("self.origin") == "null"
    assert frame.evaluate("() => fetch('/favicon.svg').then(() => 'reached', () => 'refused')") == "refused"
    away.hears("Content Security Policy|favicon")


def test_a_reader_is_told_when_their_code_would_need_the_network(away: Reader) -> None:
    """Here the browser has forgotten the sandbox, so this test comes last."""
    forget = "async () => { for (const name of await caches.keys()) (await caches.open(name)).delete(PAGE); }"
    away.page.evaluate(forget.replace("PAGE", "'/sandbox.html'"))
    away.page.reload()
    alert = run_changed(away).host.get_by_role("alert")
    expect(alert).to_contain_text("Python could not start in its sandbox: the network is away")
    away.hears("Failed to load resource")


def test_a_device_that_was_measured_is_measured_without_a_server(browser: Browser, deployment: Deployment) -> None:
    page = "/labs/speed/matmul_device/"
    with visiting(browser, deployment.up()) as reader:
        reader.go(page)
        assert not [path for path in reader.requests if path.endswith(".wasm") and "/_astro/" in path]
        reader.figure().set("Rows and columns", 32)
        kept(reader, page)
        kept(reader, "/pyodide/snapshot.bin", "python-")
        for path in (DIST / "_astro").glob("*.wasm"):
            kept(reader, f"/_astro/{path.name}")
        deployment.down()
        reader.page.reload()
        reader.figure().set("Rows and columns", 48)
        reader.figure().host.get_by_role(
            "button", name=re.compile("^JavaScript")
        ).first.click()  # the step that was shown may be of a way not to be had
        expect(reader.figure().host.locator(".picture")).to_contain_text("48 × 48")
        expect(reader.figure().host.get_by_role("alert")).to_have_count(0)


def run_changed(reader: Reader) -> Figure:
    figure = reader.figure()
    figure.button("Source").click()
    editor = figure.host.get_by_role("textbox", name="Python source of The number line")
    editor.fill(SOURCE.replace("Read back, ", "Read without a network, "))
    figure.button("Run this code").click()
    return figure


def run_again(reader: Reader) -> None:
    figure = reader.figure()
    before = figure.serial
    figure.button("Run it live").click()
    figure.settled(before)
    expect(figure.badge).to_have_text("In your browser")


def test_a_page_never_opened_offers_those_that_were(browser: Browser, deployment: Deployment) -> None:
    with visiting(browser, deployment.up()) as reader:
        reader.go("/")
        kept(reader, "/")
        kept(reader, "/pyodide/snapshot.bin", "python-")  # the page fetches it ahead of a run, and would miss it
        deployment.down()
        reader.page.goto(f"{reader.url}{ARTICLE}")
        expect(reader.page.locator("h1")).to_have_text("The network is away")
        reader.page.locator("#kept a").click()
        expect(reader.page.locator("h1")).to_have_text("What happens below the Python API")


def test_a_new_deployment_replaces_the_old_one_whole(
    browser: Browser, deployment: Deployment, tmp_path: Path
) -> None:
    with visiting(browser, deployment.up()) as reader:
        reader.go(ARTICLE)
        before = kept(reader, ARTICLE)
        kept(reader, "/pyodide/snapshot.bin", "python-")
        deployment.down()
        deployment.up(next_build(tmp_path))
        reader.page.reload()
        expect(reader.page.locator("h1")).to_have_text("Quantisation")
        reader.figure("number_line")
        assert kept(reader, ARTICLE, f"site-{'f' * 12}") != before
        reader.page.evaluate(TAKEN_OVER)
        deployment.down()
        reader.requests.clear()
        reader.page.reload()
        expect(reader.page.locator("h1")).to_have_text("Quantisation")
        reader.figure("number_line")
        scripts = [path for path in reader.requests if path.endswith(".js") and path.startswith("/_astro/")]
        assert scripts
        assert all("/next-" in path for path in scripts), scripts


def test_the_api_is_never_kept(browser: Browser, deployment: Deployment) -> None:
    with visiting(browser, deployment.up()) as reader:
        reader.go("/")
        kept(reader, "/")
        reader.go("/")  # now through the service worker
        assert reader.page.evaluate("async () => (await fetch('/api/health')).ok")
        held = """async () => (await Promise.all((await caches.keys()).map(async (name) =>
          (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).flat()"""
        assert not [path for path in reader.page.evaluate(held) if path.startswith(("/api", "/embed", "/metrics"))]
        deployment.down()
        refused = "() => fetch('/api/health').then(() => false, () => true)"
        assert reader.page.evaluate(refused)


def test_a_frame_on_another_page_keeps_nothing(browser: Browser, deployment: Deployment) -> None:
    with visiting(browser, deployment.up()) as reader:
        reader.go("/embed/learning/number_line/")
        reader.figure()
        reader.page.wait_for_load_state("networkidle", timeout=SOON_MS)
        assert reader.page.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length") == 0

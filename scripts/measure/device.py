"""The ladder on a reader's device: WebAssembly in Chromium beside OpenBLAS in this process, in turn."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
from labs.contract import unpack
from labs.speed.matmul_device import Params
from native.models.timing import timed
from playwright.sync_api import Browser
from threadpoolctl import threadpool_limits

from measure.stats import Result, percentile
from measure.worker import Python

LAB = "speed/matmul_device"
SIZES = (256, 512, 768, 1000, 1024, 2048)
TURNS = 3
PATIENCE_MS = 120_000
SIMD_BAR, NUMPY_BAR, THREADS_BAR = 0.45, 40, 1.8


def device(browser: Browser, url: str) -> list[Result]:
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{url}/offline/")
    python = Python(page)
    found = {n: [turn(python, n) for _ in range(TURNS)] for n in SIZES}
    page.close()
    bars = {
        "WASM SIMD to OpenBLAS, one thread": SIMD_BAR,
        # What 128 bits at a time allow: OpenBLAS may have vectors four times as wide.
        "WASM SIMD to the peak of WebAssembly": None,
        "WASM SIMD to NumPy in Pyodide": NUMPY_BAR,
        "two WASM threads to one": THREADS_BAR,
    }
    results = []
    for place, (name, bar) in enumerate(bars.items()):
        ratios = {n: tuple(each[place] for each in turns) for n, turns in found.items()}
        medians = [percentile(each, 0.5) for each in ratios.values()]
        mean = float(np.exp(np.mean(np.log(medians))))
        results.append(Result(f"{name}, geometric mean", (mean,), "×", "score", bar))
        results += [Result(f"{name}, n = {n:,}", each, "×") for n, each in ratios.items()]
    return results


def turn(python: Python, n: int) -> tuple[float, ...]:
    """How many times as fast SIMD is as OpenBLAS (before and after it), as its peak and as NumPy, and two threads
    as one."""
    before = openblas(n)
    ran = python.run(LAB, asdict(Params(n=n)))
    if ran.status != "ok":
        raise RuntimeError(ran.reason)
    event = unpack(ran.events[-1])
    speed = dict(zip(event["names"], event["speed"][:, 1].tolist(), strict=True))
    simd = speed["WASM SIMD"]
    blas = (before + openblas(n)) / 2
    return simd / blas, simd / event["peak"], simd / speed["NumPy"], speed["WASM threads"] / simd


def openblas(n: int) -> float:
    """GFLOP/s of the product that NumPy calls, on one thread."""
    random = np.random.default_rng(n)
    a, b = (random.uniform(-1, 1, (n, n)).astype(np.float32) for _ in range(2))
    c = np.empty_like(a)

    def work(rounds: int) -> None:
        for _ in range(rounds):
            np.matmul(a, b, out=c)

    with threadpool_limits(1):
        return 2 * n**3 / timed(work, 7, 0.3).median / 1e9

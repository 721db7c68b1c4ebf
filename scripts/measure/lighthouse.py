"""Lighthouse's four scores, as on a mid-range phone, for the pages that most readers meet first."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from measure.browser import FLAGS, find
from measure.paint import ARTICLE
from measure.stats import Result

FRONTEND = Path(__file__).resolve().parents[2] / "frontend"
PAGES = ("/", ARTICLE)
BAR = 98.0
CATEGORIES = "performance,accessibility,best-practices,seo"

# Lighthouse slows the processor by a constant 4, which makes a mid-range phone of a fast desktop: one whose
# BenchmarkIndex is 1500 to 2000. On others it asks to calibrate:
# https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md#calibrating-the-cpu-slowdown
PHONE_INDEX = 1750 / 4


def slowdown(url: str) -> float:
    """What makes that phone of this machine."""
    index: float = _report(url, "performance", 4.0)["environment"]["benchmarkIndex"]
    return max(1.0, index / PHONE_INDEX)


def audit(url: str, factor: float) -> dict[str, float]:
    """The scores by category, 0 to 100, on a processor slowed so many times. What cost points goes to stderr."""
    report = _report(url, CATEGORIES, factor)
    for category in report["categories"].values():
        for ref in category["auditRefs"]:
            found = report["audits"][ref["id"]]
            if ref["weight"] and found["score"] is not None and found["score"] < 0.98:
                shown = found.get("displayValue", "")
                sys.stderr.write(f"{url}: {category['title']}: {found['title']} {shown} ({found['score']})\n")
    return {category["title"]: round(100 * category["score"]) for category in report["categories"].values()}


def _report(url: str, categories: str, factor: float) -> Any:
    node = Path(sys.executable).with_name("node")
    chrome = " ".join(("--headless=new", *FLAGS))
    command = [str(node), "node_modules/lighthouse/cli/index.js", url, "--quiet", "--output=json"]
    command += [f"--chrome-flags={chrome}", f"--only-categories={categories}", "--max-wait-for-load=60000"]
    command += [f"--throttling.cpuSlowdownMultiplier={factor:.2f}"]
    env = os.environ | {"CHROME_PATH": find()}
    for _ in range(3):
        done = subprocess.run(command, cwd=FRONTEND, env=env, capture_output=True, check=False, timeout=180)
        if done.returncode == 0:
            return json.loads(done.stdout)
        if b"run Lighthouse again" not in done.stderr:  # so it asks when the browser kept back part of its trace
            break
    raise RuntimeError(f"Lighthouse failed on {url}: {done.stderr.decode()}")


def lighthouse(url: str, repetitions: int = 3) -> list[Result]:
    results = []
    factor = slowdown(url + "/")
    for page in PAGES:
        runs = [audit(url + page, factor) for _ in range(repetitions)]
        for category in runs[0]:
            values = tuple(float(run[category]) for run in runs)
            results.append(
                Result(
                    f"Lighthouse, phone (slowed {factor:.1f} times), {page}: {category}",
                    values,
                    "",
                    held="least",
                    bar=BAR,
                )
            )
    return results

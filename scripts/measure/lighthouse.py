"""Lighthouse's four scores for the home page and every article, as everybody measures them: on its own phone.

It slows network and processor as its default says, the processor four times, whatever it runs on: so the results
name Lighthouse's BenchmarkIndex of the machine. 1,500 to 2,000 makes a mid-range phone, more a better one:
https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md#calibrating-the-cpu-slowdown
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from measure.articles import articles
from measure.browser import FLAGS, find
from measure.paint import ARTICLE
from measure.stats import Result

FRONTEND = Path(__file__).resolve().parents[2] / "frontend"
FIRST_MET = ("/", ARTICLE, "/bits/hash-tables/")
BAR = 98.0
ARTICLE_BAR = 95.0  # of the longest ones
PERFORMANCE = "Performance"
CATEGORIES = "performance,accessibility,best-practices,seo"


def audit(url: str) -> tuple[float, dict[str, float]]:
    """The machine's BenchmarkIndex, and the scores by category, 0 to 100. What cost points goes to stderr."""
    report = _report(url)
    for category in report["categories"].values():
        for ref in category["auditRefs"]:
            found = report["audits"][ref["id"]]
            if ref["weight"] and found["score"] is not None and found["score"] < 0.98:
                shown = found.get("displayValue", "")
                sys.stderr.write(f"{url}: {category['title']}: {found['title']} {shown} ({found['score']})\n")
    scores = {each["title"]: float(round(100 * each["score"])) for each in report["categories"].values()}
    return report["environment"]["benchmarkIndex"], scores


def _report(url: str) -> Any:
    node = Path(sys.executable).with_name("node")
    chrome = " ".join(("--headless=new", *FLAGS))
    command = [str(node), "node_modules/lighthouse/cli/index.js", url, "--quiet", "--output=json"]
    command += [f"--chrome-flags={chrome}", f"--only-categories={CATEGORIES}", "--max-wait-for-load=60000"]
    env = os.environ | {"CHROME_PATH": find()}
    for _ in range(3):
        done = subprocess.run(command, cwd=FRONTEND, env=env, capture_output=True, check=False, timeout=180)
        if done.returncode == 0:
            return json.loads(done.stdout)
        if b"run Lighthouse again" not in done.stderr:  # so it asks when the browser kept back part of its trace
            break
    raise RuntimeError(f"Lighthouse failed on {url}: {done.stderr.decode()}")


def lighthouse(url: str, repetitions: int = 5) -> list[Result]:
    """Single runs differ by some points; its handbook asks for the median of five."""
    results = []
    others: dict[str, list[float]] = {}
    for page in ("/", *articles()):
        indices, runs = zip(*(audit(url + page) for _ in range(repetitions)), strict=True)
        name = f"Lighthouse, phone, on a BenchmarkIndex of {statistics.median(indices):,.0f}, {page}"
        values = tuple(run.pop(PERFORMANCE) for run in runs)
        bar = BAR if page in FIRST_MET else ARTICLE_BAR
        results.append(Result(f"{name}: {PERFORMANCE}", values, "", held="score", bar=bar))
        for run in runs:
            for category, score in run.items():
                others.setdefault(category, []).append(score)
    # No clock has a part in these.
    return results + [
        Result(f"Lighthouse, every page: {category}", tuple(scores), "", held="least", bar=BAR)
        for category, scores in others.items()
    ]

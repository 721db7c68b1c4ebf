"""Lighthouse's four scores, as on a mid-range phone, for the pages that most readers meet first."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from measure.browser import FLAGS, find
from measure.paint import ARTICLE
from measure.stats import Result

FRONTEND = Path(__file__).resolve().parents[2] / "frontend"
PAGES = ("/", ARTICLE)
BAR = 98.0
CATEGORIES = "performance,accessibility,best-practices,seo"


def audit(url: str) -> dict[str, float]:
    """The scores by category, 0 to 100. What cost points is written to stderr."""
    node = Path(sys.executable).with_name("node")
    chrome = " ".join(("--headless=new", *FLAGS))
    command = [str(node), "node_modules/lighthouse/cli/index.js", url, "--quiet", "--output=json"]
    command += [f"--chrome-flags={chrome}", f"--only-categories={CATEGORIES}", "--max-wait-for-load=60000"]
    env = os.environ | {"CHROME_PATH": find()}
    done = subprocess.run(command, cwd=FRONTEND, env=env, stdout=subprocess.PIPE, check=True, timeout=180)
    report = json.loads(done.stdout)
    for category in report["categories"].values():
        for ref in category["auditRefs"]:
            found = report["audits"][ref["id"]]
            if ref["weight"] and found["score"] is not None and found["score"] < 0.98:
                shown = found.get("displayValue", "")
                sys.stderr.write(f"{url}: {category['title']}: {found['title']} {shown} ({found['score']})\n")
    return {category["title"]: round(100 * category["score"]) for category in report["categories"].values()}


def lighthouse(url: str, repetitions: int = 1) -> list[Result]:
    results = []
    for page in PAGES:
        runs = [audit(url + page) for _ in range(repetitions)]
        for category in runs[0]:
            values = tuple(float(run[category]) for run in runs)
            results.append(Result(f"Lighthouse, phone, {page}: {category}", values, "", held="least", bar=BAR))
    return results

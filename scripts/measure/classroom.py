"""A class behind one address: each reader opens an article and moves a slider of a lab on the server."""

from __future__ import annotations

import asyncio
import json
import os
import random
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from measure.serving import serving
from measure.stats import Result, percentile

PAGE = "/learning/quantization/"
LAB = "learning/post_training_quantization"
GESTURES = 4  # of each reader, with some seconds between them
ROUNDS = 3  # of thirty without and with a greedy reader, who is compared with those just before
THINKING_S = 10.0  # on average
VALUES, APART_S = 3, 0.12  # that one gesture passes, and how fast
ADDRESS = {"X-Forwarded-For": "192.0.2.1"}


@dataclass
class Class:
    """What its readers met with."""

    statuses: Counter[int] = field(default_factory=Counter)
    waits: list[float] = field(default_factory=list)
    """Seconds from the last value of a gesture to its first picture."""
    pages: int = 0
    """Opened whole."""


def classroom() -> list[Result]:
    """Thirty readers, the same beside one who asks without a pause, and a hundred."""
    calm, beside = [], []
    for n in range(ROUNDS):
        calm.append(asyncio.run(lesson(30, greedy=0, first=30 * n)))
        beside.append(asyncio.run(lesson(30, greedy=1, first=30 * n)))
    hundred = asyncio.run(lesson(100, greedy=0, first=0))
    waits = tuple(wait for each in calm for wait in each.waits)
    ratios = [percentile(b.waits, 0.95) / percentile(c.waits, 0.95) for b, c in zip(beside, calm, strict=True)]
    wrong = sum(broken(each, 30) for each in [*calm, *beside])
    return [
        Result("class of 30: pages and runs that broke", (wrong,), "", bar=0),
        Result("class of 30: answers of 429", (sum(each.statuses[429] for each in calm),), "", bar=0),
        Result("class of 30: move to picture", waits, "s"),
        Result("class of 30 beside a greedy reader: p95 to that", tuple(ratios), "", held="median", bar=1.5),
        Result("class of 100: pages and runs that broke", (broken(hundred, 100),), "", bar=0),
        Result("class of 100: answers of 429, asked again", (hundred.statuses[429],), ""),
        Result("class of 100: move to picture", tuple(hundred.waits), "s"),
    ]


def broken(lesson: Class, readers: int) -> int:
    wrong = sum(
        count for status, count in lesson.statuses.items() if status >= 500 or status in (400, 403, 404, 422)
    )
    return wrong + readers - lesson.pages + readers * GESTURES - len(lesson.waits)


async def lesson(readers: int, greedy: int, first: int) -> Class:
    """Readers from that number on, at a server of their own, so that no lesson finds what another computed."""
    os.environ["UNDERHOOD_PROXIES"] = "127.0.0.1"
    seen = Class()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        limits = httpx.Limits(max_connections=None)

        def browser() -> httpx.AsyncClient:
            return httpx.AsyncClient(base_url=server.url, headers=ADDRESS, timeout=300, limits=limits)

        selfish = [asyncio.create_task(ask_without_end(browser())) for _ in range(greedy)]
        async with asyncio.timeout(600):
            await asyncio.gather(*(read(browser(), random.Random(n), seen) for n in range(first, first + readers)))
        for task in selfish:
            task.cancel()
        await asyncio.gather(*selfish, return_exceptions=True)
    return seen


async def read(client: httpx.AsyncClient, rng: random.Random, seen: Class) -> None:
    async with client:
        await asyncio.sleep(rng.uniform(0, 5))
        page = await client.get(PAGE)
        seen.pages += page.status_code == 200 and "</html>" in page.text
        run: str | None = None
        for _ in range(GESTURES):
            await asyncio.sleep(rng.expovariate(1 / THINKING_S))
            for value in range(VALUES):
                await asyncio.sleep(APART_S)
                began = time.monotonic()
                asked = {"weight_bits": rng.randint(2, 8), "activation_bits": 2 + value, "seed": rng.randint(0, 9)}
                run = await ask(client, asked | {"epochs": 1}, run, seen)
            if await shows(client, run):
                seen.waits.append(time.monotonic() - began)


async def ask(client: httpx.AsyncClient, params: dict[str, Any], supersedes: str | None, seen: Class) -> str:
    """The run; as the page does, a busy server is asked again when it says."""
    while True:
        body = {"lab": LAB, "params": params} | ({"supersedes": supersedes} if supersedes else {})
        answer = await client.post("/api/runs", json=body)
        seen.statuses[answer.status_code] += 1
        if answer.status_code != 429:
            return str(answer.raise_for_status().json()["id"])
        await asyncio.sleep(float(answer.headers["Retry-After"]))


async def shows(client: httpx.AsyncClient, run: str) -> bool:
    """Whether the run came to a picture; returns with the first."""
    async with client.stream("GET", f"/api/runs/{run}/events") as stream:
        async for line in stream.aiter_lines():
            kind = json.loads(line[5:])["kind"] if line.startswith("data:") else "queued"
            if kind not in ("queued", "started"):
                return bool(kind != "end")
    return False


async def ask_without_end(client: httpx.AsyncClient) -> None:
    """A reader who starts whatever the limits allow, and watches nothing."""
    async with client:
        await client.get(PAGE)
        for seed in range(10, 10_000):
            answer = await client.post("/api/runs", json={"lab": LAB, "params": {"seed": seed}})
            await asyncio.sleep(float(answer.headers.get("Retry-After", 0.05)))

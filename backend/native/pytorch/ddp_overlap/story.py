"""A run: train, compare, and tell the median step, moment by moment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from labs.contract import Sentence, say

from native.pytorch.ddp_overlap.check import compared
from native.pytorch.ddp_overlap.group import trained
from native.pytorch.ddp_overlap.network import LINKS
from native.pytorch.ddp_overlap.schedule import WAYS, Schedule, busy_and_hidden, schedule, took
from native.pytorch.ddp_overlap.train import SAMPLES, WIDTH, Job

if TYPE_CHECKING:
    from native.pytorch.ddp_overlap import Params


def moments(params: Params) -> Iterator[dict[str, Any]]:
    job = Job(
        processes=params.processes,
        layers=params.layers,
        bucket=params.bucket,
        delay=params.delay / 1e3,
        rate=LINKS[params.link],
        straggler=params.straggler / 1e3,
        repetitions=params.repetitions,
    )
    told = trained(job)
    sizes = [WIDTH * WIDTH, WIDTH] * params.layers
    each = [
        schedule([one.steps["overlapping"][n] for one in told], sizes) for n in range(len(told[0].steps["after"]))
    ]
    shares = [busy_and_hidden(one.compute, one.network) for one in each]
    times = {way: took(told, way) for way in WAYS}
    shown = int(np.argsort(times["overlapping"])[len(each) // 2])
    drawn = each[shown]
    busy, hidden = shares[shown][0]
    overlap = [one[:, 1].sum() / one[:, 0].sum() for one in shares]
    check = compared(told, params.layers)
    common = {
        "end": drawn.end,
        "gradients": [one.name for one in drawn.gradients],
        "layers": np.array([one.layer for one in drawn.gradients], np.uint8),
        "kib": np.array([one.kib for one in drawn.gradients], np.float32),
        "home": np.array([one.bucket for one in drawn.gradients], np.uint8),
        "ready": np.array([one.ready for one in drawn.gradients], np.float32),
        "buckets": np.array(drawn.buckets, np.float32),
        "compute": drawn.compute.astype(np.float32),
        "network": drawn.network.astype(np.float32),
        "ways": list(WAYS),
        "took": np.array([np.percentile(times[way], (25, 50, 75)) for way in WAYS], np.float32),
        "busy": float(busy),
        "hidden": float(hidden),
        "overlap": np.percentile(overlap, (25, 50, 75)).astype(np.float32),
        "sent": sum(sizes) * 4 / 2**20 * 2 * (params.processes - 1) / params.processes,
        **asdict(check),
    }
    over = float(drawn.compute[0, -1, 1])
    for now, text in told_moments(drawn, params.processes):
        yield {"text": text, "stage": "backward" if now < over else "exchange", "now": now, **common}
    yield {
        "text": verdict(float(np.median(overlap)), check.same_bits),
        "stage": "compared",
        "now": drawn.end,
        **common,
    }


def told_moments(drawn: Schedule, processes: int) -> Iterator[tuple[float, Sentence]]:
    """What happens on the first process, in order: milliseconds, and a sentence."""
    begin = float(drawn.compute[0, 0, 1])
    said = say("{} processes have computed the loss of {} samples each, and begin backward.", processes, SAMPLES)
    told = [(begin, said)]
    for n, (_, now) in enumerate(drawn.compute[0, 1:]):
        layer = len(drawn.compute[0]) - 1 - n
        bucket = next(each.bucket for each in drawn.gradients if each.name == f"{layer}.weight")
        last = max(each.ready for each in drawn.gradients if each.bucket == bucket)
        full = say("is full and leaves") if last <= now else say("waits for more")
        told.append(
            (float(now), say("The gradients of layer {} are ready: bucket {} {}.", layer, bucket + 1, full))
        )
    over = drawn.compute[0, -1, 1]
    for n, (_, start, done) in enumerate(drawn.network[0]):
        after = (
            say("while process 1 is still in backward")
            if done < over
            else say("after process 1 has finished backward")
        )
        words = "Bucket {} is averaged, {:.1f} ms after all processes had started on it, {}."
        told.append((float(done), say(words, n + 1, done - start, after)))
    yield from sorted(told, key=lambda each: each[0])


def verdict(overlap: float, same_bits: float) -> Sentence:
    hidden = say("Backward hid {:.0%} of the network’s time", overlap)
    if same_bits == 1:
        return say("{}, and every gradient has the same bits as with one process.", hidden)
    return say("{}, and {:.1%} of the gradients have the same bits as with one process.", hidden, same_bits)

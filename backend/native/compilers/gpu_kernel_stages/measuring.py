"""What a GPU takes: the tiles of one kernel, every kernel, the whole block, and PyTorch with the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from native.compilers.gpu_kernel_stages import on_gpu, price, tell
from native.compilers.gpu_kernel_stages.pictures import Picture, Way
from native.compilers.gpu_kernel_stages.search import branches
from native.compilers.gpu_kernel_stages.tiles import Tile

if TYPE_CHECKING:
    from native.compilers.gpu_kernel_stages.story import Story

TRIED = 16
"""Tiles that are measured, those of the best predictions"""
NOISE = 1.05
"""A time may be so much below what the published speed allows: its clock is not that of every card"""


def measured(story: Story, gpu: on_gpu.OnGpu) -> Iterator[Picture]:
    params = story.params
    yield from trials(story, gpu)
    clock = on_gpu.without_waiting if params.no_wait else on_gpu.median
    impossible: list[str] = []
    if not params.everything:
        for at, (name, work) in enumerate(gpu.works()):
            seconds, it = clock(work), story.ready[at]
            if seconds < it.floor / NOISE:
                impossible.append(name)
            else:
                story.ready[at] = replace(it, measured=seconds)
    whole = clock(gpu.all())
    if whole < story.picture.floor / NOISE:
        impossible.append("the whole block")
    kept = None if impossible else whole
    text = tell.measured(whole, story.total, impossible)
    yield story.show("measured", text, kernels=list(story.ready), measured=kept, impossible=impossible, branches=[])
    if kept is None:
        return
    for name, says, rival in on_gpu.rivals(story.made.source, params.seed):
        taken = on_gpu.median(rival)
        way = Way(name, says, taken, whole / taken)
        yield story.show("measured", tell.rival(way), ways=[*story.picture.ways, way])


def trials(story: Story, gpu: on_gpu.OnGpu) -> Iterator[Picture]:
    """The tiles of the kernel that is followed, where there was a search for one."""
    name = story.ready[story.made.follow].name
    if name not in story.made.searches or story.params.everything or story.params.no_wait:
        return
    search = story.made.searches[name]

    def predicted(tile: Tile) -> float:
        return price.price(search.kernel, tile, search.gpu).seconds

    every = sorted(search.where.tiles(), key=predicted)[:TRIED]
    taken = gpu.tried(search.kernel, every)
    gpu.run()
    best = min(taken, key=lambda tile: taken[tile])
    assert search.best
    ratio = taken[search.best] / taken[best]
    text = tell.trial(name, len(taken), said(best), said(search.best), ratio)
    yield story.show("tiles", text, branches=branches(search, taken), behind=ratio)


def said(tile: Tile) -> str:
    return " × ".join(map(str, tile))

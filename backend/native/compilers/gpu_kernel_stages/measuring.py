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
WHOLE = "the whole block"
NOISE = 1.05
"""A time may be so much below what the published speed allows: its clock is not that of every card"""


def measured(story: Story, gpu: on_gpu.OnGpu) -> Iterator[Picture]:
    params = story.params
    yield from trials(story, gpu)
    clock = on_gpu.without_waiting if params.no_wait else on_gpu.median
    taken = {} if params.everything else {name: clock(work) for name, work in gpu.works()}
    taken[WHOLE] = whole = clock(gpu.all())
    floors = {it.name: it.floor for it in story.ready} | {WHOLE: story.picture.floor}
    if impossible := [name for name, seconds in taken.items() if seconds < floors[name] / NOISE]:
        name = impossible[-1]  # the clock is wrong, so what it says of the others is not shown either
        text = tell.refused(name, taken[name], floors[name])
        yield story.show("measured", text, impossible=impossible, branches=[])
        return
    story.ready = [replace(it, measured=taken.get(it.name)) for it in story.ready]
    text = tell.measured(whole, story.total)
    yield story.show("measured", text, kernels=list(story.ready), measured=whole, branches=[])
    for name, says, rival in on_gpu.rivals(story.made.source, params.seed):
        seconds = on_gpu.median(rival)
        way = Way(name, says, seconds, whole / seconds)
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

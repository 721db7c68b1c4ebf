"""What content/speed/01-matrix-multiplication.mdx says of its blocks, asked of the recording."""

from __future__ import annotations

from article import Article, recorded
from native.speed.tile_surface import DEPTHS, STRIPS, Params

says = Article("speed/01-matrix-multiplication.mdx").says


def test_the_depth_of_a_block_decides() -> None:
    says("The depth decides. With a depth of 8, C is read and written 96 times, and a product of 768 rows takes …")
    last = recorded("speed/tile_surface")[-1]
    assert last["n"] == 768 and last["n"] / DEPTHS[0] == 96 and last["stage"] == "measured"
    took = last["took"]
    over_depth = took.max(axis=0) / took.min(axis=0)
    over_height = took.max(axis=1) / took.min(axis=1)
    assert over_depth.min() > 1.3 and over_depth.min() > over_height.max()


def test_the_model_comes_close_and_the_surface_is_flat() -> None:
    says("it takes the operations at the peak, and everything that moves at the speed measured")
    last = recorded("speed/tile_surface")[-1]
    for deep in (8, 256):
        at = DEPTHS.index(deep), STRIPS.index(16)
        assert 0.7 < last["took"][at] / last["predicted"][at] < 1.4
    says("From there on the surface is nearly flat, so a block need not be chosen exactly")
    flat = last["took"][DEPTHS.index(256) :, STRIPS.index(4) :]
    assert flat.max() < 1.15 * last["took"].min()
    assert (Params().strips, Params().deep) == (16, 256)
    says("So for most blocks the processor is faster than the model.")
    assert (last["took"] < last["predicted"]).mean() > 0.5

"""Nine layers, forward and backward, in the checkpoints that the chapter on saved state draws, or the reader's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count

import torch
from torch import Tensor

from native.models import chain_pieces
from native.models.chain import Chain, folder_for, passed
from native.models.chain_pieces import Keeps, Piece
from native.models.saved_tensors import Files
from native.pytorch.ways_timed.made import Made

LAYERS, WIDTH = 9, 64
KEEPS: dict[str, Keeps] = {"": "input", "k": "all", "s": "products", "f": "files"}
SUCH = "4 s3 k2, with k for one that keeps everything, s for a selective checkpoint, and f for files"
CALLS = {"": "a checkpoint", "k": "keeps all", "s": "selective", "f": "in files"}


def chain(rows: int, dtype: torch.dtype = torch.float32) -> Chain:
    """The one that the chapter's first figure draws."""
    return Chain([WIDTH] * (LAYERS + 1), rows, 12, dtype)


def step(of: Chain, pieces: Sequence[Piece]) -> Tensor:
    """Forward and backward. All gradients are computed; that of the first weights has come the longest way.

    What waits in files is neither weights nor the input, which are there anyway.
    """
    given = {each.data_ptr() for each in (of.x, *of.weights)}
    names = count(1)
    with folder_for(pieces) as folder, torch.enable_grad():
        files = Files(folder, lambda saved: "" if saved.data_ptr() in given else str(next(names)))
        result = of.forward(pieces, files)
        return torch.autograd.grad(result, of.weights, of.direction)[0]


def exact(x: Tensor) -> Tensor:
    return step(chain(len(x), torch.float64), chosen("k9"))


def chosen(text: str) -> list[Piece]:
    """See ``chain_pieces.chosen``, such as "4 s3 f2"."""
    return chain_pieces.chosen(text, LAYERS, KEEPS, SUCH)


def described(pieces: Sequence[Piece]) -> str:
    words = {keeps: CALLS[letter] for letter, keeps in KEEPS.items()}
    return ", ".join(f"{each.stop - each.start}: {words[each.keeps]}" for each in pieces)


def ways(x: Tensor, own: str) -> Iterator[Made]:
    """The last is the reader's."""
    of = chain(len(x))
    for name, says, does, text in (
        ("all", "keeps all", "h = gelu(h @ w), nine times", "k9"),
        ("threes", "three checkpoints", "checkpoint(three layers, h)", "3 3 3"),
        ("best", "the best borders", "checkpoints of 3, 2 and 2 layers", "3 2 2 k2"),
        ("one", "one checkpoint", "checkpoint(nine layers, h)", "9"),
        ("selective", "selective", "three checkpoints that keep products", "s3 s3 s3"),
        ("files", "in files", "saved_tensors_hooks(write, read)", "f9"),
        ("yours", "yours", described(chosen(own)), own),
    ):
        pieces = chosen(text)
        yield Made(name, says, does, called(of, pieces), peak=passed(of, pieces).peak)


def called(of: Chain, pieces: Sequence[Piece]) -> Callable[[Tensor], Tensor]:
    """The input is the chain's own."""
    run = partial(step, of, pieces)
    return lambda _: run()

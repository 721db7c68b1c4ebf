"""What PyTorch ships for the same rewrites."""

from __future__ import annotations

import warnings

import torch
from torch import Tensor, fx
from torch.fx.passes.dialect.common.cse_pass import CSEPass, get_CSE_banned_ops
from torch.nn import functional

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of what this module imports itself
    from torch.fx.experimental.optimization import fuse, remove_dropout


def rewritten(graph: fx.GraphModule, rewrite: str) -> fx.GraphModule:
    """Each of them returns a graph of its own, or changes the one it gets.

    Raises ``AssertionError`` where torch refuses.
    """
    if rewrite == "fold":
        return fuse(graph, no_trace=True)  # type: ignore[return-value]
    if rewrite == "dropout":
        return remove_dropout(graph)  # type: ignore[return-value]
    if rewrite == "merge":
        result = CSEPass(banned_ops=get_CSE_banned_ops())(graph)
        assert result is not None
        made: fx.GraphModule = result.graph_module
        return made
    fx.replace_pattern(graph, product, smooth)
    return graph


NAMES = {
    "fold": "torch.fx.experimental.optimization.fuse",
    "silu": "torch.fx.replace_pattern",
    "dropout": "torch.fx.experimental.optimization.remove_dropout",
    "merge": "CSEPass",
}


def product(y: Tensor) -> Tensor:
    return y * torch.sigmoid(y)


def smooth(y: Tensor) -> Tensor:
    return functional.silu(y)

"""The transformer in PyTorch: it is trained as this, and tests hold the kernel against it.

    tokens [n, t] -> embedding + place -> LAYERS of (attention, two products) -> norm -> logits [n, t, VOCABULARY]

Norms have no weights and products no bias; the last product uses the embedding again.
"""

from __future__ import annotations

import numpy as np
import torch
from native.models.transformer.shape import CONTEXT, HEADS, INNER, LAYERS, VOCABULARY, WIDTH
from native.models.transformer.weights import Codes, matrices
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812, torch's own convention

EPSILON = 1e-5  # of the norms


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.mix = nn.Linear(WIDTH, WIDTH, bias=False)
        self.up = nn.Linear(WIDTH, INNER, bias=False)
        self.down = nn.Linear(INNER, WIDTH, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        parts = self.attention(norm(x)).unflatten(-1, (3, HEADS, -1))
        query, keys, values = parts.permute(2, 0, 3, 1, 4)  # each [n, HEADS, t, WIDTH / HEADS]
        seen = F.scaled_dot_product_attention(query, keys, values, is_causal=True)
        x = x + self.mix(seen.transpose(1, 2).flatten(2))
        x = x + self.down(F.relu(self.up(norm(x))).square())
        return x


class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Embedding(CONTEXT, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.tokens(tokens) + self.places(torch.arange(tokens.shape[1]))
        for layer in self.layers:
            x = layer(x)
        return F.linear(norm(x), self.tokens.weight)


def norm(x: Tensor) -> Tensor:
    normal: Tensor = F.rms_norm(x, (WIDTH,), eps=EPSILON)
    return normal


def rounded(network: Network) -> Codes:
    """Its weights as they are kept."""
    codes: Codes = {}
    for name, parameter in network.state_dict().items():
        matrix = parameter.numpy()
        scale = np.abs(matrix).max(1, keepdims=True) / 127
        codes[name] = np.round(matrix / scale).astype(np.int8)
        codes[f"{name}/scale"] = scale.astype(np.float32)
    return codes


def kept(codes: Codes) -> Network:
    """With exactly the weights that are served."""
    network = Network()
    network.load_state_dict({name: torch.from_numpy(matrix) for name, matrix in matrices(codes).items()})
    return network.eval()

"""Train the transformer that speed/inference_server serves, on the book's own articles, and write its weights:

    .venv/bin/python scripts/train_transformer.py

Half an hour on one core. The file is checked in, so that no run has to train. Each matrix is rounded to
eight bits with one scale for each of its rows, which makes it a quarter of the size; what is served are the rounded
weights, as float32.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import re
import time
from pathlib import Path

import numpy as np
import torch
from native.models.transformer import weights
from native.models.transformer.shape import CONTEXT, encode
from torch.nn import functional as F  # noqa: N812
from transformer_network import Network, kept, rounded

CONTENT = Path(__file__).resolve().parent.parent / "content"
STEPS = 3000
BATCH = 8
RATE = 3e-3
HELD_OUT = 0.05
HOLE = "\0"


def prose(article: str) -> str:
    """What a reader reads as sentences: no head, no code, no tags. A sentence with a measured number, a
    formula or a sign beyond ASCII is left out.
    """
    article = re.sub(r"\A---.*?^---$", "", article, flags=re.DOTALL | re.MULTILINE)
    article = re.sub(r"^(```.*?^```|import .*?|export .*?)$", "", article, flags=re.DOTALL | re.MULTILINE)
    article = re.sub(r"<Value[^>]*>|\$[^$]*\$|\{[^{}]*\}", HOLE, article)
    article = re.sub(r"<[^>]*>", "", article)
    article = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", article)
    article = re.sub(r"[*`#|]|^\s*[-+] ", "", article, flags=re.MULTILINE)
    article = article.translate(str.maketrans("‘’“”–—×", "''\"\"--x"))
    paragraphs = (re.split(r"(?<=[.?!:]) ", " ".join(part.split())) for part in re.split(r"\n\s*\n", article))
    kept = (" ".join(each for each in part if HOLE not in each and each.isascii()) for part in paragraphs)
    return "\n".join(part for part in kept if len(part) > 40)


def main() -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)
    articles = sorted(path for path in CONTENT.glob("*/*.mdx") if ".de." not in path.name)
    text = "\n".join(prose(path.read_text(encoding="utf-8")) for path in articles)
    tokens = torch.tensor(encode(text))
    held_out = int(HELD_OUT * len(tokens))
    train, test = tokens[:-held_out], tokens[-held_out:]
    network = Network()
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.02 if parameter.shape[0] > 256 else 0.05)
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, betas=(0.9, 0.98), weight_decay=0.05)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=STEPS, pct_start=0.05)
    begun = time.perf_counter()
    for step in range(1, STEPS + 1):
        at = torch.randint(len(train) - CONTEXT - 1, (BATCH, 1)) + torch.arange(CONTEXT + 1)
        piece = train[at]
        loss = F.cross_entropy(network(piece[:, :-1]).flatten(0, 1), piece[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 50 == 0:
            print(f"{step} of {STEPS}: loss {loss.item():.3f}, {time.perf_counter() - begun:.0f} s", flush=True)
    codes = rounded(network)
    served = kept(codes)
    with torch.no_grad():
        pieces = test[: len(test) // (CONTEXT + 1) * (CONTEXT + 1)].view(-1, CONTEXT + 1)
        unseen = F.cross_entropy(served(pieces[:, :-1]).flatten(0, 1), pieces[:, 1:].flatten()).item()
    provenance = {
        "text": f"the prose of {len(articles)} articles of this book, {len(text):,} characters",
        "text_sha256": hashlib.sha256(text.encode()).hexdigest(),
        "held_out": f"the last {held_out:,} characters, {unseen / math.log(2):.3f} bits each",
        "training": {"steps": STEPS, "sequences": BATCH, "rate": RATE, "seed": 0},
        "torch": torch.__version__,
    }
    packed = io.BytesIO()
    np.savez_compressed(packed, **codes, provenance=np.array(json.dumps(provenance)))
    weights.FILE.write_bytes(packed.getvalue())
    print(json.dumps(provenance, indent=1), f"{len(packed.getvalue()):,} bytes", sep="\n")


if __name__ == "__main__":
    main()

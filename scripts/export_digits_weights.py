"""Train the digit network of post_training_quantization with its default parameters and ship its first
fully connected layer, which uniform_quantization rounds in the reader's browser:

    .venv/bin/python scripts/export_digits_weights.py

The file is checked in, so that a reader's browser needs no training;
tests/labs/learning/uniform_quantization/test_weights.py trains again and compares.
"""

from __future__ import annotations

import hashlib
import io
import json
import platform
import re
from pathlib import Path

import numpy as np
import torch
from labs.learning.uniform_quantization import matrices as weights
from native.learning.post_training_quantization import BATCH, Params, cnn

MODULE = Path(weights.__file__)


def main() -> None:
    params = Params()
    network, _ = cnn.trained(params.seed, params.epochs, params.learning_rate, BATCH)
    provenance = {
        "lab": "learning/post_training_quantization",
        "layer": "fc1, weight [64, 512], float32",
        "params": {"epochs": params.epochs, "learning_rate": params.learning_rate, "seed": params.seed},
        "data": "scikit-learn's digits, 1,797 images of 8x8 pixels",
        "torch": torch.__version__,
        "machine": platform.machine(),
    }
    packed = io.BytesIO()
    np.savez_compressed(packed, fc1=network["fc1"][0].float().numpy(), provenance=np.array(json.dumps(provenance)))
    MODULE.with_name(weights.NETWORK_FILE).write_bytes(packed.getvalue())
    digest = hashlib.sha256(packed.getvalue()).hexdigest()
    source = MODULE.read_text(encoding="utf-8")
    MODULE.write_text(re.sub(r'NETWORK_SHA256 = ".*"', f'NETWORK_SHA256 = "{digest}"', source), encoding="utf-8")
    print(f"{weights.NETWORK_FILE}: {len(packed.getvalue()):,} bytes, sha256 {digest}")


if __name__ == "__main__":
    main()

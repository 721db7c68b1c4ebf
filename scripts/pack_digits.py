"""Pack scikit-learn's handwritten digits for labs that run in the reader's browser:

    .venv/bin/python scripts/pack_digits.py

The file is checked in; tests/labs/tensors/mlp_digits/test_digits.py compares it with scikit-learn's.
"""

from __future__ import annotations

import hashlib
import io
import re
from pathlib import Path

import numpy as np
from labs.tensors.mlp_digits import digits
from sklearn.datasets import load_digits

MODULE = Path(digits.__file__)


def main() -> None:
    data = load_digits()
    packed = io.BytesIO()
    np.savez_compressed(packed, images=data.data.astype(np.uint8), labels=data.target.astype(np.uint8))
    MODULE.with_name(digits.FILE).write_bytes(packed.getvalue())
    digest = hashlib.sha256(packed.getvalue()).hexdigest()
    source = MODULE.read_text(encoding="utf-8")
    MODULE.write_text(re.sub(r'SHA256 = ".*"', f'SHA256 = "{digest}"', source), encoding="utf-8")
    print(f"{digits.FILE}: {len(packed.getvalue()):,} bytes, sha256 {digest}")


if __name__ == "__main__":
    main()

"""Train the network of mlp_digits with the lab's own settings, and keep its weights where the lab reads them."""

from __future__ import annotations

import sys
from pathlib import Path

from labs.tensors import mlp_digits
from labs.tensors.mlp_digits import Params, course_of
from labs.tensors.mlp_digits.kept import FILE, packed
from labs.tensors.mlp_digits.training import train


def main() -> int:
    room = Path(str(mlp_digits.__file__)).parent
    (room / FILE).write_bytes(packed(list(train(course_of(Params())))))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What the chapter on schemas says of operators that may return what they write to, asked of torch."""

from __future__ import annotations

import torch
from article import Article

says = Article("pytorch/11-schema-keys-meta.mdx").says


def test_two_tags_are_exceptions() -> None:
    says("with `torch.Tag.inplace` an operator may return the first argument after writing to it")
    says("with `torch.Tag.out` its `out` arguments")
    library = torch.library.Library("claims11tags", "FRAGMENT")
    try:
        library.define("twice_(Tensor(a!) x) -> Tensor(a!)", tags=[torch.Tag.inplace])
        library.define("twice(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", tags=[torch.Tag.out])
        for key in ("CPU", "Meta"):
            library.impl("twice_", lambda x: x.mul_(2), key)
            library.impl("twice", lambda x, *, out: torch.mul(x, 2, out=out), key)
        ours = torch.ops.claims11tags

        def program(x: torch.Tensor) -> torch.Tensor:
            return ours.twice_(x) + ours.twice(x, out=torch.empty_like(x))

        x = torch.ones(3)
        y = torch.compile(program, backend="aot_eager", fullgraph=True)(x)
        assert x.tolist() == [2.0] * 3 and y.tolist() == [6.0] * 3
    finally:
        torch._dynamo.reset()
        library._destroy()

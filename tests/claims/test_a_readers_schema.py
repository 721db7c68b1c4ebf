"""What the chapter on schemas says of one that its reader writes."""

from __future__ import annotations

from typing import Any

import torch
from article import Article
from native.pytorch.operator_schema import OWN, Params, run
from native.pytorch.operator_schema.promised import Promised, uncalled
from native.pytorch.operator_schema.typed import read
from torch._dynamo.backends.common import aot_autograd

ARTICLE = Article("pytorch/11-schema-keys-meta.mdx")
says = ARTICLE.says


def calls(schema: str) -> int:
    """How many are left in what the compiler makes of a program with two."""
    made = Promised(read(schema), "new", "right")
    case, found = made.case(), list[str]()

    def keep(module: Any, _: Any) -> Any:
        found.append(module.code)
        return module

    torch._dynamo.reset()
    torch.compile(case.program, backend=aot_autograd(fw_compiler=keep), fullgraph=True)(*case.make()[0])
    torch._dynamo.reset()
    made.close()
    return "".join(found).count(f"{schema.partition('(')[0]}.default")


def test_a_schema_without_a_result() -> None:
    says("promises to write nothing, and returns nothing. Our program calls it twice", "does not call it at all")
    for kernel, eager in (("new", [1, 2, 3, 4]), ("mutates", [3, 4, 5, 6])):
        *_, end = run(Params(own=OWN["no_result"], kernel=kernel))  # type: ignore[arg-type]
        values = {each.name: each.values for each in end.roads}
        assert values["eager"] == eager and values["compile"] == [1, 2, 3, 4]
    assert 'own="@no_result" kernel="mutates" step={8}' in ARTICLE.text and end.roads[3].name == "compile"
    assert [*run(Params(own=OWN["no_result"], kernel="mutates"))][7].stage == "compile"
    assert calls(OWN["no_result"]) == 0
    assert calls(OWN["no_result"].replace("Tensor", "Tensor(a!)")) == 2


def test_most_schemas_can_be_tried() -> None:
    says("For most of them the lab can make up an operator")
    every = torch._C._jit_get_all_schemas()
    assert sum(not uncalled(each) for each in every) > len(every) / 2

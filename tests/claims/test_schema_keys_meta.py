"""What the chapter on schemas says, asked of its lab and of torch."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
import torch._functorch.config as functorch
from article import CONTENT, Article
from native.pytorch.operator_schema import Params, Told, run
from native.pytorch.operator_schema.pictures import Road

ARTICLE = Article("pytorch/11-schema-keys-meta.mdx")
says = ARTICLE.says
Tensor = torch.Tensor


def log(**params: Any) -> list[Told]:
    return list(run(Params(**params)))


def roads(**params: Any) -> dict[str, Road]:
    return {each.name: each for each in log(**params)[-1].roads}


def failing(**params: Any) -> set[str]:
    return {name for name, road in roads(**params).items() if road.state in ("fails", "differs")}


@pytest.fixture
def define() -> Iterator[Callable[..., Any]]:
    """An operator of the given schema in a library that ends with the test."""
    library: Any = torch.library.Library("claims11", "FRAGMENT")

    def made(schema: str, kernel: Callable[..., Any], fake: Callable[..., Any] = torch.empty_like) -> Any:
        name = schema.partition("(")[0]
        library.define(schema)
        library.impl(name, kernel, "CPU")
        torch.library.register_fake(f"claims11::{name}", fake, lib=library)
        return getattr(torch.ops.claims11, name).default

    made.library = library  # type: ignore[attr-defined]
    yield made
    torch._dynamo.reset()
    library._destroy()


def graphs(program: Callable[..., Any], *inputs: Tensor) -> str:
    """The code that is compiled."""
    from torch._dynamo.backends.common import aot_autograd

    seen = []

    def keep(module: Any, _: Any) -> Any:
        seen.append(module.code)
        return module

    torch._dynamo.reset()
    torch.compile(program, backend=aot_autograd(fw_compiler=keep), fullgraph=True)(*inputs)
    torch._dynamo.reset()
    return "".join(seen)


def test_the_number_changes_without_a_word() -> None:
    says("the last number that it returns falls from … to …", "There is no error and no warning")
    found = roads()
    assert (found["eager"].values[3], found["compile"].values[3]) == (272, 72)
    assert found["compile"].state == "differs" and found["compile"].says == ""
    says("doubles its argument in place and returns a copy")


def test_the_call_is_removed(define: Callable[..., Any]) -> None:
    says("so the compiler removes the call", "Eager doubles `x` twice, and the compiled program doubles it once")
    says("`export` keeps the call in its graph, and agrees with eager")
    for mark, calls in (("", 1), ("(a!)", 2)):
        name = "marked" if mark else "hidden"
        operator = define(f"{name}(Tensor{mark} x) -> Tensor", lambda x: x.mul_(2).clone())

        class Program(torch.nn.Module):
            def forward(self, x: Tensor, operator: Any = operator) -> Any:
                operator(x)
                y = operator(x).add_(1)
                return x.view(4) * y.view(4)

        code = graphs(Program(), torch.ones(2, 2))
        found = code.count(f"claims11.{name}") + code.count("auto_functionalized")
        assert found >= 2 if mark else found == calls
        exported = torch.export.export(Program(), (torch.ones(2, 2),))
        assert sum(each.target is operator for each in exported.graph.nodes) == 2
        if not mark:
            with warnings.catch_warnings(action="ignore"):  # of torch's own code
                lower = exported.run_decompositions()
            assert sum(each.target is operator for each in lower.graph.nodes) == 1
    assert roads()["export"].result == roads()["eager"].result
    says("until `run_decompositions()` removes the call there, too")
    says("With `Tensor(a!) x` the compiler keeps the call as well")
    marked = roads(operator="scaled(a!)")
    assert marked["compile"].result == marked["eager"].result == roads()["eager"].result


def test_marks_of_torch() -> None:
    says("add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)")
    assert log(operator="add_")[0].schema == (
        "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)"
    )
    assert log(operator="split")[0].slots[0].mark == "a -> *"
    says("`reshape` returns a view where the strides allow one", "the result has a storage of its own")
    x = torch.ones(2, 3)
    assert x.reshape(6).data_ptr() == x.data_ptr()
    shown = next(each for each in log(operator="reshape") if each.stage == "call")
    assert [len(each.slots) for each in shown.places] == [1, 1]


def test_a_raw_write() -> None:
    says("With the mark, backward refuses", "the gradient is twice as large as it should be")

    def kernel(x: Tensor) -> Tensor:
        numbers = x.numpy()
        numbers *= 2
        return x.clone()

    kernel.__annotations__ = {"x": Tensor, "return": Tensor}
    for name, writes in (("claims11b::hidden", ()), ("claims11b::marked", {"x"})):
        operator = torch.library.custom_op(name, kernel, mutates_args=writes)
        weight = torch.tensor([3.0], requires_grad=True)
        saved = weight * 1
        loss = (saved * saved).sum()
        operator(saved.detach())
        if writes:
            with pytest.raises(RuntimeError, match="modified by an inplace operation"):
                torch.autograd.grad(loss, weight)
        else:
            assert torch.autograd.grad(loss, weight)[0].item() == 12  # and 6 is right


def test_define_raises_no_version(define: Callable[..., Any]) -> None:
    says("(For an operator made with `Library.define` it does not.)")

    def kernel(x: Tensor) -> Tensor:
        numbers = x.numpy()
        numbers *= 2
        return torch.from_numpy(numbers.copy())

    x = torch.ones(2)
    define("raw(Tensor(a!) x) -> Tensor", kernel)(x)
    assert x.tolist() == [2, 2] and x._version == 0


def test_batch_norm(define: Callable[..., Any]) -> None:
    says("which have no mark, and their versions stay at zero")
    *_, end = log(operator="native_batch_norm")
    assert [(each.after, each.lie) for each in end.places if each.changed] == [(0, "written")] * 2
    says("passes it all the same: PyTorch knows this operator by its name")
    assert {each.name: each.state for each in end.roads}["test_schema"] == "works"
    schema = torch.ops.aten.native_batch_norm.default._schema
    text = "native_batch_norm" + str(schema).removeprefix("aten::native_batch_norm")
    same = define(text, lambda *given: None)._schema
    private: Any = torch._C
    for each, known in ((schema, True), (same, False)):
        info = private._SchemaInfo(each)
        info.add_argument_value("training", True)
        assert info.is_mutable(private._SchemaArgument(private._SchemaArgType.input, 3)) == known
    says("Before it compiles, PyTorch swaps the operator for one with the right marks")
    code = graphs(
        lambda x, m, v: torch.ops.aten.native_batch_norm(x, None, None, m, v, True, 0.1, 1e-5)[0],
        torch.randn(4, 3),
        torch.zeros(3),
        torch.ones(3),
    )
    assert "_native_batch_norm_legit" in code and "aten.native_batch_norm." not in code
    says('"in two weeks or so"', "It is still there in 2.13")
    import inspect

    import torch._decomp.decompositions as source

    assert "In two weeks or so, we should remove this decomposition" in inspect.getsource(source)


def test_what_is_missing() -> None:
    says("\"Could not run 'ours::scaled' with arguments from the 'CPU' backend\"")
    assert roads(kernel="missing")["eager"].says.startswith("Could not run 'ours::scaled' with arguments from the")
    says("Without one PyTorch warns", "The gradient may even be right")
    backward = roads(kernel="new", autograd=False)["backward"]
    assert backward.state == "warns" and backward.values == [2, 2, 2, 2]
    says("and eager and backward work as before", "Operator does not support running with fake tensors")
    found = roads(kernel="new", meta="missing")
    assert (found["eager"].state, found["backward"].state) == ("works", "works")
    assert {found[name].state for name in ("fake tensors", "export", "compile")} == {"fails"}
    assert found["compile"].says == "Operator does not support running with fake tensors"
    says("the strides are those of a transposed matrix", "`export` stops at this `view`, and so does `compile`")
    wrong = roads(kernel="new", meta="wrong_strides")
    assert wrong["fake tensors"].result == "[2, 2] with strides [1, 2]" and "Cannot view" in wrong["export"].says
    assert wrong["eager"].state == "works" and wrong["compile"].state == "fails"


def test_numpy_has_no_gradient(define: Callable[..., Any]) -> None:
    says("If it uses NumPy, there is none")
    operator = define("numpy(Tensor x) -> Tensor", lambda x: torch.from_numpy(x.detach().numpy() * 2))
    weight = torch.ones(2, requires_grad=True)
    with pytest.warns(UserWarning, match="autograd kernel was not registered"):
        result = operator(weight).sum()
        assert torch.autograd.grad(result, weight, allow_unused=True) == (None,)


def test_returning_x() -> None:
    says("In eager mode this changes `x`", "so the compiled program leaves `x` alone")
    found = roads(kernel="aliases")
    assert (
        found["compile"].state == "differs" and found["eager"].values[3] == 25 and found["compile"].values[3] == 20
    )
    says("PyTorch compares addresses when the compiled program first runs, and warns", "is set")
    assert "may not alias any inputs" in found["compile"].says and not roads()["compile"].says
    assert bool(functorch.error_on_custom_op_aliasing) == bool(os.environ.get("CI"))
    says("`compile` refuses operators that are not PyTorch's own and whose results have a mark")
    refused = roads(operator="scaled(a)", kernel="aliases")["compile"]
    assert refused.state == "fails" and "output has alias annotations" in refused.says
    says("a formula for backward is only accepted if the schema has no marks")
    for operator, accepted in (("scaled", True), ("scaled(a!)", False), ("scaled(a)", False)):
        key = log(operator=operator)[-1].keys[2]
        assert bool(key.kind) == accepted and bool(key.refused) != accepted


def test_opcheck(define: Callable[..., Any]) -> None:
    says("`test_schema` finds both false promises, and names the argument")
    for kernel in ("mutates", "aliases"):
        assert "Argument x" in roads(kernel=kernel)["test_schema"].says
    says("It passes where our program goes wrong", "`test_autograd_registration` finds a missing formula")
    assert roads()["test_aot_dispatch_dynamic"].state == "works"
    assert "test_autograd_registration" in failing(kernel="new", autograd=False)
    says("a kernel that returns `x` only for `by == 1` passes with `by = 2`", "One that is off by half passes")
    operator = define(
        "branch(Tensor x, float by) -> Tensor",
        lambda x, by: x if by == 1 else x * by,
        lambda x, by: torch.empty_like(x),
    )
    torch.library.register_autograd(
        "claims11::branch",
        lambda ctx, g: (g * 3, None),
        setup_context=lambda ctx, inputs, output: None,
        lib=define.library,  # type: ignore[attr-defined]
    )
    for by, passes in ((2.0, True), (1.0, False)):
        x = torch.ones(2, requires_grad=True)
        found = torch.library.opcheck(operator, (x, by), raise_exception=False)
        assert all(each == "SUCCESS" for each in found.values()) == passes
    says("In 2.13 a kernel that leaves it alone passes")
    assert roads(operator="scaled(a!)", kernel="new")["test_schema"].state == "works"


def test_custom_op() -> None:
    says("it refuses a result that shares the memory of an argument", "It does not notice a hidden write")

    @torch.library.custom_op("claims11c::same", mutates_args=())
    def same(x: torch.Tensor) -> torch.Tensor:
        return x.view_as(x)

    @torch.library.custom_op("claims11c::hidden", mutates_args=())
    def hidden(x: torch.Tensor) -> torch.Tensor:
        return x.mul_(2).clone()

    with pytest.raises(RuntimeError, match="may not alias any inputs"):
        same(torch.ones(2))
    assert hidden(torch.ones(2)).tolist() == [2, 2]


def test_exercises() -> None:
    says("CPU: seven of the nine fail", "Without Meta five fail, and without a formula two")
    found = [
        failing(kernel="missing"),
        failing(kernel="new", meta="missing"),
        failing(kernel="new", autograd=False),
    ]
    assert [len(each) for each in found] == [7, 5, 2]


def test_links_lead_to_the_steps_they_mean() -> None:
    where = {
        'operator="split" step={1}': "argument",
        'operator="reshape" step={4}': "call",
        'operator="native_batch_norm" step={12}': "call",
        'kernel="new" meta="missing" step={10}': "compile",
        'kernel="new" meta="wrong_strides" step={9}': "export",
        'own="" kernel="mutates" step={10}': "compile",
        'operator="scaled(a!)" step={10}': "compile",
        'own="" kernel="aliases" step={10}': "compile",
        'operator="scaled(a)" kernel="aliases" step={10}': "compile",
    }
    for link, stage in where.items():
        assert link in ARTICLE.text
        pairs = [each.split("=") for each in link.split() if "step" not in each and "figure" not in each]
        params = {name: value.strip('"') for name, value in pairs}
        step = int(link.partition("step={")[2][:-1])
        assert log(**params)[step - 1].stage == stage
    assert "Schema, keys, meta" not in json.loads((CONTENT / "pytorch/series.json").read_text())["planned"]

"""The roads that a program takes: eager, backward, fake tensors, export, compile, and opcheck's four tests."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from native.models.warned import quiet
from native.pytorch.operator_schema.cases import Case, tensors
from native.pytorch.operator_schema.pictures import Road

NEEDS = {
    "eager": ["CPU"],
    "backward": ["Autograd", "CPU"],
    "fake tensors": ["Meta"],
    "export": ["Meta", "CPU"],
    "compile": ["Meta", "CPU"],
    "test_schema": ["CPU"],
    "test_autograd_registration": ["Autograd", "CPU"],
    "test_faketensor": ["Meta", "CPU"],
    "test_aot_dispatch_dynamic": ["Autograd", "Meta", "CPU"],
}


def waiting(ours: bool) -> list[Road]:
    return [Road(name, needs, "waiting", "", "", []) for name, needs in NEEDS.items() if ours or name != "backward"]


class Roads:
    def __init__(self, case: Case) -> None:
        self.case = case
        self.expected: list[Tensor] | None = None

    def take(self, road: Road) -> Road:
        with quiet() as heard:
            try:
                found = self._take(road)
            except Exception as wrong:
                return replace(road, state="fails", says=said(wrong))
            if heard:
                state = "warns" if found.state == "works" else found.state
                found = replace(found, state=state, says=first(str(heard[0].message)))
        return found

    def _take(self, road: Road) -> Road:
        match road.name:
            case "eager":
                return self._compared(road, self.case.program)
            case "backward":
                return self._backward(road)
            case "fake tensors":
                return self._fake(road)
            case "export":
                args, kwargs = self.case.make()
                module = torch.export.export(Module(self.case), tuple(args), kwargs).module()
                return self._compared(road, module)
            case "compile":
                torch._dynamo.reset()
                try:
                    made = torch.compile(self.case.program, backend="aot_eager", fullgraph=True)
                    return self._compared(road, made)
                finally:
                    torch._dynamo.reset()
        return self._checked(road)

    def _compared(self, road: Road, program: Any) -> Road:
        args, kwargs = self.case.make()
        result = program(*args, **kwargs)
        found = [each.clone() for each in tensors([result, args, kwargs])]
        shown = tensors([result]) or tensors(args)
        if road.name == "eager":
            self.expected = found
        same = self.expected is None or all(map(torch.equal, self.expected, found))
        told = numbers(shown) if shown else {"result": repr(result)}
        return replace(road, state="works" if same else "differs", **told)

    def _backward(self, road: Road) -> Road:
        leaf = self.case.make()[0][0].requires_grad_()
        self.case.call(leaf * 1).sum().backward()
        steps = [self.case.call(self.case.make()[0][0] + by).sum() for by in (1.0, -1.0)]
        slope = float(steps[0] - steps[1]) / 2 / leaf.numel()
        assert leaf.grad is not None
        same = bool((leaf.grad == slope).all())
        return replace(road, state="works" if same else "differs", **numbers([leaf.grad]))

    def _fake(self, road: Road) -> Road:
        from torch._subclasses.fake_tensor import FakeTensorMode

        args, kwargs = self.case.make()
        result = None
        with suppress(NotImplementedError):  # without a kernel there is nothing to compare with
            result = self.case.call(*args, **kwargs)
        with FakeTensorMode():
            args, kwargs = self.case.make()
            fake = self.case.call(*args, **kwargs)
        shapes = [_layout(each) for each in tensors([fake])]
        same = result is None or shapes == [_layout(each) for each in tensors([result])]
        return replace(road, state="works" if same else "differs", result="; ".join(shapes) or "no result")

    def _checked(self, road: Road) -> Road:
        args, kwargs = self.case.make()
        if self.case.ours and not self.case.call._schema.is_mutable:
            args[0].requires_grad_()
        found = torch.library.opcheck(
            self.case.call, tuple(args), kwargs, test_utils=road.name, raise_exception=False
        )[road.name]
        if isinstance(found, Exception):
            raise found
        return replace(road, state="works")


class Module(torch.nn.Module):
    def __init__(self, case: Case) -> None:
        super().__init__()
        self.case = case

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.case.program(*args, **kwargs)


def said(wrong: Exception) -> str:
    text = first(str(wrong))
    # Fake tensors say no more than the operator's name.
    return text if " " in text else f"{type(wrong).__name__}: {text}"


def first(message: str) -> str:
    """Its first sentence, with the namespace without its number."""
    lines = [each.strip() for each in message.strip().splitlines() if each.strip()]
    if lines and lines[0].startswith("backend="):
        lines = lines[1:]
    text = re.sub(r"ours\d+", "ours", lines[0] if lines else "").replace(" (with implementation in ???)", "")
    text = re.split(r"(?<!e\.g)\. |! ", text)[0].rstrip(".!")
    return text if len(text) <= 200 else text[:197] + "…"


def numbers(shown: list[Tensor]) -> dict[str, Any]:
    rounded = [[round(each, 2) for each in tensor.flatten().tolist()] for tensor in shown]
    texts = [str([each if each % 1 else int(each) for each in row]) for row in rounded]
    return {"result": "; ".join(texts), "values": [float(each) for each in rounded[0]]}


def _layout(tensor: Tensor) -> str:
    return f"{[*tensor.shape]} with strides {[*tensor.stride()]}"

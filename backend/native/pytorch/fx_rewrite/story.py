"""The order of the pictures: the graph is captured, each match is looked at, rewritten or left; then the check."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch
from labs.contract import LabError, Sentence, say
from torch import Tensor, fx, nn
from torch.fx.proxy import TraceError

from native.models.torch_threads import one_thread
from native.pytorch.fx_rewrite import capture, tell, torchs
from native.pytorch.fx_rewrite.check import Counting, compared, inputs, seeded
from native.pytorch.fx_rewrite.drawing import Drawing, code, weights_of
from native.pytorch.fx_rewrite.folding import factor
from native.pytorch.fx_rewrite.matches import Match, matches
from native.pytorch.fx_rewrite.programs import CHANNELS, PROGRAMS, Layers, source

if TYPE_CHECKING:
    from native.pytorch.fx_rewrite import Drawn, Params

Told = dict[str, Any]
ONCE, SEVERAL = 1, 5
"""Roundings of a folded weight: ours is computed in float64, PyTorch's in the type of the weights."""


class Story:
    def __init__(self, params: Params) -> None:
        self.params = params
        self.dtype: torch.dtype = getattr(torch, params.dtype)
        self.module: Layers = PROGRAMS[params.program](params.seed).to(self.dtype).train(params.training)
        self.given = inputs(params.seed, self.dtype)
        self.lines, self.first = source(params.program)
        self.file = inspect.getsourcefile(PROGRAMS[params.program]) or ""
        self.graphs: list[fx.GraphModule] = []
        self.folds = 0
        self.around: AbstractContextManager[Any] = nullcontext()
        none = np.zeros(0, np.float32)
        self.fields: Told = {
            "source": self.lines,
            "guards": [],
            "message": "",
            "code": [],
            "calls": [],
            "moved": [],
            "sizes": none,
            "differences": none,
            "bounds": none,
            "largest": 0.0,
            "worst": 0.0,
            "verdict": "",
        }

    def tell(self) -> Iterator[Told]:
        with one_thread():  # or sums are cut up as there are threads
            yield from self.told()

    def told(self) -> Iterator[Told]:
        if self.params.capture == "torch.compile":
            if self.params.by == "PyTorch":
                raise LabError("PyTorch’s own passes are run on the graph of symbolic_trace: capture with that.")
            yield from self.compiled()
            return
        try:
            graph = capture.traced(self.module)
        except TraceError as error:
            yield from self.stopped(str(error))
            return
        before = copy.deepcopy(graph)
        self.graphs = [before]
        yield from self.captured()
        self.graphs = [graph]
        if self.params.by == "PyTorch":
            yield from self.by_torch(graph)
        else:
            yield from self.by_us(graph)
            yield from self.nothing()
        if self.fields["message"]:
            return
        yield self.checked(self.graphs[0])

    def stopped(self, message: str) -> Iterator[Told]:
        """What was traced up to there is lost, and there is nothing to draw but the line."""
        line = next(n for n, text in enumerate(self.lines, 1) if text.lstrip().startswith("if "))
        self.fields["message"] = f"TraceError: {message}"
        yield self.picture("refused", tell.refused(message), line=line)

    def captured(self) -> Iterator[Told]:
        whole = Drawing(self.graphs, self.file, self.first)
        new = {next(each.name for each in whole.boxes if each.graph == n) for n in range(1, len(self.graphs))}
        for count, box in enumerate(whole.boxes, 1):
            yield self.picture(
                "traced", tell.node(box, box.name in new), shown=count, now=[box.name], line=box.line
            )

    def by_us(self, graph: fx.GraphModule, number: int = 0) -> Iterator[Told]:
        careless, rewrite = self.params.by == "careless", self.params.rewrite
        for match in matches(graph, rewrite):
            self.fields["guards"] = match.guards
            yield self.matched(match, number)
            if match.act is None or not (match.safe or careless):
                continue
            count = len(graph.graph.nodes)
            new = match.act()
            graph.graph.lint()
            graph.recompile()
            self.folds = ONCE if rewrite == "fold" else 0
            now = [name for name, _ in new] or self.changed(graph, match.nodes[0])
            text = tell.rewritten(match, rewrite, (count, len(graph.graph.nodes)))
            yield self.picture("rewritten", text, now=now, new=dict(new))

    def nothing(self) -> Iterator[Told]:
        if not self.fields["guards"]:
            yield self.picture("matched", say(tell.NOTHING[self.params.rewrite]))

    def by_torch(self, graph: fx.GraphModule) -> Iterator[Told]:
        rewrite = self.params.rewrite
        for match in matches(graph, rewrite):
            self.fields["guards"] = match.guards
            yield self.matched(match, 0)
        name = torchs.NAMES[rewrite]
        count = len(graph.graph.nodes)
        try:
            made = torchs.rewritten(graph, rewrite)
        except AssertionError as error:  # what PyTorch says is what the picture shows
            message = (str(error).splitlines() or [""])[0].rstrip(".!")
            self.fields["message"] = f"{type(error).__name__}: {message}"
            yield self.picture("failed", tell.failed(name, message))
            return
        old = {each.name for each in graph.graph.nodes}
        self.graphs = [made]
        self.folds = SEVERAL if rewrite == "fold" else 0
        new = {each.name: "mul" for each in made.graph.nodes if each.name not in old}
        now = self.changed(made, None) if self.folds and len(made.graph.nodes) < count else [*new]
        yield self.picture("rewritten", tell.by_torch(name, (count, len(made.graph.nodes))), now=now, new=new)

    def changed(self, graph: fx.GraphModule, node: fx.Node | None) -> list[str]:
        """Every call of a convolution that has new weights; else the node, if it is still there."""
        if self.folds:
            return [each.name for each in graph.graph.nodes if each.op == "call_module" and each.target == "conv"]
        return [node.name] if node is not None and node in graph.graph.nodes else []

    def compiled(self) -> Iterator[Told]:
        """Dynamo hands over each graph as it is reached; the pictures are told once all of them are known."""
        before: list[fx.GraphModule] = []
        after: list[fx.GraphModule] = []

        def keep(graph: fx.GraphModule) -> fx.GraphModule:
            before.append(copy.deepcopy(graph))
            after.append(graph)
            return graph

        with torch.no_grad():
            capture.compiled(self.module, keep)(self.given[0].clone())
        self.graphs = before
        yield from self.captured()
        self.graphs = after
        count = len(after)
        for number in range(count):
            yield from self.by_us(after[number], number)
        yield from self.nothing()

        def rewrite(graph: fx.GraphModule) -> fx.GraphModule:
            for match in matches(graph, self.params.rewrite):
                if match.act is not None and (match.safe or self.params.by == "careless"):
                    match.act()
            graph.recompile()
            return graph

        yield self.checked(capture.compiled(self.module, rewrite, lambda: self.around))
        torch._dynamo.reset()

    def matched(self, match: Match, number: int) -> Told:
        marks = "'" * number
        into = {gone.name + marks: other.name + marks for gone, other in match.gone}
        now = [each.name + marks for each in match.nodes]
        return self.picture("matched", tell.matched(match, self.params.rewrite, self.params.by), now=now, into=into)

    def checked(self, other: Any) -> Told:
        off = None if self.params.capture == "torch.compile" else self.off(other)
        found = compared(self.module, other, self.given, off)
        verdict = "equal" if not found.differences.any() else "within" if found.worst <= 1 else "wrong"
        self.fields |= {
            "sizes": found.sizes,
            "differences": found.differences,
            "bounds": found.bounds,
            "largest": found.largest,
            "worst": found.worst,
            "verdict": verdict,
        }
        calls, moved = [], []
        for run in (self.module, other):
            # What Dynamo made counts for itself: it would not run within a mode.
            counting = Counting()
            if isinstance(run, nn.Module):
                own = copy.deepcopy(run)
                with counting:
                    seeded(own, self.given[0], 0)
            else:
                self.around = counting
                seeded(run, self.given[0], 0)
                self.around = nullcontext()
            calls.append(counting.calls)
            moved.append(counting.moved)
        self.fields |= {"calls": calls, "moved": moved}
        return self.picture("checked", None)

    def off(self, graph: nn.Module) -> dict[str, Tensor]:
        """How far each folded weight may be off."""
        if not self.folds:
            return {}
        u = self.folds * torch.finfo(self.dtype).eps / 2
        norm, each = self.module.norm, factor(self.module.norm).abs()
        assert norm.running_mean is not None and self.module.conv.bias is not None
        sizes = (self.module.conv.bias.double().abs() + norm.running_mean.double().abs()) * each
        conv = weights_of([cast("fx.GraphModule", graph)], "conv")
        if conv is None:
            return {}
        return {"conv.weight": u * conv.weight.double().abs(), "conv.bias": u * (sizes + norm.bias.double().abs())}

    def picture(
        self,
        stage: str,
        text: Sentence | None,
        shown: int = 1 << 30,
        now: list[str] | None = None,
        line: int = 0,
        into: dict[str, str] | None = None,
        new: dict[str, str] | None = None,
    ) -> Told:
        whole = Drawing(self.graphs, self.file, self.first)
        boxes = [
            replace(each, into=(into or {}).get(each.name, ""), source=(new or {}).get(each.name, ""))
            for each in whole.boxes[:shown]
        ]
        names = {each.name for each in boxes}
        lines = [each.line for each in boxes if now and each.name == now[-1]]
        fields = self.fields | {
            "stage": stage,
            "nodes": boxes,
            "edges": [each for each in whole.edges if {each.source, each.target} <= names],
            "graphs": whole.extents,
            "now": now or [],
            "line": line or (lines[0] if lines else 0),
            "about": whole.calls.get(now[-1], "") if now else "",
            "code": [] if stage in ("traced", "refused") else code(self.graphs),
            **self.weights(stage),
        }
        if text is None:
            text = tell.checked(cast("Drawn", SimpleNamespace(**fields)))
        return fields | {"text": text}

    def weights(self, stage: str) -> Told:
        """Those of the convolution that the graph has now; none where nothing is folded or drawn."""
        drawn = self.params.rewrite == "fold" and stage in ("matched", "rewritten")
        conv = weights_of(self.graphs, "conv") if drawn else None
        if conv is None or conv.bias is None:
            none = np.zeros(0, np.float32)
            return {"weights": none.reshape(0, 0), "offsets": none, "factors": none, "span": 0.0}
        each = factor(self.module.norm).detach()
        most = self.module.conv.weight.detach().abs().flatten(1).max(1).values.double() * each.clamp(min=1)
        weights = conv.weight.detach().float().reshape(CHANNELS, -1).numpy()
        return {
            "weights": weights.copy(),
            "offsets": conv.bias.detach().float().numpy().copy(),
            "factors": each.float().numpy(),
            "span": float(most.max()),
        }

"""The order of the pictures: one lane, the model, each S, every S, each K, PyTorch, the best."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from labs.contract import LabError
from labs.models.timing import refuse_impossible
from numpy.typing import NDArray

from native.compilers.decompose_k import inductor_pick, tell
from native.compilers.decompose_k.cut import DEEP, UNIT, WAYS, bound, counts, most
from native.compilers.decompose_k.library import Library
from native.compilers.decompose_k.model import Model
from native.compilers.decompose_k.on_cpu import Processor
from native.models.torch_threads import threads

if TYPE_CHECKING:
    from native.compilers.decompose_k import Params

PATIENCE = 0.02  # seconds for all repetitions of one way at one S, as far as a repetition allows
QUICK = 3  # repetitions where every S is tried
AGAIN = 10  # equal runs, to see whether results are equal
SHORT = 64  # slabs of a product in which additions count
ALL_ON_CPU = 64  # S up to which a processor tries every one


class Story:
    def __init__(self, params: Params) -> None:
        if params.splits > most(params.k):
            raise LabError(
                f"K = {params.k:,} has {most(params.k)} slabs of {DEEP}, and each lane needs one: choose at most "
                f"{most(params.k)} splits, or a longer K."
            )
        self.params = params
        self.way = WAYS.index(params.reduction)

    def tell(self) -> Iterator[dict[str, Any]]:
        with threads(self.params.threads):
            yield from self.measured()

    def machine(self, k: int) -> Any:
        if self.params.device == "cpu":
            return Processor(self.params, k)
        if not torch.cuda.is_available() or torch.cuda.get_device_capability() < (8, 0):
            raise LabError("This is measured on an NVIDIA GPU of 2020 or later, and there is none here.")
        from native.compilers.decompose_k.on_gpu import Gpu

        return Gpu(self.params, k)

    def begin(self) -> None:
        params = self.params
        self.here = self.machine(params.k)
        self.exact, self.scale = truth(self.here, params.relu)
        known = counts(params.k, params.splits, self.here.workers)
        unknown = np.full((len(WAYS), len(known)), np.nan, np.float32)
        bounds = [[bound(way, params.k, s, params.dtype == "bf16") for s in known] for way in WAYS[:3]]
        self.fields: dict[str, Any] = {
            "m": params.m,
            "n": params.n,
            "k": params.k,
            "dtype": params.dtype,
            "reduction": params.reduction,
            "device": params.device,
            "workers": self.here.workers,
            "counts": known,
            "now": 0,
            "took": np.full((*unknown.shape, 3), np.nan, np.float32),
            "error": unknown,
            "bound": np.array(bounds, np.float32),
            "different": np.zeros(unknown.shape, np.int32),
            "predicted": np.zeros(0, np.float32),
            "every": np.zeros(0, np.float32),
            "best": [0, 0],
            "call": 0.0,
            "slab": 0.0,
            "meet": 0.0,
            "add": 0.0,
            "peak": 0.0,
            "depths": [],
            "best_at": np.zeros((2, 0), np.int32),
            "gain_at": np.zeros((2, 0), np.float32),
            "crossing": [0, 0],
            "libraries": [],
            "tried": [],
            "launched": np.full((2, 2), np.nan, np.float32),
            "missing": "",
        }

    def measured(self) -> Iterator[dict[str, Any]]:
        params = self.params
        self.begin()
        fields = self.fields
        fields["peak"] = self.here.peak(0.03) / 1e9
        self.split(0)
        yield self.picture("alone")
        model = self.model()
        tried = range(1, most(params.k) + 1)
        fields |= {
            "call": model.call,
            "slab": model.slab,
            "meet": model.meet,
            "add": model.add,
            "predicted": np.array([model.took(params.reduction, params.k, s) for s in tried], np.float32),
            "best": [model.best(params.reduction, params.k), 0],
        }
        yield self.picture("model")
        for at in range(1, len(fields["counts"])):
            self.split(at)
            yield self.picture("measured")
        fields |= self.chosen
        self.every()
        yield self.picture("every")
        self.depths(model)
        yield self.picture("depths")
        self.libraries()
        yield self.picture("libraries")
        yield self.picture("best")

    def split(self, at: int) -> None:
        """Every way with one S: how long, how far off, and how many results."""
        params, fields, here = self.params, self.fields, self.here
        splits = fields["counts"][at]
        fields |= {"took": fields["took"].copy(), "error": fields["error"].copy()}
        fields["different"] = fields["different"].copy()
        started = [here.start(way, splits) for way in WAYS[:3]]
        taken = here.clock([work for work, _ in started], params.repetitions, PATIENCE)
        if params.k % splits == 0:
            batched = here.start("batched", splits)
            started.append(batched)
            taken.append(here.clock_torch(batched[0], params.repetitions, PATIENCE))
        flops = 2 * params.m * params.n * params.k / 1e9
        for row, ((_, result), took) in enumerate(zip(started, taken, strict=True)):
            results = [result() for _ in range(AGAIN)]
            off = self.error(results[0])
            if row < 3:
                self.refuse(f"{splits} lanes, added {WAYS[row]},", off, float(fields["bound"][row, at]))
                self.refuse_speed(f"{splits} lanes", flops / took.median)
            fields["took"][row, at] = took.low, took.median, took.high
            fields["error"][row, at] = off
            fields["different"][row, at] = len({each.tobytes() for each in results})
        lanes = here.trace(params.reduction, splits)
        drawn = {
            "now": at,
            "splits": splits,
            "worker": lanes.worker,
            "begin": lanes.begin,
            "product": lanes.product,
            "end": lanes.end,
            "busy": lanes.busy(here.workers),
        }
        fields |= drawn
        if splits == params.splits:
            self.chosen = drawn  # which is drawn again at the end

    def error(self, found: NDArray[np.float64]) -> float:
        """In units of |A| |B| 2⁻²⁴; NaN if any number is."""
        return float((np.abs(found - self.exact) / (self.scale * UNIT)).max())

    def refuse(self, what: str, off: float, allowed: float) -> None:
        if not off <= allowed:
            raise LabError(
                f"{what} came out wrong: {off:.3g} units from float64, and rounding makes {allowed:.3g}."
            )

    def refuse_speed(self, what: str, speed: float) -> None:
        for patience in (0.03, 0.1, 0.3):  # whatever slowed the peak may be over by then
            if speed <= self.fields["peak"]:
                return
            self.fields["peak"] = max(self.fields["peak"], self.here.peak(patience) / 1e9)
        refuse_impossible(what, speed / self.fields["peak"], "machine")

    def least(self, here: Any, splits: int, way: str = "") -> float:
        work, _ = here.start(way or self.params.reduction, splits)
        (took,) = here.clock([work], QUICK, PATIENCE)
        return float(took.least)

    def model(self) -> Model:
        """From one lane at two depths, and from one, two and sixty-four lanes of a short product."""
        k, workers = self.params.k, self.here.workers
        slabs, fewer = k // DEEP, k // 4 // DEEP
        whole, quarter = self.least(self.here, 1), self.least(self.machine(fewer * DEEP), 1)
        slab = (whole - quarter) / (slabs - fewer)
        call = max(whole - slabs * slab, 0.0)
        short = self.machine(SHORT * DEEP)
        way = "on arrival" if self.params.reduction == "on arrival" else "in order"
        one, two, many = (self.least(short, splits, way) for splits in (1, 2, SHORT))
        each = (one - call) / SHORT  # a slab of a short product, whose operands lie nearer
        two -= call + -(-2 // workers) * SHORT / 2 * each
        many -= call + -(-SHORT // workers) * each
        add = max((many - two) / (SHORT - 2), 0.0)
        return Model(call, slab, max(two - 2 * add, 0.0), add, workers)

    def every(self) -> None:
        """Exhaustively, the chosen way."""
        k = self.params.k
        last = min(most(k), ALL_ON_CPU) if self.params.device == "cpu" else most(k)
        found = np.array([self.least(self.here, splits) for splits in range(1, last + 1)], np.float32)
        self.fields["every"] = found
        self.fields["best"] = [self.fields["best"][0], int(found.argmin()) + 1]

    def depths(self, model: Model) -> None:
        """The best power of two for each K, predicted and measured."""
        depths = [DEEP << n for n in range(2, 11) if DEEP << n <= self.params.k]
        best, gain = np.zeros((2, len(depths)), np.int32), np.zeros((2, len(depths)), np.float32)
        for at, k in enumerate(depths):
            here = self.machine(k)
            splits = [1 << n for n in range(9) if 1 << n <= most(k)]
            said = [model.took(self.params.reduction, k, each) for each in splits]
            works = [here.start(self.params.reduction, each)[0] for each in splits]
            found = [took.least for took in here.clock(works, self.params.repetitions, PATIENCE)]
            for row, times in enumerate((said, found)):
                best[row, at] = splits[int(np.argmin(times))]
                gain[row, at] = times[0] / min(times)
        crossing = [first(depths, each > 1) for each in gain]
        self.fields |= {"depths": depths, "best_at": best, "gain_at": gain, "crossing": crossing}

    def libraries(self) -> None:
        """PyTorch as it comes, and Inductor where that is asked for."""
        params, here = self.params, self.here
        work, result = here.start("eager", 1)
        self.fields["libraries"] = [self.library("eager", work, result)]
        whole = params.k % params.splits == 0
        batched = here.start("batched", params.splits)[0] if whole else work
        calls = [here.launched(each) for each in (work, batched)]
        self.fields["launched"] = np.array(calls if whole else [calls[0], [np.nan] * 2], np.float32)
        if not params.inductor:
            return
        function = after_product(params.relu)
        try:
            if params.device == "cuda":
                pick = inductor_pick.on_gpu(function, (here.a, here.b))
            else:
                pick = inductor_pick.on_cpu(function, (here.a, here.b), params.threads)
        except LabError as problem:
            self.fields["missing"] = str(problem).rstrip(".")
            return
        found = self.library("inductor", *here.calling(pick.call))
        self.fields["libraries"] = [
            *self.fields["libraries"],
            replace(found, picked=pick.what, seconds=pick.seconds),
        ]
        self.fields["tried"] = pick.tried

    def library(self, name: str, work: Any, result: Any) -> Library:
        took = self.here.clock_torch(work, self.params.repetitions, 5 * PATIENCE)
        off = self.error(result())
        return Library(name, took.low, took.median, took.high, off, self.here.kernels(work), "", 0.0)

    def picture(self, stage: str) -> dict[str, Any]:
        fields = self.fields | {"stage": stage}
        return fields | {"text": tell.told(SimpleNamespace(**fields))}


def first(depths: list[int], pays: NDArray[np.bool_]) -> int:
    """From which K on it pays, there and at every longer one; 0 if nowhere."""
    from_here = np.logical_and.accumulate(pays[::-1])[::-1]
    return depths[int(from_here.argmax())] if from_here.any() else 0


def truth(here: Any, relu: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """C in float64, and |A| |B|, by which rounding is measured."""
    a, b = (each.double().cpu().numpy() for each in (here.a, here.b))
    exact = a @ b
    return np.maximum(exact, 0) if relu else exact, np.abs(a) @ np.abs(b)


def after_product(relu: bool) -> Callable[[torch.Tensor, torch.Tensor], torch.Tensor]:
    """What a compiler is given."""
    if relu:
        return lambda a, b: torch.relu(a @ b)
    return lambda a, b: a @ b

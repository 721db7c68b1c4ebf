"""A written function is asked, step by step: what it claims, what differences show, what torch's checks say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from labs.contract import Sentence, say
from labs.models.programs.trouble import StoppedError, refuse
from torch import Tensor

from native.pytorch.custom_function import checks, jacobians
from native.pytorch.custom_function.curves import curves, outputs, span
from native.pytorch.custom_function.lifetimes import lives
from native.pytorch.custom_function.lived import held, lived
from native.pytorch.custom_function.pictures import Check, Life, Point, State, Tiles
from native.pytorch.custom_function.tables import brief, listed, named, short, tiles
from native.pytorch.custom_function.written import Written

LOOSE = ["gradcheck here", "random inputs", "other g", "gradgradcheck"]
WIDE = 2.0  # of random inputs, to both sides


class Story:
    def __init__(self, written: Written, draws: int, seed: int) -> None:
        self.written, self.draws = written, draws
        self.chance = torch.Generator().manual_seed(seed)
        made = written.apply(*jacobians.leaves(written.inputs))
        self.keep = [each.requires_grad for each in made]
        ends = jacobians.differentiable(made)
        if not ends:
            raise refuse(written.forward, "no output has a gradient; return decimals, and do not mark all of them")
        self.many = sum(each.numel() for each in ends)
        self.row_names = named([("y" if len(made) == 1 else f"y{n}", each) for n, each in enumerate(made) if
                                self.keep[n]])  # fmt: skip
        self.column_names = named(list(zip(written.names, written.inputs, strict=True)))
        self.checks = [Check(name, "waiting", "") for name in LOOSE]
        self.points: list[Point] = []
        self.lives: list[Life] = []
        self.inputs: Sequence[Tensor] = written.inputs
        self.draw = 0
        self.tiles = Tiles([], [], [], [], [])
        self.apart = self._apart()

    # -- the picture ---------------------------------------------------------------------------------------

    def picture(self, stage: str, text: Sentence, error: str = "", **other: Any) -> dict[str, Any]:
        tiles = self.tiles
        low, high = span(self.curves.curves, [each.y for each in self.points])
        return {
            "stage": stage,
            "text": text,
            "error": error,
            "line": self.written.line,
            "draw": self.draw,
            "second": other.get("second", False),
            "asked": other.get("asked", [True] * len(self.column_names)),
            "at": [short(each) for each in self.all(self.inputs)],
            "grid": self.curves.grid,
            "curves": self.curves.curves,
            "low": low,
            "high": high,
            "points": [*self.points],
            "tiles": tiles,
            "wrong": sum(map(sum, tiles.wrong)),
            "entries": len(tiles.rows) * len(tiles.columns),
            "checks": [*self.checks],
            "lives": [*self.lives],
            "alive": sum(each.bytes for each in self.lives if each.alive),
        }

    def all(self, tensors: Sequence[Tensor]) -> list[float]:
        return [float(each) for tensor in tensors for each in tensor.reshape(-1)]

    def check(self, name: str, passes: bool, says: str = "") -> None:
        self.checks[LOOSE.index(name)] = Check(name, "passes" if passes else "fails", says)

    # -- steps ---------------------------------------------------------------------------------------------

    def tell(self) -> Iterator[dict[str, Any]]:
        try:
            yield from self.steps()
        except StoppedError as stopped:
            said = checks.first(stopped.message)
            self.written.line = stopped.line
            yield self.picture("stopped", say("Torch says: {}.", said), said)
        except RuntimeError as wrong:
            said = checks.first(str(wrong))
            yield self.picture("stopped", say("Torch says: {}.", said), said)

    def steps(self) -> Iterator[dict[str, Any]]:
        self.curves = curves(self.written, self.inputs, self.keep, self.apart)
        self.points = [*self._points(None, None)]
        self.tiles = self._tiles([], [])
        self.lives = held(lives(self.written, self.inputs))
        words = "forward is called with {} and returns {}."
        yield self.picture(
            "forward", say(words, self._inputs(), listed(outputs(self.written, self.inputs, self.keep)))
        )
        forward, claimed = self.written.line, list[Tensor]()
        for row in jacobians.rows(self.written, self.inputs, self.many):
            claimed.append(row)
            self.tiles = self._tiles(claimed, [])
            self.points = [*self._points(claimed, None)]
            words = "backward is called with 1 for {} and 0 elsewhere: a row of the Jacobian."
            one = "backward is called with 1 for {}: the Jacobian as it claims it."
            name = self.row_names[len(claimed) - 1]
            yield self.picture("backward", say(words if self.many > 1 else one, name))
        measured, self.written.line = list[Tensor](), forward
        for column in jacobians.columns(self.written.plain, self.inputs, self.keep):
            measured.append(column)
            self.tiles = self._tiles(claimed, measured)
            words = "{} is moved up and down by a millionth: the difference gives a column of the Jacobian."
            yield self.picture("difference", say(words, self.column_names[len(measured) - 1]))
        yield self._compared(claimed, measured)
        yield from self._random()
        yield self._scaled(claimed)
        if len(self.inputs) > 1:
            yield from self._asked()
        yield self._twice()
        yield from self._lifetimes()

    def _compared(self, claimed: list[Tensor], measured: list[Tensor]) -> dict[str, Any]:
        self.points = [*self._points(claimed, measured)]
        passes, says = checks.gradcheck(self.written, self.inputs)
        self.check("gradcheck here", passes, says)
        wrong = sum(map(sum, self.tiles.wrong))
        if passes:
            text = say("gradcheck passes: the two agree at these inputs.")
        elif not wrong:
            text = say("The two agree, and gradcheck fails: {}.", says)
        elif any(each.state == "kink" for each in self.points):
            text = say("gradcheck fails: at a kink, differences give the mean of the slopes on both sides.")
        else:
            text = say("gradcheck fails: {} of {} entries differ.", wrong, self._entries())
        return self.picture("compared", text)

    def _random(self) -> Iterator[dict[str, Any]]:
        own, shown, bad = self.inputs, self.curves, 0
        points, tiles = self.points, self.tiles
        for draw in range(1, self.draws + 1):
            self.draw, self.inputs = draw, self._drawn(own)
            if not self.apart:
                self.curves, points = curves(self.written, self.inputs, self.keep, self.apart), []
            claimed, measured = self._both()
            self.tiles = self._tiles(claimed, measured)
            points = self.points = [*points, *self._points(claimed, measured)]
            wrong = sum(map(sum, self.tiles.wrong))
            bad += bool(wrong)
            self.check("random inputs", not bad, f"{bad} of {draw} differ")
            words = "Random input {}: {} of {} entries differ."
            yield self.picture("random", say(words, draw, wrong, self._entries()))
        self.draw, self.inputs, self.curves, self.tiles = 0, own, shown, tiles
        if not self.apart:
            self.points = [*self._points(*self._both())]

    def _scaled(self, claimed: list[Tensor]) -> dict[str, Any]:
        gradient = torch.linspace(2, -0.5, self.many, dtype=torch.float64)
        passes = checks.linear(self.written, self.inputs, torch.stack(claimed), gradient)
        self.check("other g", passes, f"g = {listed(gradient)}")
        words = "With g = {} backward gives g times its Jacobian: it is linear in g."
        fails = "With g = {} backward does not give g times its Jacobian: it is not linear in g."
        return self.picture("scaled", say(words if passes else fails, listed(gradient)))

    def _asked(self) -> Iterator[dict[str, Any]]:
        for n, lines in enumerate(checks.needed(self.written, self.inputs)):
            needs = [at == n for at in range(len(self.inputs))]
            words = "Only the gradient of {} is asked for: needs_input_grad is {}, and {} lines of backward run."
            text = say(words, self.written.names[n], f"({', '.join(map(str, needs))})", len(set(lines)))
            asked = [need for need, each in zip(needs, self.inputs, strict=True) for _ in range(each.numel())]
            yield self.picture("asked", text, asked=asked)

    def _twice(self) -> dict[str, Any]:
        gradient = torch.linspace(2, -0.5, self.many, dtype=torch.float64)
        passes, says = checks.gradgradcheck(self.written, self.inputs, gradient)
        self.check("gradgradcheck", passes, says)
        slopes = jacobians.slopes(self.written)
        measured = [*jacobians.columns(slopes, self.inputs, [True] * len(self.inputs))]
        rows = [f"g{name}" for name in self.column_names]
        self.tiles = tiles(rows, self.column_names, [], measured)
        try:
            claimed = [*jacobians.second(self.written, self.inputs)]
        except RuntimeError as wrong:
            said = checks.first(str(wrong))
            self.check("gradgradcheck", False, said)
            return self.picture("twice", say("Backward through backward is refused: {}.", said), second=True)
        self.tiles = tiles(rows, self.column_names, claimed, measured)
        if passes:
            text = say("gradgradcheck passes: backward through backward gives the derivative of backward.")
        elif not any(map(any, self.tiles.wrong)):
            text = say("gradgradcheck fails: {}.", says)
        elif any(each.state == "kink" for each in self.points if not each.draw):
            text = say("gradgradcheck fails: at a kink backward jumps, so its differences have no limit.")
        elif not any(bool(each.any()) for each in claimed):
            text = say("Backward through backward gives zeros, and no error: something it uses is detached.")
        else:
            text = say("Backward through backward disagrees with differences of backward.")
        return self.picture("twice", text, second=True)

    def _lifetimes(self) -> Iterator[dict[str, Any]]:
        self.tiles = self._tiles(*self._both())
        seen = lives(self.written, self.inputs)
        changed = dict(checks.changed(self.written, self.inputs))
        results = ["y"] if len(self.keep) == 1 else [f"y{n}" for n in range(len(self.keep))]
        for stage, shown, text in lived(seen, changed, self.written.names, results):
            self.lives = shown
            yield self.picture(stage, text)

    # -- parts ---------------------------------------------------------------------------------------------

    def _apart(self) -> bool:
        """Whether each output depends on the input of its own number alone."""
        if len(self.inputs) > 1 or sum(self.keep) > 1 or self.inputs[0].numel() != self.many:
            return False
        inputs = [self.inputs[0] + 0.1234]  # where nothing is zero by chance
        whole = torch.stack([*jacobians.columns(self.written.plain, inputs, self.keep)], 1)
        return bool((whole - torch.diag(whole.diagonal())).abs().max() < jacobians.ABSOLUTE)

    def _both(self) -> tuple[list[Tensor], list[Tensor]]:
        rows = [*jacobians.rows(self.written, self.inputs, self.many)]
        return rows, [*jacobians.columns(self.written.plain, self.inputs, self.keep)]

    def _drawn(self, like: Sequence[Tensor]) -> list[Tensor]:
        """Inputs for which forward gives numbers; positive ones if others do not do."""
        for turn in range(20):
            drawn = [
                (torch.rand(each.shape, generator=self.chance, dtype=torch.float64) * 2 - 1) * WIDE for each in like
            ]
            if turn >= 10:
                drawn = [each.abs() for each in drawn]
            if outputs(self.written, drawn, self.keep).isfinite().all():
                break
        return drawn

    def _tiles(self, claimed: list[Tensor], measured: list[Tensor]) -> Tiles:
        return tiles(self.row_names, self.column_names, claimed, measured)

    def _points(self, claimed: list[Tensor] | None, measured: list[Tensor] | None) -> Iterator[Point]:
        xs, ys = self.inputs[0].reshape(-1), outputs(self.written, self.inputs, self.keep)
        bent = jacobians.kinks(self.written, self.inputs, self.keep) if measured else []
        for n, (x, y) in enumerate(zip(xs, ys, strict=False)):
            if not y.isfinite():
                continue
            slope = claimed[n][n] if claimed and n < len(claimed) else None
            shown = measured[n][n] if measured else None
            state: State = "waiting"
            if slope is not None and shown is not None:
                right = bool(jacobians.close(slope, shown))
                state = "right" if right else "kink" if bent[n] else "wrong"
            finite = [0.0 if each is None or not each.isfinite() else brief(each) for each in (slope, shown)]
            yield Point(
                f"{self.draw} {n}", self.draw, brief(x), brief(y), slope is not None, finite[0], finite[1], state
            )

    def _inputs(self) -> str:
        pairs = zip(self.written.names, self.inputs, strict=True)
        return "; ".join(f"{name} = {listed(each.reshape(-1))}" for name, each in pairs)

    def _entries(self) -> int:
        return len(self.tiles.rows) * len(self.tiles.columns)

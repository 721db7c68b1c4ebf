"""The pictures of a fusion: the program, its indices, each decision, each tile, and the numbers at the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from labs.compilers.slicing_fusion import execute, tell
from labs.compilers.slicing_fusion.indices import worst
from labs.compilers.slicing_fusion.judge import Decision, Judge, signed
from labs.compilers.slicing_fusion.known import Known
from labs.compilers.slicing_fusion.picture import Access, Drawn, Picture, Role, Row
from labs.compilers.slicing_fusion.shapes import shapes, sizes
from labs.compilers.slicing_fusion.slices import boxes, counts, volume
from labs.compilers.slicing_fusion.spaces import Ints
from labs.contract import Int32, Uint8, say
from labs.models.arrays import floats, ints

FRESH, AGAIN, READ = 1, 2, 3


class Painter:
    def __init__(self, known: Known, judge: Judge, decision: Decision) -> None:
        self.known, self.judge, self.decision, self.world = known, judge, decision, known.world
        self.found = judge.plan(decision)
        self.order = sorted(self.found.slices)
        self.alone = decision.alone(self.world)
        self.times = {name: np.zeros(array.size, np.intp) for name, array in self.world.arrays.items()}
        self.runs = [np.zeros(len(space.at), np.intp) for space in self.world.spaces]
        self.work = self.again = 0
        self.still = self._still()

    def pictures(self) -> Iterator[Picture]:
        yield replace(self.still, text=tell.program(self.world))
        total = len(self.still.accesses)
        doubtful = [each.why for each in self.decision.verdicts if not each.decided]
        text = tell.accesses(doubtful[0] if doubtful else "", total, self.known.symbols())
        yield replace(self.still, stage="indices", text=text)
        fused: set[int] = set()
        for judged, each in enumerate(self.decision.verdicts):
            done = each.nest in self.decision.fused
            text = tell.verdict(self.world, self.judge.way, each, fused, done and not each.fused)
            yield replace(self.still, stage="judge", judged=judged, criteria=each.criteria, text=text)
            fused |= {each.nest} if done else set()
        for number in self.alone:
            self._ran(number, np.arange(len(self.world.spaces[number].at)))
        for tile in range(self.found.tiles):
            yield self._tile(tile)
        yield self._result()

    def _still(self) -> Picture:
        spaces, decision = self.world.spaces, self.decision
        limits, way = self.judge.limits, self.judge.way
        table = shapes(self.known, way, limits)
        firsts, seconds = (ints(sizes(self.known, dim)) for dim in (0, 1))
        grid = len(firsts), len(seconds)
        largest = 0
        for number in decision.fused - decision.stored:
            shape = self.world.arrays[spaces[number].nest.array].shape
            largest += max(map(volume, boxes(self.found.slices[number].needed, shape, self.found.tiles)))
        gone = set() if way.merge else decision.fused - decision.stays - decision.stored
        between = [spaces[n].nest.array for n in range(self.known.last) if n not in gone]
        return Picture(
            text=say(""),
            stage="program",
            accesses=self._accesses(),
            rows=[
                Row(
                    spaces[each.nest].nest.array,
                    each.legal,
                    each.fused,
                    each.nest in decision.fused,
                    each.why or (tell.fault(self.world, each.faults[0]) if each.faults else ""),
                )
                for each in decision.verdicts
            ],
            judged=-1,
            criteria=decision.verdicts[-1].criteria,
            arrays=self._arrays({}),
            tile=-1,
            tiles=self.found.tiles,
            grid=[*self.found.grid],
            tile_of=self._tile_of(),
            firsts=firsts,
            seconds=seconds,
            shapes=floats(each.extra if each else None for each in table).reshape(grid),
            accepted=np.array([bool(each and each.good) for each in table], np.uint8).reshape(grid),
            apart=self.known.apart(range(len(spaces))),
            work=0,
            again=0,
            wrong=-1,
            compared=0,
            between=sum(self.world.arrays[name].size for name in between),
            buffers=largest if not way.merge else 0,
        )

    def _tile_of(self) -> Int32:
        space, pairs = self.world.spaces[-1], self.found.slices[self.known.last].pairs
        found = np.full(self.world.arrays[space.nest.array].size, -1, np.int32)
        found[space.writes[pairs % len(space.at)]] = pairs // len(space.at)
        return found

    def _accesses(self) -> list[Access]:
        found = []
        for number, space in enumerate(self.world.spaces):
            for place, each in enumerate((space.nest.target, *space.nest.reads)):
                indices = self.known.indices[number][id(each)]
                verdict = worst(index.kind for index in indices)
                why = next(index.why for index in indices if index.kind == verdict)
                access = Access(each.text, space.nest.line, place == 0, verdict, why)
                found += [access] if access not in found else []
        return found

    def _arrays(self, now: dict[str, Uint8], wrong: dict[str, Uint8] | None = None) -> list[Drawn]:
        spaces = self.world.spaces
        made = {space.nest.array: number for number, space in enumerate(spaces)}
        found = []
        for name, array in self.world.arrays.items():
            number = made.get(name, -1)
            role: Role = "between"
            if number == self.known.last:
                role = "result"
            elif number < 0:
                role = "input"
            elif number not in self.decision.fused:
                role = "alone"
            elif number in self.decision.stored:
                role = "stored"
            nothing = np.zeros(array.size, np.uint8)
            times = np.minimum(self.times[name], 255).astype(np.uint8)
            found.append(
                Drawn(name, [*array.shape], role, now.get(name, nothing), times, (wrong or {}).get(name, nothing))
            )
        # inputs first, then in the order of the program
        return sorted(found, key=lambda each: made.get(each.name, -1))

    def _ran(self, number: int, instances: Ints) -> None:
        space = self.world.spaces[number]
        self.work += space.operations * len(instances)
        self.runs[number][instances] += 1
        np.maximum.at(self.times[space.nest.array], space.writes[instances], self.runs[number][instances])

    def _tile(self, tile: int) -> Picture:
        now = {name: np.zeros(array.size, np.uint8) for name, array in self.world.arrays.items()}
        fresh, again, left = {}, {}, {}
        for number in self.order:
            space, found = self.world.spaces[number], self.found.slices[number]
            array = self.world.arrays[space.nest.array]
            instances = found.pairs[found.pairs // len(space.at) == tile] % len(space.at)
            for name, elements in space.reads:
                read = elements[instances]
                now[name][read[now[name][read] == 0]] = READ
            elements = np.unique(space.writes[instances])
            repeated = instances[self.runs[number][instances] > 0]
            now[array.name][elements] = FRESH
            now[array.name][space.writes[repeated]] = AGAIN
            if number != self.known.last:
                needed = found.needed[found.needed // array.size == tile] % array.size
                fresh[array.name], again[array.name] = len(elements), len(np.unique(space.writes[repeated]))
                left[array.name] = len(np.setdiff1d(needed, elements)) if self.judge.way.keep else 0
            self.again += len(repeated)
            self._ran(number, instances)
        last = self.world.spaces[-1]
        pairs = self.found.slices[self.known.last].pairs
        count = int(counts(pairs, len(last.at), self.found.tiles)[tile])
        fresh[last.nest.array], again[last.nest.array], left[last.nest.array] = count, 0, 0
        text = tell.tile(tile, self.found.tiles, self._begins(tile), fresh, again, left)
        return replace(
            self.still,
            stage="tile",
            text=text,
            arrays=self._arrays(now),
            tile=tile,
            work=self.work,
            again=self.again,
        )

    def _begins(self, tile: int) -> str:
        """Which iterations of the last nest it has."""
        last = self.world.spaces[-1]
        pairs = self.found.slices[self.known.last].pairs
        at = last.at[pairs[pairs // len(last.at) == tile] % len(last.at)]
        if not len(at):  # of a triangle, say
            return "no iteration"
        parts = []
        for dim in range(len(self.found.grid)):
            low, high = int(at[:, dim].min()), int(at[:, dim].max())
            name = last.nest.variables[dim]
            parts.append(f"{name} = {low}" if low == high else f"{name} from {low} to {high}")
        return " and ".join(parts)

    def _result(self) -> Picture:
        run = self.judge.run(self.decision, self.found)
        wrong: dict[str, Uint8] = {}
        compared = 0
        spaces = self.world.spaces
        for name in {spaces[-1].nest.array, *self.world.program.kept}:
            differs = execute.differ(self.known.expected.stores[name].numbers, run.stores[name].numbers)
            wrong[name] = differs.astype(np.uint8)
            compared += len(differs)
        total = int(sum(int(each.sum()) for each in wrong.values()))
        fault = tell.fault(self.world, run.faults[0]) if run.faults else ""
        extra = signed(self.work / self.still.apart - 1)
        return replace(
            self.still,
            stage="result",
            text=tell.result(self.world, self.decision, total, compared, fault, extra),
            arrays=self._arrays({}, wrong),
            tile=self.found.tiles,
            work=self.work,
            again=self.again,
            wrong=total,
            compared=compared,
        )

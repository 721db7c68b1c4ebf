"""The call travels: station by station, and at the test with eight mistakes beside it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from labs.contract import Sentence

from native.models import softcap_kernel
from native.pytorch.add_an_operator import checks, docs, parts, tell, torchs
from native.pytorch.add_an_operator.operator import Choices, Operator
from native.pytorch.add_an_operator.pictures import STATIONS, Mutant, State, Try
from native.pytorch.add_an_operator.stations import STATIONS as TRIED

if TYPE_CHECKING:
    from native.pytorch.add_an_operator import Params

WORST: tuple[State, ...] = ("works", "missing", "differs", "fails")


class Story:
    def __init__(self, params: Params) -> None:
        self.params = params
        self.states: list[State] = ["waiting" for _ in STATIONS]
        self.at = 0
        self.tries: list[Try] = []
        self.mutants: list[Mutant] = []

    @property
    def choice(self) -> str:
        choice: str = getattr(self.params, STATIONS[self.at])
        return choice

    def picture(self, text: Sentence) -> dict[str, Any]:
        return {
            "text": text,
            "stage": STATIONS[self.at],
            "states": [*self.states],
            "code": code(STATIONS[self.at], self.params),
            "tries": [*(replace(each, cells=[]) for each in self.tries[:-1]), *self.tries[-1:]],
            "mutants": [*self.mutants] if STATIONS[self.at] == "test" else [],
            "caught": sum(each.caught != "" for each in self.mutants),
            "works": self.states.count("works"),
        }

    def reached(self, state: State) -> None:
        """The station is as bad as the worst that was seen there."""
        here = self.states[self.at]
        if here == "waiting" or WORST.index(state) > WORST.index(here):
            self.states[self.at] = state

    def tell(self) -> Iterator[dict[str, Any]]:
        softcap = Operator(Choices(**{name: getattr(self.params, name) for name in TRIED}))
        try:
            for self.at, name in enumerate(STATIONS):
                self.tries = []
                yield from self.tested(softcap) if name == "test" else self.station(softcap, name)
                if self.params.schema == "missing":
                    return
        finally:
            softcap.close()

    def station(self, softcap: Operator, name: str) -> Iterator[dict[str, Any]]:
        if self.choice == "missing" and name in ("kernel", "compile"):
            self.reached("missing")
        for each in TRIED[name](softcap):
            self.tries.append(each)
            self.reached(each.state)
            yield self.picture(tell.tried(name, each, self.choice))
            if self.params.schema == "missing":
                return
        if not self.tries:
            self.reached("missing")
            yield self.picture(tell.undocumented())

    def tested(self, softcap: Operator) -> Iterator[dict[str, Any]]:
        suite = checks.SUITES[self.params.test]
        self.mutants = [Mutant(name, station, "") for station, name in checks.MUTANTS]
        if not suite:
            self.reached("missing")
            yield self.picture(tell.untested(len(self.mutants)))
            return
        for name, test in suite.items():
            _, said = torchs.heard(test, softcap)
            caught = []
            for n, each in enumerate(self.mutants):
                if not each.caught and fails(test, each):
                    self.mutants[n] = replace(each, caught=name)
                    caught.append(each)
            self.tries.append(Try(name, "fails" if said else "works", said, []))
            self.reached("fails" if said else "works")
            left = sum(not each.caught for each in self.mutants)
            if name == [*suite][-1] and left:
                self.reached("differs")
            yield self.picture(tell.tested(self.tries[-1], caught, left))


def fails(test: checks.Test, each: Mutant) -> bool:
    mutant = checks.mutant(each.station, each.name)
    try:
        return torchs.heard(test, mutant)[1] != ""
    finally:
        mutant.close()


def code(station: str, params: Params) -> list[str]:
    """What the reader has put there, as it is written."""
    choice = getattr(params, station)
    if choice == "missing":
        return []
    match station:
        case "schema":
            return [f'library.define("{parts.SCHEMAS[choice]}")']
        case "reference":
            return parts.lines(parts.REFERENCES[choice])
        case "meta":
            return parts.lines(parts.METAS[choice])
        case "backward":
            return parts.lines(parts.keep, parts.SLOPES[choice])
        case "kernel":
            return softcap_kernel.source(choice)
        case "compile" if choice == "branches":
            return parts.lines(parts.branching)
        case "compile":
            return parts.lines(parts.RULES[choice])
        case "test":
            return parts.lines(*checks.SUITES[choice].values())
    return inspect.cleandoc(docs.DOCS[choice]).splitlines()


def story(params: Params) -> Iterator[dict[str, Any]]:
    yield from Story(params).tell()

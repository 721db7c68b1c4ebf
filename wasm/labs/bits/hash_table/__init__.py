"""Hash tables: from a key to its slot, and what happens when the slot is taken.

A table is filled key by key; then keys are looked for, deleted, and looked for again. Every probe is a picture, or
every operation. A plain dict goes along and contradicts each wrong answer. At the end the mean number of probes of
many such tables stands beside what theory expects.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np

from labs.bits.hash_table import survey, theory, words
from labs.bits.hash_table.clusters import clusters
from labs.bits.hash_table.make import make
from labs.bits.hash_table.script import SMALLEST, Done, Script, draw
from labs.bits.hash_table.table import Mistakes, Trace
from labs.contract import Axes, Event, Float32, Int32, Interval, Label, Sentence, say
from labs.models.arrays import floats, ints
from labs.models.hashing.functions import HashFunction, Name, choose
from labs.models.hashing.keys import Pattern

CURVE = 40  # points of each curve of theory
GLANCES = 12  # pictures of one operation: a longer search is shown in leaps
POSTER = 146


@dataclass(frozen=True)
class Params:
    collisions: Annotated[
        theory.Scheme,
        Label("Collisions", help="Where a key goes if its slot is taken; direct addressing has none.", main=True),
    ] = "linear"
    hash: Annotated[
        Name,
        Label(
            "Hash function", help="k mod m; the fraction of k/φ, times m; ((a·k + b) mod p) mod m, a and b random."
        ),
    ] = "division"
    keys: Annotated[
        Pattern,
        Label(
            "Keys",
            help="Multiples of 8; pages: of 4,096; sums of few powers of two; the last two are attacks.",
        ),
    ] = "random"
    slots: Annotated[int, Interval(ge=8, le=128), Label("Slots m")] = 32
    load: Annotated[int, Interval(ge=5, le=150), Label("Keys inserted", unit="% of m", main=True)] = 75
    grow: Annotated[
        bool, Label("Grow", group="Growth", help="Start with 8 slots and double them at the limit.")
    ] = False
    limit: Annotated[
        int,
        Interval(ge=50, le=95),
        Label("Limit", unit="% full", group="Growth", help="How full the table may get before it grows."),
    ] = 70
    every: Annotated[
        Literal["probe", "operation"], Label("A step for each", help="A look at one slot, or a whole operation.")
    ] = "probe"
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Label("Seed", help="For the keys, and for a and b.")] = 1
    no_tombstones: Annotated[
        bool, Label("Delete empties the slot", group="Mistakes", help="Open addressing: no tombstone is left.")
    ] = False
    silent_when_full: Annotated[
        bool,
        Label("Silent when full", group="Mistakes", help="Open addressing: the key is dropped without an error."),
    ] = False
    insert_blindly: Annotated[
        bool, Label("Insert without looking", group="Mistakes", help="A key that is already there is stored again.")
    ] = False
    no_last_mod: Annotated[
        bool, Label("Universal without mod m", group="Mistakes", help="((a·k + b) mod p) is not yet a slot.")
    ] = False
    negative_index: Annotated[
        bool, Label("Negative index", group="Mistakes", help="Direct addressing: −2 is the last slot but one.")
    ] = False
    ord_of_key: Annotated[
        bool,
        Label(
            "ord(key)",
            group="Mistakes",
            help="Words: ord() takes a single character, so a word raises a TypeError.",
        ),
    ] = False


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """The table after one probe or one operation. Entries are listed in the order of their slots."""

    kind: Literal["picture"] = "picture"
    stage: Literal["insert", "grow", "update", "find", "miss", "delete", "again", "reuse", "many"]
    collisions: theory.Scheme
    slots: int
    names: list[str]
    """[entries] the keys as they are written"""
    place: Int32
    """[entries] the slot of each"""
    home: Int32
    """[entries] the slot that the hash function names"""
    probes: Int32
    """[entries] probes to find it"""
    longest: int
    """The most probes that any of them takes."""
    tombstones: Int32
    """[tombstones] their slots"""
    runs: Int32
    """[slots] how many slots in a row are taken here, 0 at a free one; of a chain its length"""
    key: str
    """The key of the operation."""
    sum: str
    """How its hash is found."""
    target: int | None
    """The slot that the hash names."""
    path: Int32
    """[probes so far] the slots looked at by this operation"""
    depths: Int32
    """[probes so far] the place in the chain"""
    outcome: Literal[
        "looking", "stored", "updated", "found", "absent", "removed", "full", "dropped", "refused", "compared"
    ]
    right: bool
    """False where a dict gives another answer."""
    wrong: int
    """Wrong answers so far."""
    operations: int
    load: float
    """keys / slots"""
    at: Float32
    """[insertions] the load after each"""
    hit: Float32
    """[insertions] mean probes to find a key"""
    miss: Float32
    """[insertions] mean probes for a key that is not there"""
    axis: Float32
    """[points] loads of the curves"""
    hit_expected: Float32
    """[points] theory; NaN where it has no number"""
    miss_expected: Float32
    """[points]"""
    many_at: Float32 | None = None
    """[counts] loads at which many tables were measured"""
    many_hit: Annotated[Float32, Axes(load="many_at")] | None = None
    """[counts] the mean over the tables"""
    many_miss: Annotated[Float32, Axes(load="many_at")] | None = None
    """[counts]"""
    many_hit_expected: float | None = None
    """theory at the last of these loads"""
    many_miss_expected: float | None = None


class Board:
    """Keeps what all pictures of a run have in common, and draws the table as it is."""

    def __init__(self, params: Params, function: HashFunction) -> None:
        self.params, self.function = params, function
        self.at: list[float] = []
        self.hit: list[float] = []
        self.miss: list[float] = []
        self.wrong = self.operations = 0
        top = 1.0 if params.collisions != "chaining" else max(1.0, params.load / 100)
        counts = np.unique(np.linspace(1, round(top * params.slots), CURVE).astype(int))
        self.axis = floats([n / params.slots for n in counts])
        self.hit_expected = floats([theory.hit(params.collisions, int(n), params.slots) for n in counts])
        self.miss_expected = floats([theory.miss(params.collisions, int(n), params.slots) for n in counts])

    def measure(self, done: Done, script: Script) -> None:
        self.operations += 1
        self.wrong += not done.right
        if done.stage in ("insert", "grow") and done.table.count:
            self.at.append(done.table.count / done.table.slots)
            self.hit.append(survey.hits(done.table))
            self.miss.append(survey.misses(done.table, script.missing))

    def look(self, before: Picture, done: Done, until: int) -> Picture:
        """An operation after some of its probes; what it does to the table is not yet done."""
        return replace(
            before,
            stage=done.stage,
            text=words.look(done, until - 1),
            outcome="looking",
            right=True,
            **self.operation(done, until),
        )

    def operation(self, done: Done, until: int | None = None) -> dict[str, Any]:
        key, slots, probes = done.key, done.before.slots, done.trace.probes[:until]
        return {
            "key": key.name if key else "",
            "sum": self.function.sum(key.number, slots) if key and self.params.collisions != "direct" else "",
            "target": done.table.home(key) if key and done.trace.outcome != "refused" else None,
            "path": ints([probe.slot for probe in probes]),
            "depths": ints([probe.depth for probe in probes]),
        }

    def draw(self, done: Done, text: Sentence) -> Picture:
        """The table after an operation."""
        table, stored = done.table, done.table.entries()
        return Picture(
            text=text,
            stage=done.stage,
            collisions=self.params.collisions,
            slots=table.slots,
            names=[each.entry.key.name for each in stored],
            place=ints([each.slot for each in stored]),
            home=ints([each.entry.home for each in stored]),
            probes=ints([each.probes for each in stored]),
            longest=max((each.probes for each in stored), default=0),
            tombstones=ints(table.tombstones),
            runs=clusters(table),
            outcome=done.trace.outcome,
            right=done.right,
            wrong=self.wrong,
            operations=self.operations,
            load=table.count / table.slots,
            at=floats(self.at),
            hit=floats(self.hit),
            miss=floats(self.miss),
            axis=self.axis,
            hit_expected=self.hit_expected,
            miss_expected=self.miss_expected,
            **self.operation(done),
        )


def run(params: Params) -> Iterator[Picture]:
    function = choose(params.hash, params.seed, reduced=not params.no_last_mod)
    mistakes = Mistakes(
        forget=params.no_tombstones,
        drop=params.silent_when_full,
        blind=params.insert_blindly,
        unchecked=params.negative_index,
    )
    count = round(params.slots * (min(params.load, 100) if params.grow else params.load) / 100)
    keys, absent = draw(params.keys, params.collisions, params.slots, max(1, count), params.seed)
    if params.ord_of_key and params.keys == "words":
        yield refuse_words(params, function, keys[0].name)
        return
    table = make(params.collisions, SMALLEST if params.grow else params.slots, function, mistakes)
    script = Script(table, params.collisions, keys, absent, params.limit if params.grow else None)
    board = Board(params, function)
    picture = board.draw(Done("insert", None, Trace(), table, table, True, None), say("The table is empty."))
    for done in itertools.chain(script.fill(), script.work()):
        if params.every == "probe":
            yield from (board.look(picture, done, until) for until in glances(len(done.trace.probes)))
        board.measure(done, script)
        yield (picture := board.draw(done, words.end(done)))
    if not params.grow:
        yield compare(params, picture, mistakes, len(keys))


def glances(probes: int) -> list[int]:
    """After how many of its probes an operation that is under way is shown."""
    return sorted({1 + (probes - 1) * step // GLANCES for step in range(GLANCES)} & {*range(1, probes)})


def refuse_words(params: Params, function: HashFunction, word: str) -> Picture:
    """Mistake: ord() knows characters only."""
    table = make(params.collisions, params.slots, function)
    done = Done("insert", None, Trace(outcome="refused"), table, table, False, None)
    why = say("ord() expects one character, and this word has {}", len(word))
    text = say("Inserting {} ends in a TypeError: {}.", word, why)
    return replace(Board(params, function).draw(done, text), key=word, wrong=1, operations=1)


def compare(params: Params, last: Picture, mistakes: Mistakes, count: int) -> Picture:
    """The same with other keys and other functions, many times."""
    reduced = not params.no_last_mod
    kind = survey.Kind(params.collisions, params.slots, mistakes, params.hash, reduced, params.keys, count)
    tables, filled, hit, miss = survey.many(kind)
    n = round(filled[-1])
    expected = theory.hit(params.collisions, n, params.slots), theory.miss(params.collisions, n, params.slots)
    means = zip((hit[-1], miss[-1]), ("find a key", "miss one"), expected, strict=True)
    found = words.means(means) or "nothing could be stored"
    text = say("{} such tables after {} insertions: {}.", tables, count, found)
    return replace(
        last,
        stage="many",
        text=text,
        key="",
        sum="",
        target=None,
        path=ints([]),
        depths=ints([]),
        outcome="compared",
        right=True,
        many_at=floats(filled / params.slots),
        many_hit=floats(hit),
        many_miss=floats(miss),
        many_hit_expected=expected[0],
        many_miss_expected=expected[1],
    )

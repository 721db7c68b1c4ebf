"""The scheduler: which requests have a lane and which blocks, and which rows the next step computes."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from native.models.transformer.shape import BLOCK, BLOCKS, CONTEXT
from native.models.transformer.step_kernel import Floats, Machine, Weights
from native.speed.inference_server.blocks import Blocks, FullError

APART = 37  # throws between two requests, so that they do not throw alike


@dataclass(frozen=True)
class Way:
    """How requests are served."""

    name: str
    lanes: int
    """Requests that are served at the same time, at most."""
    refill: bool
    """A lane that falls free takes the next request at once, or waits for all others."""
    paged: bool
    """A request takes a block when it needs one, or at its start as many as the longest could need."""
    shared: bool
    """Requests that begin alike hold the same blocks."""
    rows: int
    """Tokens of prompts and answers in one step. Each answer has its next one; prompts get what is left, or one."""


@dataclass(frozen=True)
class Request:
    prompt: list[int]
    wanted: int
    """Tokens until the answer ends. The server does not look: nobody knows this in advance."""
    arrival: float = 0.0
    """Seconds after the start."""

    def __post_init__(self) -> None:
        if not self.prompt or self.wanted < 1 or len(self.prompt) + self.wanted > CONTEXT:
            raise ValueError(f"a prompt and an answer have from 2 to {CONTEXT} tokens together")


@dataclass(eq=False)
class Served:
    """A request that is served, or was."""

    request: Request
    number: int
    tokens: list[int]
    lane: int = -1
    computed: int = 0
    """Tokens whose keys and values are in the cache."""
    blocks: list[int] = field(default_factory=list)
    given: list[float] = field(default_factory=list)
    """When each token of the answer came."""
    evicted: int = 0
    """How often it lost its blocks, and had to compute them again."""

    @property
    def pending(self) -> int:
        """Tokens that are known and not yet computed: one of an answer, more of a prompt."""
        return len(self.tokens) - self.computed

    @property
    def done(self) -> bool:
        return len(self.given) == self.request.wanted


@dataclass(frozen=True)
class Glance:
    """How things stood after a step."""

    at: float
    """Seconds after the start."""
    rows: int
    lanes: tuple[tuple[int, int, int, tuple[int, ...]] | None, ...]
    """For each lane the request, its tokens, those computed, and its blocks."""


class Server:
    """Serves in one way. The next token is the one with the highest logit after ``dice`` [CONTEXT, VOCABULARY] were
    added: with zeros the likeliest, with Gumbel noise one drawn from all. A request throws the same dice in any
    company.
    """

    def __init__(self, way: Way, weights: Weights, blocks: int, dice: Floats) -> None:
        if blocks < BLOCKS:
            raise ValueError(f"the longest request needs {BLOCKS} blocks")
        self.way = way
        self.lanes: list[Served | None] = [None] * way.lanes
        self.queue: deque[Served] = deque()
        self.pool = Blocks(blocks)
        self.machine = Machine(weights, blocks, way.lanes)
        self.dice = dice

    @property
    def busy(self) -> bool:
        return bool(self.queue) or any(self.lanes)

    def step(self) -> tuple[list[Served], int]:
        """One step for all who have a lane: those who got a token, and the rows that were computed."""
        self._admit()
        serving = self._by_age()
        budget = max(1, self.way.rows - sum(served.pending == 1 for served in serving))
        rows: list[tuple[int, int, int, bool]] = []
        took: list[tuple[Served, int]] = []
        for served in serving:
            if served.lane < 0:  # it gave way to an older one just now
                continue
            many = 1
            if served.pending > 1:
                many = self._prompt(served, budget)
                budget -= many
            end = served.computed + many
            if not many or (end > len(served.blocks) * BLOCK and not self._room(served, end)):
                continue
            tokens, last = served.tokens, len(served.tokens) - 1
            rows += [(tokens[at], at, served.lane, at == last) for at in range(served.computed, end)]
            took.append((served, many))
        logits = self.machine.step(rows)
        answered = []
        for served, many in took:
            self._computed(served, many)
            if served.computed == len(served.tokens):
                answered.append(served)
        thrown = self.dice[[(len(each.tokens) + APART * each.number) % CONTEXT for each in answered]]
        thrown += logits
        for served, token in zip(answered, thrown.argmax(1).tolist(), strict=True):
            served.tokens.append(token)
        return answered, len(rows)

    def leave(self) -> None:
        """Who is done gives back what it holds; without ``refill`` only when all are."""
        ended = [lane for lane, served in enumerate(self.lanes) if served and served.done]
        if self.way.refill or len(ended) == sum(map(bool, self.lanes)):
            for lane in ended:
                self._give_back(lane)

    def _admit(self) -> None:
        if not self.way.refill and any(self.lanes):
            return
        for lane, holder in enumerate(self.lanes):
            if holder or not self.queue:
                continue
            needed = -(-len(self.queue[0].tokens) // BLOCK) if self.way.paged else BLOCKS
            if self.pool.free < needed:
                return
            self.lanes[lane] = served = self.queue.popleft()
            served.lane = lane
            if not self.way.paged:
                self._hold(served, [self.pool.take() for _ in range(BLOCKS)])

    def _by_age(self) -> list[Served]:
        """Who has a lane and is not done, in the order of arrival."""
        return sorted((each for each in self.lanes if each and not each.done), key=attrgetter("number"))

    def _prompt(self, served: Served, budget: int) -> int:
        """How many tokens of the prompt to compute now; blocks that somebody has computed already are shared."""
        while self.way.shared and served.computed % BLOCK == 0 and served.pending > BLOCK:
            block = self.pool.share(tuple(served.tokens[: served.computed + BLOCK]))
            if block is None:
                break
            self._hold(served, [block])
            served.computed += BLOCK
        return min(served.pending, budget)

    def _room(self, served: Served, end: int) -> bool:
        """Blocks for the positions up to ``end``, if need be those of the youngest; False if that was itself."""
        while len(served.blocks) * BLOCK < end:
            try:
                self._hold(served, [self.pool.take()])
            except FullError:
                youngest = self._by_age()[-1]
                self._evict(youngest)
                if youngest is served:
                    return False
        return True

    def _hold(self, served: Served, blocks: list[int]) -> None:
        held = len(served.blocks)
        served.blocks += blocks
        self.machine.tables[served.lane, held : held + len(blocks)] = blocks

    def _evict(self, served: Served) -> None:
        self._give_back(served.lane)
        served.computed = 0
        served.evicted += 1
        self.queue.appendleft(served)

    def _give_back(self, lane: int) -> None:
        served = self.lanes[lane]
        assert served
        self.pool.give(served.blocks)
        served.blocks, served.lane = [], -1
        self.lanes[lane] = None

    def _computed(self, served: Served, many: int) -> None:
        before = served.computed // BLOCK
        served.computed += many
        if self.way.shared:
            for full in range(before, served.computed // BLOCK):
                self.pool.publish(tuple(served.tokens[: (full + 1) * BLOCK]), served.blocks[full])

    def glance(self, at: float, rows: int) -> Glance:
        return Glance(
            at,
            rows,
            tuple(
                (each.number, len(each.tokens), each.computed, tuple(each.blocks)) if each else None
                for each in self.lanes
            ),
        )


def serve(
    requests: Sequence[Request], server: Server, clock: Callable[[], float] = time.perf_counter
) -> tuple[list[Served], list[Glance]]:
    """Serve all, each from its arrival on: what became of them, in their order, and a glance after each step."""
    coming = deque(
        Served(request, number, list(request.prompt))
        for number, request in sorted(enumerate(requests), key=lambda each: each[1].arrival)
    )
    all_served = sorted(coming, key=lambda served: served.number)
    glances: list[Glance] = []
    begun = clock()
    while coming or server.busy:
        now = clock() - begun
        while coming and coming[0].request.arrival <= now:
            server.queue.append(coming.popleft())
        if not server.busy:
            continue  # nothing to do until the next arrival
        answered, rows = server.step()
        now = clock() - begun
        for served in answered:
            served.given.append(now)
        glances.append(server.glance(now, rows))
        server.leave()
    return all_served, glances

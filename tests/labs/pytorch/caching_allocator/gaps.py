"""The same rules over plain intervals: what is free is the gaps between those in use, so nothing is merged."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

MIB = 1 << 20
Interval = tuple[int, int]


@dataclass(eq=False)
class Place:
    """A segment: from where to where, and which of its pages the device gave."""

    start: int
    end: int
    small: bool
    stream: int
    page: int
    pages: set[int] = field(default_factory=set)
    emptied: int = 0


@dataclass(eq=False)
class Gaps:
    limit: int
    expandable: bool = False
    max_split: int | None = None
    threshold: float = 0.0
    lag: int = 40
    places: list[Place] = field(default_factory=list)
    used: dict[int, Interval] = field(default_factory=dict)
    waits: dict[int, int] = field(default_factory=dict)
    shared: set[int] = field(default_factory=set)
    top: int = 0
    clock: int = 0
    searches: int = 0

    def reserved(self) -> int:
        return sum(len(place.pages) * place.page for place in self.places)

    def runs(self, place: Place, mapped: bool) -> list[Interval]:
        """Where nobody is: with memory behind it, or whether or not there is."""
        inside = sorted(each for each in self.used.values() if place.start <= each[0] < place.end)
        free = [(a[1], b[0]) for a, b in pairwise([(0, place.start), *inside, (place.end, 0)]) if a[1] < b[0]]
        if not mapped:
            return free
        edges = [(place.start + n * place.page, place.start + (n + 1) * place.page) for n in sorted(place.pages)]
        joined: list[Interval] = []
        for begin, end in edges:
            joined = (
                [*joined[:-1], (joined[-1][0], end)]
                if joined and joined[-1][1] == begin
                else [*joined, (begin, end)]
            )
        both = [(max(a, c), min(b, d)) for a, b in free for c, d in joined]
        return [each for each in both if each[0] < each[1]]

    def room(self, place: Place, run: Interval) -> int:
        after = next((end for begin, end in self.runs(place, mapped=False) if begin <= run[0] < end), run[1])
        end = run[1]
        while end < after and (end - place.start) // place.page not in place.pages:
            end += place.page
        return end - run[0]

    def malloc(self, asked: int, owner: int, stream: int) -> bool:
        self.clock += 1
        for each in [each for each, when in self.waits.items() if when <= self.clock]:
            self.drop(each)
        size = max(512, -(-asked // 512) * 512)
        small = size <= MIB
        self.searches += not small
        place, run = self.search(size, small, stream)
        if not place:
            self.collect()
            place, run = self.ask(size, small, stream)
        if not place and self.release_some(size, small, stream):
            place, run = self.ask(size, small, stream)
        if not place:
            self.release()
            place, run = self.ask(size, small, stream)
        if not place:
            return False
        rest = run[1] - run[0] - size
        cut = rest >= 512 if small or self.expandable else rest > MIB and not self.big(size)
        self.used[owner] = (run[0], run[0] + size if cut else run[1])
        return True

    def big(self, size: int) -> bool:
        return bool(self.max_split) and size >= (self.max_split or 0)

    def search(self, size: int, small: bool, stream: int) -> tuple[Place | None, Interval]:
        fits = sorted(
            (run[1] - run[0], run[0], n)
            for n, place in enumerate(self.places)
            if (place.small, place.stream) == (small, stream)
            for run in self.runs(place, mapped=True)
            if run[1] - run[0] >= size
        )
        best = 0
        while self.expandable and best + 1 < len(fits) and self.rank(fits[best + 1]) < self.rank(fits[best]):
            best += 1
        if not fits:
            return None, (0, 0)
        length, start, n = fits[best]
        if self.big(length) and (not self.big(size) or length >= size + 20 * MIB):
            return None, (0, 0)
        return self.places[n], (start, start + length)

    def rank(self, fit: tuple[int, int, int]) -> int:
        return self.room(self.places[fit[2]], (fit[1], fit[1] + fit[0]))

    def ask(self, size: int, small: bool, stream: int) -> tuple[Place | None, Interval]:
        if self.expandable:
            return self.grow(size, small, stream)
        wanted = 2 * MIB if small else 20 * MIB if size < 10 * MIB else -(-size // (2 * MIB)) * 2 * MIB
        if self.reserved() + wanted > self.limit:
            return None, (0, 0)
        place = Place(self.top, self.top + wanted, small, stream, wanted, {0})
        self.top += wanted
        self.places.append(place)
        return place, (place.start, place.end)

    def grow(self, size: int, small: bool, stream: int) -> tuple[Place | None, Interval]:
        for place in self.places:
            if (place.small, place.stream) != (small, stream):
                continue
            for begin, end in self.runs(place, mapped=False):
                missing = [n for n in range(*self.span(place, begin, end)) if n not in place.pages]
                if missing and end - begin >= size:
                    return self.fill(place, begin, size)
        page = (2 if small else 20) * MIB
        space = -(-(self.limit + self.limit // 8) // page) * page
        place = Place(self.top, self.top + space, small, stream, page)
        self.top += space
        self.places.append(place)
        return self.fill(place, place.start, size)

    def span(self, place: Place, begin: int, end: int) -> Interval:
        return (begin - place.start) // place.page, -(-(end - place.start) // place.page)

    def fill(self, place: Place, begin: int, size: int) -> tuple[Place | None, Interval]:
        missing = [n for n in range(*self.span(place, begin, begin + size)) if n not in place.pages]
        together: list[list[int]] = []
        for n in missing:
            if together and together[-1][-1] == n - 1:
                together[-1].append(n)
            else:
                together.append([n])
        for pages in together:
            if self.reserved() + len(pages) * place.page > self.limit:
                return None, (0, 0)
            place.pages |= {*pages}
        return place, next(run for run in self.runs(place, mapped=True) if run[0] == begin)

    def free(self, owner: int) -> None:
        self.clock += 1
        if owner in self.shared:
            self.waits[owner] = self.clock + self.lag
        else:
            self.drop(owner)

    def drop(self, owner: int) -> None:
        start, _ = self.used.pop(owner)
        self.waits.pop(owner, None)
        self.shared.discard(owner)
        next(each for each in self.places if each.start <= start < each.end).emptied = self.searches

    def whole(self, small: bool | None = None, stream: int | None = None) -> list[Place]:
        """Segments in which nobody is, the smallest first."""
        found = [
            place
            for place in self.places
            if self.runs(place, mapped=False) == [(place.start, place.end)]
            and small in (None, place.small)
            and stream in (None, place.stream)
        ]
        return sorted(found, key=lambda place: (place.end - place.start, place.start))

    def release_some(self, size: int, small: bool, stream: int) -> bool:
        if not self.max_split or self.expandable:
            return False
        wanted, gone = max(size, self.max_split), 0
        large = [place for place in self.whole(small, stream) if self.big(place.page)]
        for place in large:
            if place.page >= wanted:
                self.places.remove(place)
                return True
        while gone < wanted and large:
            gone += large[-1].page
            self.places.remove(large.pop())
        return gone >= wanted

    def release(self) -> None:
        for owner in [*self.waits]:
            self.drop(owner)
        for place in self.places:
            for begin, end in self.runs(place, mapped=True):
                first, last = -(-(begin - place.start) // place.page), (end - place.start) // place.page
                place.pages -= {*range(first, last)}
        self.places = [place for place in self.places if place.pages]

    def collect(self) -> None:
        if not self.threshold or self.expandable:
            return
        goal, gone = self.reserved() - int(self.threshold * self.limit), 0
        left = {place: self.searches - place.emptied for place in self.whole(small=False)}
        while gone < goal and left:
            average = sum(left.values()) / len(left)
            for place in [place for place, age in left.items() if age >= average]:
                gone += place.page
                self.places.remove(place)
                del left[place]

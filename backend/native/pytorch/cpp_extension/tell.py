"""The sentences of the road."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labs.contract import Sentence, joined, say

from native.pytorch.cpp_extension.pictures import PARTS, STATIONS, Road

if TYPE_CHECKING:
    from native.pytorch.cpp_extension import Params


def station(event: Road, at: int) -> Sentence:
    took = seconds(float(event.seconds[at]))
    match STATIONS[at]:
        case "preprocess":
            return say("Preprocessed in {}: {:,} lines of code, {:,} bytes.", took, event.lines, event.bytes)
        case "compile":
            open_ = len(event.needed)
            return say("Compiled in {} by {}; the object file leaves {} symbols open.", took, event.compiler, open_)
        case "link":
            return say(
                "Linked in {}: a shared library of {:,} bytes, which leaves the same symbols open.",
                took,
                event.size,
            )
        case "load":
            return say(
                "Loaded in {}: {} of {} symbols have an address, and the operator is registered.",
                took,
                sum(event.bound),
                len(event.bound),
            )
    return say("The first call takes {}, and returns a tensor.", took)


def symbols(event: Road) -> Sentence:
    nobody = [name for name, who in zip(event.needed, event.provider, strict=True) if not who]
    if nobody:
        return say(
            "For {} of the {} symbols needed, no library that the loader may search has a definition: {}.",
            len(nobody),
            len(event.needed),
            joined(", ", nobody[:2]) if len(nobody) < 3 else say("{} and others", nobody[0]),
        )
    who = sorted({*event.provider})
    return say("{} symbols are needed, and {} defines them.", len(event.needed), joined(", ", who))


def refused(event: Road) -> Sentence:
    if event.stage in STATIONS[:3]:
        return say("The compiler refuses: {}.", Sentence.plain(event.error.rstrip(".")))
    if event.stage == "load":
        return say("The loader refuses: {}", Sentence.plain(event.error))
    return say("Torch says: {}", Sentence.plain(event.error))


def lost(event: Road) -> Sentence:
    return say("The loader ends the whole process: {}", Sentence.plain(event.error))


def checks(event: Road) -> Sentence:
    count = {outcome: sum(row.outcome == outcome for row in event.checks) for outcome in ("refused", "wrong")}
    if count["wrong"]:
        return say(
            "For {} of {} kinds of tensor the numbers are wrong, without an error.",
            count["wrong"],
            len(event.checks),
        )
    return say(
        "{} kinds of tensor give the same results as torch, and {} are refused.",
        len(event.checks) - count["refused"],
        count["refused"],
    )


def times(event: Road, params: Params) -> Sentence:
    ours, theirs, python = (nanoseconds(float(row[1])) for row in event.ways)
    share = 100 * float(event.parts[PARTS.index("unexplained"), 1]) / float(event.ways[0, 1])
    return say(
        "With n = {:,} the extension takes {}, torch itself {}, Python {}; {:.0f} % of the first is unexplained.",
        params.n,
        ours,
        theirs,
        python,
        share,
    )


def headers(event: Road) -> Sentence:
    return say(
        "{} alone is {:,} lines of code after preprocessing; declaring only what we call takes {:,}.",
        event.headers[-1],
        int(event.header_lines[-1]),
        int(event.header_lines[0]),
    )


def seconds(value: float) -> Sentence:
    return nanoseconds(value * 1e9) if value < 1 else say("{:.2g} {}", value, "s")


def nanoseconds(value: float) -> Sentence:
    for unit, of in (("ms", 1e6), ("µs", 1e3)):
        if abs(value) >= of:
            return say("{:.3g} {}", value / of, unit)
    return say("{:.3g} ns", value)

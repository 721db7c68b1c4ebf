"""Programs made up by Hypothesis: chains of nests over one or two loops, with neighbours, strides, sums, scans."""

from __future__ import annotations

from hypothesis import strategies as st

LENGTH = 6


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Up to three producers, each read by a later nest; now and then one that overwrites an input."""
    dims = draw(st.integers(1, 2))
    loops = ", ".join(f"{name} in 2..{LENGTH}" for name in "ij"[:dims])
    text, made = [], []
    count = draw(st.integers(2, 4))
    for number in range(count):
        last = number == count - 1
        name = "X" if last and draw(st.integers(0, 3)) == 0 else f"P{number}"
        sources = [draw(st.sampled_from([*made, "X"])) for _ in range(draw(st.integers(1, 3)))]
        if made and made[-1] not in sources:
            sources[0] = made[-1]
        terms = [f"{source}[{index(draw, dims)}]" for source in sources]
        own = ", ".join("ij"[:dims])
        if name != "X" and draw(st.integers(0, 5)) == 0:
            terms.append(f"{name}[{own.replace('i', 'i - 1', 1)}]")  # a running sum
        if name == "X":
            terms.append("1")  # what overwrites it with a copy of itself would be right whoever reads it
        if name != "X" and draw(st.integers(0, 4)) == 0:
            text.append(f"for {loops}, k in 0..2: {name}[{own}] += {' + '.join(terms[:1])}")
        else:
            text.append(f"for {loops}: {name}[{own}] = {' + '.join(terms)}")
        made.append(name)
    if draw(st.integers(0, 4)) == 0:
        text.append(f"keep {made[0]}")
    return "\n".join(text)


INDICES = ["{0}", "{0}", "{0}-1", "{0}+1", "{0}-2", "2*{0}", "7-{0}", "{0}//2", "{0}%3", "3"]


def index(draw: st.DrawFn, dims: int) -> str:
    names = "ij"[:dims] if draw(st.integers(0, 3)) else "ij"[:dims][::-1]
    return ", ".join(draw(st.sampled_from(INDICES)).format(name) for name in names)


ways = st.tuples(st.integers(1, 5), st.integers(1, 5))

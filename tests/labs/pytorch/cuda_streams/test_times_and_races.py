"""Random programs: the model against the graph, which knows no time step and no queue."""

from __future__ import annotations

import pytest
from labs.pytorch.cuda_streams import Params, run

from .graph import LAUNCH, random_program


@pytest.mark.parametrize("legacy", [False, True])
@pytest.mark.parametrize("seed", range(120))
def test_longest_paths_and_reachability_agree(seed: int, legacy: bool) -> None:
    graph = random_program(seed, legacy, waits=0.1 + 0.4 * (seed % 3) / 2)
    streams = "blocking" if legacy else "non-blocking"
    *_, event = run(Params(program="\n".join(graph.lines), launch=LAUNCH, streams=streams))  # type: ignore[arg-type]
    ends = graph.ends()
    expected = [(ends[node] - graph.took[node], ends[node]) for _, node in sorted(graph.work.items())]
    assert [(each.start, each.end) for each in event.work] == expected
    order = {each.number: n for n, each in enumerate(event.work)}
    found = {(order[each.first], order[each.second], each.block) for each in event.conflicts}
    races = graph.races()
    assert found == races if not event.more_conflicts else found < races
    assert len(event.conflicts) + event.more_conflicts == len(races)
    for each in event.conflicts:
        first, second = (event.work[order[n]] for n in (each.first, each.second))
        assert each.wrong == (second.start < first.end)

"""A figure opens on a step that its recorded run has."""

import json
from pathlib import Path

from labs.discover import find

RECORDINGS = Path(__file__).parents[2] / "content" / "recordings"


def test_every_poster_is_a_step_of_the_recorded_run() -> None:
    posters = {lab.id: lab for lab in find().values() if lab.poster}
    assert posters
    for lab in posters.values():
        own = RECORDINGS / lab.id / "default.json"
        path = own if own.is_file() else RECORDINGS / lab.front[0] / "default.json"
        steps = [event for event in json.loads(path.read_text("utf-8"))["events"] if "text" in event]
        assert 1 <= (lab.poster or 0) <= len(steps), lab.id

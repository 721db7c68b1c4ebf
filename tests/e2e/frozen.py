"""The events that pictures of measuring labs show: kept apart, so that a new measurement is not a new picture."""

import json
from pathlib import Path
from typing import Any

RECORDINGS = Path(__file__).parents[2] / "content" / "recordings"
Log = list[dict[str, Any]]


def key_steps(count: int) -> dict[str, int]:
    """Names of the key steps, each once."""
    return {name: index for index, name in {0: "first", count // 2: "middle", count - 1: "last"}.items()}


def recorded(name: str) -> dict[str, Any]:
    run: dict[str, Any] = json.loads((RECORDINGS / f"{name}.json").read_text("utf-8"))
    return run


def key_events(run: dict[str, Any]) -> Log:
    """The events at the key steps of a recorded run."""
    _, *events, _ = run["events"]
    return [events[index] for index in key_steps(len(events)).values()]


def with_events(run: dict[str, Any], events: Log) -> dict[str, Any]:
    """The recorded run as if these had been its events."""
    started, *_, end = run["events"]
    return run | {"events": [started, *events, end]}


def freeze(path: Path, events: Log) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "[\n" + ",\n".join(json.dumps(event, ensure_ascii=False) for event in events) + "\n]\n", "utf-8"
    )


def thawed(path: Path) -> Log:
    events: Log = json.loads(path.read_text("utf-8"))
    return events


def alike(one: Log, other: Log) -> bool:
    """Whether a figure that can draw one can draw the other: events of the same kinds, with the same fields."""
    return [[event["kind"], *sorted(event)] for event in one] == [
        [event["kind"], *sorted(event)] for event in other
    ]

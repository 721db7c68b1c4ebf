"""What the build keeps is used again while nothing has changed of which it was made, and never after that."""

from pathlib import Path

from in_node import told


def test_a_thing_is_made_anew_when_what_it_is_made_of_changes(tmp_path: Path) -> None:
    times = [("key", "a"), ("key", "a"), ("key", "b"), ("other key", "b"), ("other key", "b")]
    made = told("kept.mjs", {"folder": str(tmp_path), "times": times})
    assert made == ["made 1.", "made 1.", "made 3.", "made 4.", "made 4."]
    assert len([*tmp_path.glob("node_modules/.cache/underhood/*")]) == 1, "the one before is not left behind"

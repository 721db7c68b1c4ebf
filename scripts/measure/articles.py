"""Where the articles stand: all of them, in the first language."""

from pathlib import Path

CONTENT = Path(__file__).resolve().parents[2] / "content"


def articles() -> list[str]:
    """The number of a file is its order and is not in the address; a second suffix is a language."""
    files = (path for path in CONTENT.glob("*/[0-9]*.mdx") if "." not in path.stem)
    return [f"/{path.parent.name}/{path.stem.partition('-')[2]}/" for path in sorted(files)]

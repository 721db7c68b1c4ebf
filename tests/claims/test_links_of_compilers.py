"""What a link in the articles on compilers leads to does not depend on what was pressed before.

A link takes back what the one before it has set, but a link to a step keeps it: where an article has both for a
figure, a step may be one of another run.
"""

import re
from collections import defaultdict
from pathlib import Path

import pytest

SERIES = Path(__file__).parents[2] / "content/compilers"
LINK = re.compile(r'<(Set|Step) figure="(\w+)" ((?:[^>"{]|"[^"]*"|\{[^}]*\})*)>')


@pytest.mark.parametrize("article", sorted(SERIES.glob("*.mdx")), ids=lambda path: path.stem)
def test_links_to_a_figure_set_the_same_parameters(article: Path) -> None:
    links = defaultdict(list)
    for kind, figure, given in LINK.findall(article.read_text("utf-8")):
        names = set(re.findall(r"(\w+)=", re.sub(r'"[^"]*"', '""', given))) - {"step"}
        links[figure].append(names if kind == "Set" else set())
    assert links
    for figure, asked in links.items():
        assert all(asked) or not any(asked), f"of {figure}"

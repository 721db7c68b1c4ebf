"""What is searched for in other words, and what counts as found."""

import json
from pathlib import Path

from in_node import told

CONTENT = Path(__file__).parents[2] / "content"

OTHERWISE = {
    "quantisation": ["quantization"],
    "vectorised loops": ["vectorized loops"],
    "behaviour": ["behavior"],
    "colour": ["color"],
    "modelling": ["modeling"],
    "denormal": ["subnormal"],
    "Flash attention": ["online softmax"],
    "amortised": ["amortized cost", "amortized"],
    "stride": [],
    "zzzq": [],
}
MEETS = {
    ("quantization", "quantizing"): True,
    ("scaling", "scale"): True,
    ("Strides", "stride"): True,
    ("z", "zzzq"): False,
    ("zero", "zzzq"): False,
    ("mistake", "mistyped"): False,
    ("zero point", "point zero"): True,
}


def test_other_spellings_and_other_names_are_tried() -> None:
    said = told("queries.mjs", {"otherwise": [*OTHERWISE], "meets": [*MEETS]})
    assert dict(zip(OTHERWISE, said["otherwise"], strict=True)) == OTHERWISE
    assert dict(zip(MEETS, said["meets"], strict=True)) == MEETS


def test_synonyms_are_of_terms_that_the_glossary_has() -> None:
    synonyms, glossary = (
        json.loads((CONTENT / f"{name}.json").read_text("utf-8")) for name in ("synonyms", "glossary")
    )
    assert not synonyms.keys() - glossary.keys()
    others = [name for names in synonyms.values() for name in names]
    assert len(others) == len(set(others)), "one name for two terms"
    assert not set(others) & glossary.keys(), "a term of its own"

"""A number of an array is asked for by the names along its axes; a name that is not there stops the build."""

import re

import pytest
from in_node import told

TIMES = 'of="speed/cache_counted"'
CHECKS = 'of="learning/xor_training" recording="listed"'

# name -> (value, what the message says)
WRONG = {
    "a number where there are names": (
        f'{TIMES} at="orders.took[3].median"',
        r"speed/cache_counted has no order called 3 in orders\.took; there are ijk, ikj, jik, jki, kij, kji",
    ),
    "a number of the flattened array": (f'{TIMES} at="orders.took.10"', r"has no order called 10 in orders\.took"),
    "a name of another axis": (
        f'{TIMES} at="orders.took[jki][B]"',
        r"has no quartile called B in orders\.took; there are low, median, high",
    ),
    "a row": (f'{TIMES} at="orders.took[jki]"', r"speed/cache_counted holds no number there"),
    "an item of a list by its number": (
        f'{CHECKS} at="picture.checks[2].used"',
        r"has no gradient called 2 in picture\.checks; there are .*W2\[0, 0\]",
    ),
    "a number beyond the last": (
        'of="tensors/mlp_digits" at="picture.drawing_scores[10]"',
        r"has no 10 in picture\.drawing_scores; its 10 items have numbers from 0 on",
    ),
    "a name that two places have": (
        'of="bits/hash_table" recording="quadratic_prime" at="picture.many_hit[0.516129]"',
        r"has more than one load called 0\.516129 in picture\.many_hit",
    ),
}
RIGHT = {
    "names of two axes": f'{TIMES} at="orders.took[jki].median"',
    "a name with brackets": f'{CHECKS} at="picture.checks[W2[0, 0]].used"',
    "a size": 'of="speed/one_repetition" at="clocked.ratio[7]"',
    "a list within a list": 'of="compilers/mlir_lowering" at="lowered.ways[tiles].speed.median"',
    "a number where there is no name": 'of="tensors/mlp_digits" at="picture.drawing_scores[9]"',
}


@pytest.fixture(scope="module")
def said() -> dict[str, str | None]:
    """What the build says of an article with such a value, by its name."""
    values = {name: value for name, (value, _) in WRONG.items()} | RIGHT
    articles = {f"content/speed/{name}.mdx": f"It is <Value {value} />." for name, value in values.items()}
    found: dict[str, str | None] = told("check_articles.mjs", articles)
    return {name: found[f"content/speed/{name}.mdx"] for name in values}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_there_is_refused_with_what_is(name: str, said: dict[str, str | None]) -> None:
    _, words = WRONG[name]
    message = said[name]
    assert message is not None, "it was let through"
    assert re.match(rf"content/speed/{name}\.mdx:1:\d+: <Value .*{words}", message), message


@pytest.mark.parametrize("name", RIGHT)
def test_a_number_is_found_by_its_names(name: str, said: dict[str, str | None]) -> None:
    assert said[name] is None

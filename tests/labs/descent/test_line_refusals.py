"""What the way down does not take: every refusal says what to change."""

import pytest
from labs.contract import LabError
from labs.descent.one_line import Params, run


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"line": "y = x @ x"}, "inner lengths"),
        ({"line": "y = q"}, "unknown"),
        ({"line": "y = 1 + 2"}, "plain numbers"),
        ({"line": "y = x"}, "nothing is computed"),
        ({"line": "y = relu(x"}, "column 9: this is not a line of Python"),
        ({"line": "y = x × w"}, r"column 7: “×” cannot be followed here; this figure knows \+, -, \*, @"),
        ({"line": "x = w + b"}, "meaning here already"),
        ({"line": "y = w + b; z = 1"}, "write one assignment, such as y = x @ w"),
        ({"line": "y = x + w"}, "do not fit"),
        ({"line": "y = b.T"}, "turns a matrix"),
        ({"line": "y = 1e9 * x"}, "numbers go to 100"),
        ({"line": "y = x @ w @ w.T @ w @ w.T @ w"}, "steps"),
        ({"line": "y = -(-(-(-(-(-(-(-(-x))))))))"}, "8 operators"),
        ({"x": "1 2 3"}, "2 rows of 3 numbers, with ; between the rows; here are 3"),
        ({"x": "1,5 2 3; 1 2 3"}, "here are rows of 4 and 3"),
        ({"b": "1"}, "b is 4 numbers; here is 1"),
        ({"b": "1 2 3 z"}, "not a number"),
        ({"line": "y = x / 2"}, "column 5: this figure cannot follow x / 2; it knows"),
        ({"line": "y = softmax(x @ w)"}, r"cannot follow softmax\(…\); it knows"),
        ({"line": "y = w + x.sum(0)"}, r"column 9: this figure cannot follow x\.sum\(…\); it knows"),
        ({"line": "y = x if x @ w + b + b + b else w"}, "cannot follow that; it knows"),
        ({"line": "relu(x @ w.T + b)"}, r"write one assignment, such as y = relu\(x @ w\.T \+ b\)\.$"),
        ({"line": "x @ w + b + b + b + b + b + b"}, r"such as y = x @ w\.$"),
        ({"line": "__import__('os').system('id')"}, r"such as y = x @ w\.$"),
        ({"w": "1 2 3 4; 1 2 -1e9 4; 1 2 3 4"}, r"w\[1, 2\] is out of range; write a number from −100 to 100"),
        ({"b": "0 0 nan 0"}, r"b\[2\] is out of range"),
    ],
)
def test_what_is_not_taken_says_what_to_change(given: dict[str, str], says: str) -> None:
    with pytest.raises(LabError, match=says):
        list(run(Params(**given)))

"""Every gradient as PyTorch finds it and as nudging finds it; the pictures tell each step of the chain rule."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from labs.contract import LabError
from labs.learning.backprop_step import EXAMPLES, MOST, Params, Picture, run
from labs.learning.backprop_step.operations import OPERATIONS
from typed_expressions import by_torch, program


def pictures(**params: Any) -> list[Picture]:
    return list(run(Params(**params)))


def number(value: float | str | None) -> float:
    return math.nan if value is None else float(value)


def gradients(picture: Picture) -> dict[str, float | None]:
    """By name; None where no path leads."""
    found = zip(picture.names, picture.gradients, strict=True)
    return {name: None if value is None else float(value) for name, value in found}


def is_finite(picture: Picture) -> bool:
    known = [*picture.values, *picture.gradients, *picture.slopes]
    return not any(isinstance(value, str) for value in known)


def check(picture: Picture, text: str) -> None:
    slopes, result, values = by_torch(text)
    assert number(picture.values[picture.result]) == pytest.approx(result, rel=1e-12)
    ours = gradients(picture)
    for name, wanted in slopes.items():
        if name not in ours:
            continue  # another name for a node
        assert number(picture.values[picture.names.index(name)]) == pytest.approx(values[name], rel=1e-12)
        assert ours[name] or pytest.approx(wanted or 0.0, rel=1e-9, abs=1e-12) == 0.0, f"{name} of\n{text}"


def test_generated_expressions_have_the_gradients_of_pytorch() -> None:
    compared = agreed = 0
    for seed in range(900):
        text = program(seed)
        try:
            last = pictures(program=text)[-1]
        except LabError as error:
            assert re.search("no input|finite|nodes", str(error)), text
            continue
        if not is_finite(last):
            continue
        check(last, text)
        compared += 1
        agreed += set(last.verdicts) <= {"", "agrees"}
    assert compared > 600
    assert agreed == compared  # by nudging, too


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_has_the_gradients_of_pytorch_and_of_nudging(name: str) -> None:
    last = pictures(program=EXAMPLES[name])[-1]
    check(last, EXAMPLES[name])
    for sign, verdict, found, gradient in zip(last.signs, last.verdicts, last.nudged, last.gradients, strict=True):
        assert verdict == ("" if sign else "agrees")
        if not sign:
            assert number(found) == pytest.approx(number(gradient), rel=1e-4, abs=1e-7)


def test_one_picture_for_each_operation_and_each_edge() -> None:
    shown = pictures()
    operations, edges = sum(map(bool, shown[0].signs)), len(shown[0].sources)
    assert [each.stage for each in shown] == [
        "inputs",
        *["forward"] * operations,
        *["backward"] * (edges + 1),
        "check",
    ]
    assert sorted(each.edge for each in shown if each.edge >= 0) == list(range(edges))


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_picture_knows_what_came_before_it_and_no_more(name: str) -> None:
    shown = pictures(program=EXAMPLES[name])
    for before, now in pairwise(shown):
        for field in ("values", "slopes", "shares"):
            new = [n for n, value in enumerate(getattr(before, field)) if value is None]
            new = [n for n in new if getattr(now, field)[n] is not None]
            wanted = {"values": "forward", "slopes": "backward", "shares": "backward"}[field]
            first = now.gradients[now.result] == 1.0 and before.gradients[now.result] is None
            assert len(new) == (1 if now.stage == wanted and not first else 0), (field, now.text)


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_step_back_is_the_chain_rule(name: str) -> None:
    """Slope times what came to the consumer, added to what came before; a node passes on when its sum is whole."""
    shown = pictures(program=EXAMPLES[name])
    sums: dict[int, float] = {shown[0].result: 1.0}
    passed: set[int] = set()
    for each in shown:
        if each.edge < 0:
            continue
        source, target = each.sources[each.edge], each.targets[each.edge]
        share = number(each.slopes[each.edge]) * sums[target]
        assert number(each.shares[each.edge]) == pytest.approx(share, rel=1e-12)
        assert source not in passed, "it had passed on what was not whole yet"
        passed.add(target)
        sums[source] = sums.get(source, 0.0) + share
        assert number(each.gradients[source]) == pytest.approx(sums[source], rel=1e-12, abs=1e-15)


WORDS = {"−": "-", "·": "*", "²": "**2", "½": "0.5"}


def says(rule: str, values: list[Any]) -> float:
    """A rule in words, computed."""
    words = re.sub(r"\{(\d+)\}", lambda found: f"({values[int(found[1])]!r})", rule)
    for sign, means in WORDS.items():
        words = words.replace(sign, means)
    if choice := re.fullmatch(r"1 if (.*) ([<>]) (.*?)(, 0.5 if equal)?, else 0", words):
        one, sign, other = eval(choice[1]), choice[2], eval(choice[3])
        return 0.5 if one == other and choice[4] else float(one > other if sign == ">" else one < other)
    if words.startswith("the sign of "):
        return math.copysign(1, eval(words.removeprefix("the sign of ")))
    known = {"sigmoid": lambda x: 1 / (1 + math.exp(-x)), "cos": math.cos, "sin": math.sin, "log": math.log}
    try:
        return float(eval(words, {"__builtins__": {}}, known))
    except (ZeroDivisionError, ValueError):  # powers of 0 are flat where the rule says nothing
        return 0.0


def test_the_rules_in_words_are_the_slopes_of_the_tape() -> None:
    seen = set()
    texts = [*EXAMPLES.values(), *map(program, range(300)), "max(x, y)\n", "min(x, x)\n"]
    for text in texts:
        try:
            last = pictures(program=text)[-1]
        except LabError:
            continue
        if not is_finite(last):
            continue
        for rule, slope, target in zip(last.rules, last.slopes, last.targets, strict=True):
            if slope is not None:
                # numbers of the text are said with four digits
                assert says(rule, last.values) == pytest.approx(number(slope), rel=2e-3, abs=1e-12), (rule, text)
                seen.add(last.signs[target])
    assert seen == {each.sign for each in OPERATIONS.values()}


# -- what an input is set to ------------------------------------------------------------------------------------


def test_a_moved_input_stands_elsewhere_and_the_text_as_it_was() -> None:
    text = EXAMPLES["used_twice"]
    last = pictures(program=text, moved="x=-0.5, w = 2e-1 elsewhere=3")[-1]
    wanted, result, _ = by_torch(text, {"x": -0.5, "w": 0.2})
    assert number(last.values[last.result]) == pytest.approx(result)
    assert gradients(last)["u"] == pytest.approx(wanted["u"])
    assert [last.names[each] for each in last.moved] == ["x", "w"]


def test_what_is_no_value_of_an_input_is_refused() -> None:
    for text in ("x", "x=", "x=1 2", "=3", "x=y", "x=1e999"):
        with pytest.raises(LabError, match=r"^Inputs moved: .* write x = 2"):
            pictures(moved=text)


# -- the mistake ------------------------------------------------------------------------------------------------


def test_to_overwrite_is_wrong_only_where_a_node_has_several_consumers() -> None:
    wrong = right = 0
    for text in [*EXAMPLES.values(), *map(program, range(200))]:
        try:
            good, bad = pictures(program=text)[-1], pictures(program=text, overwrite=True)[-1]
        except LabError:
            continue
        if not is_finite(good):
            continue
        users = Counter(
            source for source, share in zip(good.sources, good.shares, strict=True) if share is not None
        )
        several = {node for node, count in users.items() if count > 1}
        assert {bad.sources[edge] for edge in bad.lost} == several
        if not several:
            assert good == bad
            right += 1
        elif any(
            abs(sum(number(good.shares[n]) for n in bad.lost if good.sources[n] == each)) > 1e-9 for each in several
        ):
            assert good.gradients != bad.gradients
            wrong += 1
    assert wrong > 50 and right > 50


def test_nudging_finds_the_mistake() -> None:
    last = pictures(program=EXAMPLES["used_twice"], overwrite=True)[-1]
    assert {name: verdict for name, verdict in zip(last.names, last.verdicts, strict=True) if verdict} == {
        "x": "differs",
        "w": "differs",
        "u": "agrees",
        "v": "agrees",
    }
    assert "the gradients of x and w are wrong" in last.text


# -- edges ------------------------------------------------------------------------------------------------------


def test_one_node_has_the_gradient_1() -> None:
    last = pictures(program="x")[-1]
    assert last.names == ["x"] and last.gradients == [1.0] and last.verdicts == ["agrees"]


def test_thirty_nodes_are_drawn_and_one_more_is_refused() -> None:
    chain = "x" + " + x" * (MOST - 1)
    shown = pictures(program=chain)
    assert len(shown[0].names) == MOST and shown[-1].gradients[0] == float(MOST)
    with pytest.raises(LabError, match=r"^This has 31 nodes, but at most 30 can be drawn"):
        pictures(program=f"{chain} + x")


@pytest.mark.parametrize(
    ("text", "value", "why"),
    [
        ("1/(x - x)", "inf", "division by 0 has no result"),
        ("log(-x)", "nan", "only numbers above 0 have a real logarithm"),
        ("log(x - x)", "-inf", "only numbers above 0 have a real logarithm"),
        ("sqrt(-x)", "nan", "a number below 0 has no real square root"),
        ("(-x)**0.5", "nan", "only whole powers of a number below 0 are real"),
        ("(x - x)**-x", "inf", "division by 0 has no result"),
        ("exp(1000*x)", "inf", "too large for 64 bits"),
        ("tanh(log(-x))", "nan", "v₃ is already nan"),
    ],
)
def test_what_is_no_number_is_shown_and_explained(text: str, value: str, why: str) -> None:
    shown = pictures(program=text)
    assert shown[-1].values[shown[-1].result] == value
    assert why in [each for each in shown if each.stage == "forward"][-1].text


def test_a_kink_is_called_one() -> None:
    assert pictures(program="x = 0\nrelu(x)")[-1].verdicts[0] == "kink"
    assert pictures(program="x = 2\nmax(x, y)", moved="y=2")[-1].verdicts[:2] == ["agrees", "agrees"]  # half each


def test_what_leads_nowhere_has_no_gradient() -> None:
    last = pictures(program="x = 1\ny = 2\nh = y*3\nx*x")[-1]
    assert gradients(last) == {"x": 2.0, "y": None, "h": None, "v₄": 1.0}
    assert last.verdicts[1] == "agrees"  # nudging it changes nothing

"""The clock of the line: what is timed computes the line, and the layers add up to the call."""

import dis
import random
from types import CodeType
from typing import get_args

import numpy as np
import pytest
from labs.discover import find
from labs.models.one_line.line import EXAMPLES, read
from labs.models.programs.trouble import ProgramError
from native.descent.line_clock import LAYERS, Params, Timeable, differences, quarters, run, works
from native.descent.line_clock.arithmetic import Arithmetic, Writer
from random_lines import line as random_line
from underhood.contract.validation import ParameterError, validate

C_KERNEL_FLOPS = 2 * 4 * (3 + 2 + 1 + 1)  # for each of eight elements three products, two sums, the bias, relu


def lines() -> list[str]:
    drawn = []
    for seed in range(40):
        try:
            drawn.append(read(random_line(random.Random(seed))).source)
        except ProgramError:
            continue
    return [*EXAMPLES.values(), *drawn]


@pytest.mark.parametrize("source", lines())
def test_the_machine_code_comes_to_what_pytorch_does(source: str) -> None:
    line = read(source)
    work, result = works.alone(Arithmetic(line), line)
    work(1)
    names = {"relu": works.torch.relu}
    exec(source, names | works.tensors(grad=False), names)
    theirs = names[line.target].numpy()
    assert result.shape == theirs.shape
    assert np.allclose(result, theirs, rtol=1e-5, atol=1e-5 * (1 + np.abs(theirs).max()))


def test_it_does_each_operation_once() -> None:
    assert Writer(read(EXAMPLES["a layer"])).flops == C_KERNEL_FLOPS
    assert Writer(read("y = (x + x) * (x + x)")).flops == 3 * 6


@pytest.mark.parametrize("source", lines())
def test_every_part_that_is_timed_runs(source: str) -> None:
    line = read(source)
    parts = (works.nothing, works.on_integers(line), works.dispatching(4), works.on_tensors(line, grad=True))
    for work in parts:
        work(2)


def test_integers_take_as_many_instructions_as_tensors() -> None:
    for source in lines():
        line = read(source)
        ours, theirs = (dis_of(each) for each in (works.on_integers(line), works.on_tensors(line, grad=False)))
        assert [each.split("_")[0] for each in ours] == [each.split("_")[0] for each in theirs], source


def dis_of(work: works.Work) -> list[str]:
    made = work.__closure__[0].cell_contents["work"]  # type: ignore[attr-defined]
    code: CodeType = made.__code__
    return [each.opname for each in dis.get_instructions(code)]


def test_no_line_but_our_own_is_executed() -> None:
    assert list(get_args(Timeable)) == list(EXAMPLES.values())
    with pytest.raises(ParameterError, match="line"):
        validate(find()["descent/line_clock"], {"line": "y = x * 2"})


def test_quarters_are_percentiles_of_the_repetitions() -> None:
    found = quarters(np.arange(10.0).reshape(2, 5))
    assert found.tolist() == [[1, 2, 3], [6, 7, 8]]


def test_the_layers_of_each_repetition_add_up_to_its_call() -> None:
    times = np.random.default_rng(1).uniform(1, 9, (7, 5)).cumsum(axis=0)
    *layers, call = differences(times)
    assert np.allclose(sum(layers), call)
    assert np.allclose(layers[1], times[2] - times[1]) and np.allclose(layers[-1], times[5])


@pytest.mark.alone
@pytest.mark.parametrize("line", [EXAMPLES["a layer"], EXAMPLES["there and back"]])
def test_the_layers_add_up_and_stay_below_the_peak(line: str) -> None:
    (event,) = run(Params(line=line, repetitions=5))  # type: ignore[arg-type]
    assert event.layers == list(LAYERS) and event.line == line
    assert event.took[:, 1].sum() == pytest.approx(float(event.call[1]), rel=1e-4)
    assert event.turns.shape == (len(LAYERS), 5)
    assert np.median(event.turns[-1]) == pytest.approx(event.took[-1, 1], rel=1e-5)  # no difference, but a time
    assert 0 < event.share < 0.5 and 0 < event.reached < event.arithmetic_reached <= 1
    assert event.took[-1, 1] == pytest.approx(event.share * event.call[1], rel=1e-5)

"""The loops and tiles of the kernel: which numbers lead to the chosen element, asked of NumPy by spoiling them."""

import random
import re

import numpy as np
from labs.contract import LabError
from labs.descent.one_line import EXAMPLES, Cut, Params, run
from labs.models.one_line.line import SHAPES
from random_lines import drawn


def cuts() -> list[tuple[Params, Cut]]:
    given = [drawn(random.Random(seed)) for seed in range(60)]
    given += [Params(line=line, element=element) for line in EXAMPLES.values() for element in (0, 5, 11)]
    found = []
    for params in given:
        try:
            found.append((params, next(run(params))))
        except LabError:
            continue
    return found


CUTS = cuts()


def ones() -> dict[str, np.ndarray]:
    return {name: np.ones(shape) for name, shape in SHAPES.items()}


def relu(each: np.ndarray) -> np.ndarray:
    return np.maximum(each, 0)  # which lets a nan through


def spoiled(cut: Cut, name: str, place: int) -> np.ndarray:
    """Which elements of the result are nan if one number of an input is."""
    arrays = ones()
    arrays[name].reshape(-1)[place] = np.nan
    names = {"relu": relu, **arrays}
    exec(cut.line, names)
    return np.isnan(names[cut.target]).reshape(-1)


def test_the_numbers_that_a_product_reads_are_those_that_can_spoil_the_element() -> None:
    tried = 0
    for _, cut in CUTS:
        read = {key for nest in cut.nests for each in nest.operands for key in each.keys if key not in ("", "+")}
        wanted = {
            f"{name}{place}"
            for name, shape in SHAPES.items()
            for place in range(int(np.prod(shape)))
            if spoiled(cut, name, place)[cut.place]
        }
        assert read <= wanted, cut.line
        if all(re.fullmatch(r"[xw](\.T)?", each.written) for nest in cut.nests for each in nest.operands):
            outside = re.sub(r"[xw](\.T)? @ [xw](\.T)?", "", cut.line.partition("=")[2])
            if not re.search(r"\b[xwb]\b", outside):
                assert read == wanted, cut.line
                tried += 1
    assert tried >= 5


def test_the_last_nest_makes_the_result_and_its_tile_holds_the_element() -> None:
    for _, cut in CUTS:
        last = cut.nests[-1]
        assert last.written == cut.target and last.wanted == [cut.place], cut.line
        shape = cut.stored[-1].shape
        assert last.shape == ([1, *shape] if len(shape) == 1 else shape)
        lane = cut.place % last.shape[1] % last.tile
        assert last.loops[-1].rounds == f"lane {lane}" and lane == cut.lanes.lane


def test_the_loops_compute_the_result() -> None:
    """They are Python: run as they stand, on tiles that NumPy cuts, they come to what the line does."""
    for _, cut in CUTS:
        names: dict[str, object] = {"relu": relu}
        rng = np.random.default_rng(0)
        names |= {name: rng.standard_normal(shape) for name, shape in SHAPES.items()}
        exec(cut.line, names)
        wanted = names.pop(cut.target)
        if any("@" in each.written for nest in cut.nests for each in nest.operands):
            continue
        for nest in cut.nests:
            if nest.operands:
                names[nest.written] = np.zeros(nest.shape)
                exec("\n".join("    " * each.depth + each.text for each in nest.loops), names)
            else:  # what is done with each element: on the whole at once
                exec(f"{nest.written} = {nest.loops[-1].text.partition(' = ')[2]}", names)
        assert np.allclose(names[cut.target], wanted), cut.line

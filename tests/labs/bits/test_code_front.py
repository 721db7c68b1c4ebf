"""The stages of the front end: what each shows belongs to the source, and to the stage before."""

import pytest
from labs.bits.code_front import Params, run
from labs.contract import LabError
from labs.models.c.functions import EXAMPLES
from labs.models.c.stages import Code, Tokens, Tree, Values


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_stage_names_the_characters_it_comes_from(name: str) -> None:
    source = EXAMPLES[name]
    tokens, tree, code, values = run(Params(source))
    assert isinstance(tokens, Tokens)
    assert isinstance(tree, Tree)
    assert isinstance(code, Code)
    assert isinstance(values, Values)
    rest = source
    for each in tokens.tokens:
        assert source[each.start : each.end] == each.text
        rest = rest.replace(each.text, "", 1)
    assert not rest.strip()
    for node in tree.nodes:
        assert source[node.start : node.end].strip() == source[node.start : node.end] != ""
        assert node.kind not in ("Name", "Constant") or node.detail in source[node.start : node.end]
    for line in code.code:
        assert 0 <= line.start < line.end <= len(source)
    assert all(-1 <= line.code < len(code.code) for line in values.values)
    assert {use for line in values.values for use in line.uses} <= {
        *(line.defines for line in values.values), *(f"{name.rpartition('.')[2]}_1" for name in values.promoted)
    }  # fmt: skip


def test_children_lie_inside_their_parents() -> None:
    for source in EXAMPLES.values():
        (tree,) = [each for each in run(Params(source)) if isinstance(each, Tree)]
        path = []
        for node in tree.nodes:
            del path[node.depth :]
            if path:
                assert path[-1].start <= node.start <= node.end <= path[-1].end
            path.append(node)


def test_what_is_read_so_far_is_shown_of_a_program_with_a_mistake() -> None:
    seen = []
    with pytest.raises(LabError, match=r"^Line 1, column 29: expected ';' after the value, found '}'\.$|Line 1"):
        seen += run(Params("int f(int a) { return a + 1 }"))
    events = run(Params("int f(int a) { return b; }"))
    assert [type(next(events)), type(next(events))] == [Tokens, Tree]
    with pytest.raises(LabError, match=r"^Line 1, column 23: b is not declared\.$"):
        next(events)


@pytest.mark.parametrize("source", ["", "  // nothing\n", "int x;"])
def test_a_program_without_a_function_is_told_so(source: str) -> None:
    with pytest.raises(LabError, match="no function"):
        list(run(Params(source)))

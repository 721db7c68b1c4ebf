"""Where nodes are drawn: edges lead forwards, nothing lies on another, and trees have no crossings."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from labs.learning.backprop_step.examples import EXAMPLES
from labs.learning.backprop_step.grammar import ExpressionError, Graph, read
from labs.learning.backprop_step.layers import Layout, place
from typed_expressions import program


def laid(graph: Graph) -> Layout:
    return place(len(graph.nodes), graph.edges, set(graph.inputs.values()))


def stops(graph: Graph, layout: Layout) -> list[dict[int, float]]:
    """Of each edge its slot in each layer."""
    found = []
    for (source, target), bends in zip(graph.edges, layout.bends, strict=True):
        slots = [layout.slots[source], *bends, layout.slots[target]]
        layers = range(layout.layers[source], layout.layers[target] + 1)
        found.append(dict(zip(layers, slots, strict=True)))  # strict: a bend in every layer between
    return found


def crossings(graph: Graph, layout: Layout) -> int:
    return sum(
        (one[layer] - other[layer]) * (one[layer + 1] - other[layer + 1]) < 0
        for one, other in combinations(stops(graph, layout), 2)
        for layer in one.keys() & other.keys()
        if layer + 1 in one and layer + 1 in other
    )


def graphs() -> list[Graph]:
    found = []
    for seed in range(200):
        try:
            found.append(read(program(seed)))
        except ExpressionError:
            continue
    assert len(found) > 180
    return found


def check(graph: Graph, layout: Layout) -> None:
    count = len(graph.nodes)
    assert min(layout.layers) == 0 and set(layout.layers) == set(range(max(layout.layers) + 1))
    assert all(layout.layers[source] < layout.layers[target] for source, target in graph.edges)
    rows: dict[int, list[tuple[float, bool]]] = {}
    for node in range(count):
        rows.setdefault(layout.layers[node], []).append((layout.slots[node], True))
    for (source, _), bends in zip(graph.edges, layout.bends, strict=True):
        for layer, slot in enumerate(bends, layout.layers[source] + 1):
            rows[layer].append((slot, False))
    for row in rows.values():
        for (one, is_node), (other, is_too) in pairwise(sorted(row)):
            apart = 1 if is_node and is_too else 0.8 if is_node or is_too else 0.6
            assert other - one >= apart - 2e-3  # an edge that passes goes around nodes, too
    assert min(slot for row in rows.values() for slot, _ in row) == 0


def test_generated_graphs_are_laid_out_without_overlap() -> None:
    for graph in graphs():
        check(graph, laid(graph))


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_laid_out_without_overlap_and_crossings(name: str) -> None:
    graph = read(EXAMPLES[name])
    layout = laid(graph)
    check(graph, layout)
    shared = name in ("a_network_on_XOR", "softmax_and_cross_entropy", "the_larger_wins")
    assert crossings(graph, layout) <= (4 if shared else 0)


def test_a_tree_has_no_crossings() -> None:
    graph = read("tanh((a*b + c*d) * (e/f - sin(g))) + exp(h)*k")
    assert crossings(graph, laid(graph)) == 0


def test_the_same_graph_is_laid_out_the_same_way() -> None:
    assert all(laid(graph) == laid(graph) for graph in graphs()[:20])


def test_one_node_is_a_layout() -> None:
    assert laid(read("x")) == Layout([0], [0.0], [])


def test_what_is_not_used_has_a_place() -> None:
    graph = read("x = 1\ny = 2\nx*x")
    check(graph, laid(graph))

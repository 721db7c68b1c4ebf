"""In which order the engine of autograd runs the nodes of a graph."""

STUB = '''
def walk_order(edges, root):
    """edges: for each node a tuple of the nodes that it hands gradients to, one for each edge. A node is a number
    that says when it was made; leaves have negative numbers, and come before all others, -1 first. Returns the
    nodes behind the root in the order in which they run, as a tuple."""
    order = [root]
    for node in order:
        order += edges.get(node, ())
    return tuple(order)
'''


def first_of_all(node):
    """Leaves before others, then what was made last."""
    return node < 0, node


def behind(edges, root):
    found, waiting = {root}, [root]
    while waiting:
        for each in edges.get(waiting.pop(), ()):
            if each not in found:
                found.add(each)
                waiting.append(each)
    return found


def taken(edges, root, senders, rank):
    """The order in which nodes are ready, and taken by rank, if these send gradients."""
    missing = {}
    for node in senders:
        for each in edges.get(node, ()):
            missing[each] = missing.get(each, 0) + 1
    order, ready = [], [root]
    while ready:
        node = max(ready, key=rank)
        ready.remove(node)
        order.append(node)
        for each in edges.get(node, ()):
            missing[each] -= 1
            if missing[each] == 0:
                ready.append(each)
    return tuple(order)


def walk_order(edges, root):
    return taken(edges, root, behind(edges, root), first_of_all)


def cases():
    yield {5: (4,), 4: (2, 3), 3: (1,), 2: (1,), 1: (-1, -2)}, 5
    yield {3: (2, -1), 2: (1, -1), 1: (-2,)}, 3
    yield {2: (1,), 1: (-1, -1)}, 2
    yield {6: (5, 1), 5: (4, 3), 4: (-1,), 3: (2,), 2: (1,), 1: (-2, -1)}, 6
    yield {4: (2,), 3: (1,), 2: (1, -1), 1: (-1,)}, 4
    yield {9: (-3,)}, 9


def each_edge(edges, root):
    """A node runs once, when all its gradients have arrived, and not once for each edge."""
    order, ready = [], [root]
    while ready:
        node = max(ready, key=first_of_all)
        ready.remove(node)
        order.append(node)
        ready += edges.get(node, ())
    return tuple(order)


def too_early(edges, root):
    """A node is not ready before all its gradients have arrived."""
    order, ready, met = [], [root], {root}
    while ready:
        node = max(ready, key=first_of_all)
        ready.remove(node)
        order.append(node)
        for each in edges.get(node, ()):
            if each not in met:
                met.add(each)
                ready.append(each)
    return tuple(order)


def leaves_last(edges, root):
    """An AccumulateGrad that is ready comes before all others."""
    return taken(edges, root, behind(edges, root), lambda node: node)


def all_edges_count(edges, root):
    """Nodes that are not behind the root send nothing: nobody may wait for them."""
    return taken(edges, root, edges, first_of_all)


MISTAKES = [each_edge, too_early, leaves_last, all_edges_count]

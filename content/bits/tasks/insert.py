"""Insert for linear probing with tombstones."""

STUB = '''
def insert(table, key):
    """table: a list of keys, None where a slot is empty, "deleted" where a tombstone stands.

    Puts the key in, unless it is there, and returns its slot; None if the table is full.
    The home of a key is key % len(table).
    """
    for i in range(len(table)):
        slot = (key + i) % len(table)
        if table[slot] is None:
            table[slot] = key
            return slot
'''


def insert(table, key):
    m, room = len(table), None
    for i in range(m):
        slot = (key + i) % m
        if table[slot] == key:
            return slot
        if table[slot] == "deleted" and room is None:
            room = slot
        if table[slot] is None:
            room = slot if room is None else room
            break
    if room is not None:
        table[room] = key
    return room


def cases():
    yield [None] * 8, 3
    yield [None, None, None, 3, 11, None, None, None], 19
    yield [None, None, None, 3, 11, None, None, None], 11
    yield [None, None, None, 3, "deleted", 19, None, None], 11
    yield [None, None, None, 3, "deleted", 19, None, None], 19
    yield [16, None, None, None, None, None, 6, 7], 14
    yield [8, 1, 2, 3, 4, 5, 6, 7], 9
    yield [8, 1, 2, 3, 4, 5, 6, 7], 2
    yield ["deleted", 1, 2, 3, 4, 5, 6, 7], 15
    yield ["deleted"] * 4, 2


def first_tombstone(table, key):
    """That stops at the first tombstone: if the key stands after it, the key is now in the table twice."""
    m = len(table)
    for i in range(m):
        slot = (key + i) % m
        if table[slot] in (None, "deleted", key):
            table[slot] = key
            return slot
    return None


def wasted_tombstones(table, key):
    """That never uses a tombstone again, so they pile up until nothing else is left."""
    m = len(table)
    for i in range(m):
        slot = (key + i) % m
        if table[slot] is None or table[slot] == key:
            table[slot] = key
            return slot
    return None


def blind(table, key):
    """That does not look whether the key is there: it is stored once more."""
    m = len(table)
    for i in range(m):
        slot = (key + i) % m
        if table[slot] in (None, "deleted"):
            table[slot] = key
            return slot
    return None


def no_wrap(table, key):
    """That stops at the end of the list; the slot after the last is the first."""
    m, room = len(table), None
    for slot in range(key % m, m):
        if table[slot] == key:
            return slot
        if table[slot] == "deleted" and room is None:
            room = slot
        if table[slot] is None:
            room = slot if room is None else room
            break
    if room is not None:
        table[room] = key
    return room


MISTAKES = [first_tombstone, wasted_tombstones, blind, no_wrap]

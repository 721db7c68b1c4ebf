"""A measured value is written with as many digits as the spread of its repetitions allows, two at least."""

from in_node import told


def test_digits_end_where_the_spread_begins() -> None:
    digits = {
        (6699.3, 1174.0): [2, "6,700", "6,700"],
        (5579.0, 329.0): [2, "5,600", "5,600"],
        (32.14, 1.02): [2, "32", "32"],
        (32.14, 0.9): [3, "32", "32"],  # as a number, 32.1
        (2.0513, 0.02): [3, "2", "2.1"],
        (1.0158, 0.02): [3, "1", "1.0"],  # measured, and not one
        (9.96, 0.02): [3, "10", "10"],
        (4.0, 0.0): [21, "4", "4"],  # counted
        (0.0318, 0.02): [2, "0", "0.032"],
        (413.2, 0.0): [21, "413", "410"],  # it did not vary
    }
    assert told("digits.mjs", [*digits]) == [*digits.values()]

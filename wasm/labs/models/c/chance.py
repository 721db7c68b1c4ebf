"""``rand`` as the C library of Linux has it, so that a program draws here what it draws there.

Source: glibc, stdlib/random_r.c, the generator of type 3: each number is the sum of those 31 and 3 before it.
"""

from __future__ import annotations

LONG, SHORT, THROWN_AWAY = 31, 3, 310


class Chance:
    def __init__(self) -> None:
        self.seed(1)

    def seed(self, value: int) -> None:
        state = [value if value else 1]
        for _ in range(LONG - 1):
            last = state[-1] if state[-1] < 1 << 31 else state[-1] - (1 << 32)
            high, low = int(last / 127773), last - int(last / 127773) * 127773  # both towards zero, as in C
            state.append((16807 * low - 2836 * high) % ((1 << 31) - 1 if 16807 * low < 2836 * high else 1 << 32))
        self.state = state[SHORT:] + state[:SHORT]
        for _ in range(THROWN_AWAY):
            self.next()

    def next(self) -> int:
        made = (self.state[-LONG] + self.state[-SHORT]) % (1 << 32)
        self.state = [*self.state[1:], made]
        return made >> 1

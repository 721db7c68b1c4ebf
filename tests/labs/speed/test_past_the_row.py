"""The model's memory is that of a C program that does the same; gcc's sanitizer stops that program in time."""

from __future__ import annotations

import subprocess
from pathlib import Path

import gcc
import numpy as np
import pytest
from labs.speed.past_the_row import GUARD, LEAST, MOST, Params, Picture, run

pytestmark = pytest.mark.alone  # it measures

ROWS = ("first to last", "last to first", "two threads")

# The loop as it is listed, with as many lanes as are asked for, and the same with its edge done one by one.
PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
typedef float vec __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

static void row(int n, int i, int j, const float *a, const float *b, float *c) {
#ifdef FIXED
  if (j + LANES > n) {
    for (; j < n; j++) {
      c[i * n + j] = 0;
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
    return;
  }
#endif
  vec sum = {0};
  for (int k = 0; k < n; k++)
    sum += a[i * n + k] * *(const vec *)(b + k * n + j);
  *(vec *)(c + i * n + j) = sum;
}

int main(void) {
  int n = N, room = n * n + ROOM, half = (n + 1) / 2;
  float *a = malloc(4 * n * n), *b = malloc(4 * room), *c = malloc(4 * room);
  for (int at = 0; at < n * n; at++) { c[at] = 0; if (scanf("%f", a + at) != 1) return 2; }
  for (int at = 0; at < n * n; at++) if (scanf("%f", b + at) != 1) return 2;
  for (int at = n * n; at < room; at++) b[at] = c[at] = GUARD;
  for (int step = 0; step < (ORDER == 2 ? half : n); step++)
    for (int j = 0; j < n; j += LANES)
      if (ORDER == 2) {
        if (half + step < n) row(n, half + step, j, a, b, c);
        row(n, step, j, a, b, c);
      } else
        row(n, ORDER ? n - 1 - step : step, j, a, b, c);
  for (int at = 0; at < room; at++) printf("%.1f ", c[at]);
  free(a), free(b), free(c);
  return 0;
}
"""


def program(place: Path, params: Params, room: int, *flags: str) -> tuple[int, str, str]:
    defined = {"N": params.n, "LANES": params.lanes, "ROOM": room, "GUARD": GUARD, "ORDER": ROWS.index(params.rows)}
    built = gcc.build(PROGRAM, place, *flags, *(f"-D{name}={value}" for name, value in defined.items()))
    random = np.random.default_rng(params.seed)
    given = " ".join(str(each) for _ in range(2) for each in random.integers(-4, 5, (params.n, params.n)).ravel())
    done = subprocess.run([built], input=given, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


def last(params: Params) -> Picture:
    *_, shown = run(params)
    return shown


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize(("n", "lanes"), [(12, 8), (16, 8), (5, 4), (13, 16), (4, 16), (20, 8)])
def test_memory_is_that_of_the_program(n: int, lanes: int, rows: str, tmp_path: Path) -> None:
    params = Params(n=n, lanes=lanes, rows=rows, seed=n)  # type: ignore[arg-type]
    shown = last(params)
    for which, flag in enumerate(("-DLISTED", "-DFIXED")):
        code, out, _ = program(tmp_path, params, lanes, flag)
        assert code == 0
        assert [float(each) for each in out.split()] == shown.held[which].tolist()


@pytest.mark.parametrize("n", [11, 12, 15, 16])
def test_the_sanitizer_agrees(n: int, tmp_path: Path) -> None:
    """With nothing of ours behind B and C, the first step past them ends the program; fixed, none does."""
    shown = last(Params(n=n))
    code, _, said = program(tmp_path, Params(n=n), 0, "-fsanitize=address")
    assert (code != 0) == (shown.past[0] > 0) == (n % 8 > 0)
    assert code == 0 or f"{4 * n * n}-byte region" in said
    assert program(tmp_path, Params(n=n), 0, "-fsanitize=address", "-DFIXED")[0] == 0


def test_the_fixed_one_is_the_product_at_every_n() -> None:
    for n in range(LEAST, MOST + 1):
        for rows in ROWS:
            random = np.random.default_rng(7)
            a, b = (random.integers(-4, 5, (n, n)) for _ in range(2))
            shown = last(Params(n=n, rows=rows, seed=7))  # type: ignore[arg-type]
            assert shown.held[1, : n * n].tolist() == (a @ b).ravel().tolist()
            assert (shown.held[1, n * n :] == GUARD).all()
            assert shown.past.tolist() == [-n % 8, 0] and shown.wrong[1] == 0
            assert shown.read == -n % 8 == shown.by_n[n - LEAST]


def test_the_order_of_rows_decides_whether_it_shows() -> None:
    """What the article says."""
    assert [int(last(Params(rows=rows)).wrong[0]) for rows in ROWS] == [0, 44, 4]  # type: ignore[arg-type]


def test_every_store_is_a_step() -> None:
    log = list(run(Params()))
    assert len(log) == 12 * 2 + 1 and log[-1].stage == "check"
    assert [int(event.stored[0].sum()) for event in log[:-1]] == [8] * 24
    assert [int(event.stored[1].sum()) for event in log[:-1]] == [8, 4] * 12
    early = log[1]  # the first row is done, and four numbers of the second hold something else
    assert early.wrong[0] == 4 and early.past[0] == 0 and "4 of the next row" in early.text

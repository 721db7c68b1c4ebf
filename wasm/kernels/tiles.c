/* The packed product of matmul.c with both sides of its blocks chosen at run time, so that every pair can be timed with
   the same machine code: a block of A is `high` rows by `deep` columns, a block of B `deep` rows by all columns.

     python -m ziglang cc -O3 -mcpu=native -shared -fPIC -o tiles.so tiles.c                                         */
#include "matmul.c"

int tile_rows(void) { return ROWS; }
int tile_columns(void) { return COLUMNS; }

/* C = A B, `rounds` times. `left` has room for `high` + ROWS rows of `deep` numbers, `right` for `deep` rows of n +
   COLUMNS. */
void blocks(int rounds, int n, int high, int deep, READ a, READ b, UNSHARED c, float *left, float *right) {
  for (; rounds--; look(c))
    for (int k = 0; k < n; k += deep) {
      int depth = least(deep, n - k);
      pack_b(depth, n, b + (size_t)k * n, n, right, 0, 1);
      for (int i = 0; i < n; i += high) {
        int rows = least(high, n - i);
        pack_a(rows, depth, a + (size_t)i * n + k, n, 1, left, depth);
        multiply_blocks(rows, n, depth, left, depth, right, c + (size_t)i * n, n, k > 0);
      }
    }
}

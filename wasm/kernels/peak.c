/* The most that one thread can compute: multiply-adds on numbers that never leave the registers, as many at once as
   a tile of matmul.c has. */
#include "vectors.h"

/* Does `rounds` rounds; returns the floating-point operations of each. `at` keeps the sums, so that no compiler leaves
   them out. */
int peak(long rounds, float *at) {
  vec sum[ROWS * WIDE], x = load(at), y = load(at + LANES);
  UNROLL for (int s = 0; s < ROWS * WIDE; s++) sum[s] = all((float)s);
  while (rounds--)
    UNROLL for (int s = 0; s < ROWS * WIDE; s++) sum[s] = fma(x, y, sum[s]);
  UNROLL for (int s = 1; s < ROWS * WIDE; s++) sum[0] += sum[s];
  store(at, sum[0]);
  return 2 * LANES * ROWS * WIDE;
}

/* What peak.c measures for floats, for other numbers: for doubles, and for bf16 where the processor multiplies those. */
#include "vectors.h"
#ifdef __AVX512BF16__
#include <immintrin.h>
#endif

typedef double doubles __attribute__((vector_size(4 * LANES)));

/* Does `rounds` rounds; returns the floating-point operations of each. `at` has room for two vectors. */
int peak64(long rounds, double *at) {
  doubles *place = (doubles *)at, sum[ROWS * WIDE], x = place[0], y = place[1];
  UNROLL for (int s = 0; s < ROWS * WIDE; s++) sum[s] = x + (double)s;
  while (rounds--)
    UNROLL for (int s = 0; s < ROWS * WIDE; s++) sum[s] = x * y + sum[s];
  UNROLL for (int s = 1; s < ROWS * WIDE; s++) sum[0] += sum[s];
  place[0] = sum[0];
  return LANES * ROWS * WIDE;
}

/* The same for bf16, two products for each float of a vector; 0 where there is no such instruction. */
int peak16(long rounds, float *at) {
#ifdef __AVX512BF16__
  __m512 sum[ROWS * WIDE];
  __m512bh x = (__m512bh)_mm512_loadu_ps(at), y = (__m512bh)_mm512_loadu_ps(at + LANES);
  UNROLL for (int s = 0; s < ROWS * WIDE; s++) sum[s] = _mm512_set1_ps((float)s);
  while (rounds--)
    UNROLL for (int s = 0; s < ROWS * WIDE; s++) sum[s] = _mm512_dpbf16_ps(sum[s], x, y);
  UNROLL for (int s = 1; s < ROWS * WIDE; s++) sum[0] = _mm512_add_ps(sum[0], sum[s]);
  _mm512_storeu_ps(at, sum[0]);
  return 4 * LANES * ROWS * WIDE;
#else
  return 0;
#endif
}

/* Any amount of work for each byte: the sum of an array, which only reads, and that of a polynomial over it, where each
   degree is a multiply-add for every number that was read. */
#include "vectors.h"

enum { ABREAST = ROWS * WIDE / 2 }; /* vectors at once, so that no multiply-add waits for the one before */

static float total(const vec *sums) {
  float all = 0;
  for (int w = 0; w < ABREAST; w++)
    for (int lane = 0; lane < LANES; lane++)
      all += sums[w][lane];
  return all;
}

/* Otherwise a compiler does all rounds at once: it has to assume that somebody writes to the numbers in between. */
static void touch(const float *x) { __asm__ volatile("" : : "r"(x) : "memory"); }

/* Each does `rounds` rounds over `n` numbers and returns the last sum; n is a multiple of what stride() says. */

float reading(int rounds, size_t n, const float *x) {
  vec sum[ABREAST];
  for (; rounds--; touch(x)) {
    UNROLL for (int w = 0; w < ABREAST; w++) sum[w] = (vec){};
    for (size_t i = 0; i < n; i += ABREAST * LANES)
      UNROLL for (int w = 0; w < ABREAST; w++) sum[w] += load(x + i + w * LANES);
  }
  return total(sum);
}

/* Coefficients are in the order of rising powers. */
float polynomial(int rounds, size_t n, const float *x, int degree, const float *coefficients) {
  vec sum[ABREAST];
  for (; rounds--; touch(x)) {
    UNROLL for (int w = 0; w < ABREAST; w++) sum[w] = (vec){};
    for (size_t i = 0; i < n; i += ABREAST * LANES) {
      vec at[ABREAST], value[ABREAST];
      UNROLL for (int w = 0; w < ABREAST; w++) {
        at[w] = load(x + i + w * LANES);
        value[w] = all(coefficients[degree]);
      }
      for (int k = degree - 1; k >= 0; k--)
        UNROLL for (int w = 0; w < ABREAST; w++) value[w] = fma(value[w], at[w], all(coefficients[k]));
      UNROLL for (int w = 0; w < ABREAST; w++) sum[w] += value[w];
    }
  }
  return total(sum);
}

int stride(void) { return ABREAST * LANES; }

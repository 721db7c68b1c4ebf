/* c = a + b, number by number: the least work that still needs three arrays. Two pieces of advice are tried on it, to
   write four sums where there was one, and to begin where a cache line begins. Any n and any place work: what a
   step of several leaves over is done one by one. */
#include "vectors.h"

#define ONE_BY_ONE _Pragma("clang loop vectorize(disable) interleave(disable) unroll(disable)")
#define READ const float *restrict

/* Numbers from `i` on, one in each step. */
static inline void scalar(size_t i, size_t n, READ a, READ b, float *restrict c) {
  ONE_BY_ONE for (; i < n; i++) c[i] = a[i] + b[i];
}

static inline size_t scalar_four(size_t n, READ a, READ b, float *restrict c) {
  size_t i = 0;
  ONE_BY_ONE for (; i + 4 <= n; i += 4) {
    c[i] = a[i] + b[i];
    c[i + 1] = a[i + 1] + b[i + 1];
    c[i + 2] = a[i + 2] + b[i + 2];
    c[i + 3] = a[i + 3] + b[i + 3];
  }
  return i;
}

/* `wide` vectors in each step, a constant wherever this is called. */
static inline __attribute__((always_inline)) size_t vectors(int wide, size_t n, READ a, READ b, float *restrict c) {
  size_t i = 0, step = (size_t)wide * LANES;
  ONE_BY_ONE for (; i + step <= n; i += step)
    UNROLL for (int w = 0; w < wide; w++)
      store(c + i + w * LANES, load(a + i + w * LANES) + load(b + i + w * LANES));
  return i;
}

/* Otherwise a compiler leaves out all rounds but one: it has to assume that somebody reads the sums in between. */
static void touch(float *c) { __asm__ volatile("" : : "r"(c) : "memory"); }

enum { SCALAR, SCALAR_FOUR, VECTORS, VECTORS_FOUR };

void add(int way, int rounds, size_t n, const float *a, const float *b, float *c) {
  for (; rounds--; touch(c)) {
    size_t done = way == SCALAR_FOUR    ? scalar_four(n, a, b, c)
                  : way == VECTORS      ? vectors(1, n, a, b, c)
                  : way == VECTORS_FOUR ? vectors(4, n, a, b, c)
                                        : 0;
    scalar(done, n, a, b, c);
  }
}

int lanes(void) { return LANES; }

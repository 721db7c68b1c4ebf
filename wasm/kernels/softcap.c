/* softcap(x) = cap * tanh(x / cap), eight numbers at once, for float tensors of any sizes and strides. NO_TAIL and
   NO_STRIDES are the two mistakes that such loops are known for. ONE_LANE takes one number at a time, and DENSE
   loads and stores eight neighbours as one: both are there to be timed. */
#include <stdint.h>

#ifdef ONE_LANE
enum { LANES = 1 };
#else
enum { LANES = 8 };
#endif
typedef float vec __attribute__((vector_size(4 * LANES)));
typedef uint32_t bits __attribute__((vector_size(4 * LANES)));

static vec all(float value) { return value - (vec){}; } /* + would not do: -0 + 0 is 0 */

/* e^z - 1 for -87 <= z <= 0. With z = n ln 2 + r it is 2^n (e^r - 1) + (2^n - 1): near 0, where n is 0, no digit is
   lost. Adding 1.5 * 2^23 rounds to an integer, and leaves n in the last bits of the sum. */
static vec expm1_below_zero(vec z) {
  vec rounded = z * 1.44269504f + 12582912.0f;
  vec n = rounded - 12582912.0f;
  vec r = z - n * 0.693145752f - n * 1.42860677e-6f;
  vec p = r * (1.0f / 5040) + 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = p * r * r + r;
  vec power = (vec)(((bits)rounded << 23) + (bits)all(1.0f));
  return power * p + (power - 1.0f);
}

static vec capped(vec x, float cap) {
  vec quotient = x / cap;
  bits sign = (bits)quotient & 0x80000000u;
  vec z = (vec)((bits)quotient ^ sign) * -2.0f;
  bits far = (bits)(z < -87.0f); /* false for NaN, which stays one */
  z = (vec)((far & (bits)all(-87.0f)) | (~far & (bits)z));
  vec m = expm1_below_zero(z);
  vec tanh = m / (m + 2.0f); /* without its sign: -m / (m + 2) would turn -0 into 0 */
  return (vec)(((bits)tanh & 0x7fffffffu) | sign) * cap;
}

#ifdef DENSE
typedef float unaligned __attribute__((vector_size(4 * LANES), aligned(4)));
#endif

static void row(int64_t n, const float *x, int64_t x_step, float cap, float *y, int64_t y_step) {
#ifdef DENSE
  for (; x_step == 1 && y_step == 1 && n >= LANES; n -= LANES, x += LANES, y += LANES)
    *(unaligned *)y = capped(*(const unaligned *)x, cap);
#endif
#ifdef NO_TAIL
  for (int64_t i = 0; i + LANES <= n; i += LANES) {
    int count = LANES;
#else
  for (int64_t i = 0; i < n; i += LANES) {
    int count = n - i < LANES ? (int)(n - i) : LANES;
#endif
    vec eight = {};
    for (int lane = 0; lane < count; lane++) eight[lane] = x[(i + lane) * x_step];
    eight = capped(eight, cap);
    for (int lane = 0; lane < count; lane++) y[(i + lane) * y_step] = eight[lane];
  }
}

#ifdef NO_STRIDES
void softcap(int dims, const int64_t *sizes, const int64_t *x_steps, const int64_t *y_steps,
             const float *x, float cap, float *y) {
  int64_t n = 1;
  for (int d = 0; d < dims; d++) n *= sizes[d];
  row(n, x, 1, cap, y, 1);
}
#else
void softcap(int dims, const int64_t *sizes, const int64_t *x_steps, const int64_t *y_steps,
             const float *x, float cap, float *y) {
  if (dims == 0) row(1, x, 1, cap, y, 1);
  else if (dims == 1) row(*sizes, x, *x_steps, cap, y, *y_steps);
  else
    for (int64_t i = 0; i < *sizes; i++)
      softcap(dims - 1, sizes + 1, x_steps + 1, y_steps + 1, x + i * *x_steps, cap, y + i * *y_steps);
}
#endif

// The kernels of wasm/kernels/int8.cu, for ctypes, and what CUDA knows of bytes and of warps. TEXTS names a file that
// includes them once or more, each time in a namespace, and lists these as EACH.
#include "mma_on_a_processor.h"

struct alignas(16) int4 { int x, y, z, w; };
static dim3 gridDim;

APART inline int __dp4a(int a, int b, int sum) {
  for (int byte = 0; byte < 4; byte++) sum += (signed char)(a >> 8 * byte) * (signed char)(b >> 8 * byte);
  return sum;
}
template <class T> APART T __shfl_xor_sync(unsigned, T mine, int apart) {
  static T given[MOST_THREADS];
  given[here] = mine, pause();
  T found = given[here ^ apart];
  pause(); // all have read before anybody gives again
  return found;
}

static struct { const int *sizes; const void *const *given; void *to; } asked;
#define KERNEL static void
#include TEXTS

#define GIVEN(type, i) (const type *)asked.given[i]
#define KERNELS(in)                                                                                                      \
  {[] { in::by_vector(asked.sizes[0], asked.sizes[1], GIVEN(int4, 0), GIVEN(int4, 1), (int *)asked.to); },               \
   [] {                                                                                                                  \
     in::by_vector4(asked.sizes[0], asked.sizes[1], GIVEN(int4, 0), GIVEN(float, 1), GIVEN(int4, 2), (float *)asked.to); \
   },                                                                                                                    \
   [] {                                                                                                                  \
     in::multiply(asked.sizes[0], asked.sizes[1], asked.sizes[2], GIVEN(signed char, 0), GIVEN(signed char, 1),          \
                  (int *)asked.to);                                                                                      \
   },                                                                                                                    \
   [] { in::reading(asked.sizes[0], GIVEN(int4, 0), (int *)asked.to); }}
static void (*const kernels[][4])() = {EACH};

/* Returns how often a read was outside of what is given or not aligned, or threads met unequal numbers of barriers. All
   reads of block `trace` are kept. */
extern "C" int launch(int text, int which, unsigned blocks, const int *sizes, int count, const void *const *given,
                      const int64_t *bytes, void *to, int order, int trace) {
  asked = {sizes, given, to};
  for (int m = 0; m < MOST_MATRICES; m++) matrices[m] = {m < count ? given[m] : nullptr, m < count ? bytes[m] : 0};
  flaws = 0, traced_block = trace, listed = 0, gridDim = {blocks, 1};
  on_a_processor(kernels[text][which], gridDim, {256, 1}, order);
  return flaws;
}

extern "C" size_t traced(const Access **at) { return *at = accesses, listed; }

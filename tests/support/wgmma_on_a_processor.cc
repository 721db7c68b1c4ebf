// The kernel of wasm/kernels/matmul_wgmma.cu, for ctypes.
#include "hopper_on_a_processor.h"
#include "matmul_wgmma.cu"

static struct { int n; Map a, b; number *c; } asked;

/* Returns how often tiles or barriers were used as they must not be, threads met unequal numbers of barriers, or somebody
   would have waited for ever. */
extern "C" int launch(unsigned blocks, int n, const number *a, const number *b, number *c, int order, int prompt) {
  asked = {n, {a, n, n, HIGH, LINE}, {b, n, n, DEEP, LINE}, c};
  gridDim = {blocks, 1};
  flaws = 0, traced_block = -1;
  new_launch(prompt);
  on_a_processor([] { warpgroups(asked.n, asked.a, asked.b, asked.c); }, {blocks, 1}, {WARPS * 32 + 32, 1}, order);
  return flaws + asked_for; // copies that nobody waited for
}

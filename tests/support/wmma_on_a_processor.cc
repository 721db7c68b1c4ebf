// The kernels of wasm/kernels/matmul_wmma.cu, for ctypes.
#include "mma_on_a_processor.h"
#include "matmul_wmma.cu"

static struct { int n; const number *a, *b; number *c; } asked;

/* Returns how often a read was outside a matrix or not aligned, or threads met unequal numbers of barriers. Reads of
   block `trace` are kept. */
extern "C" int launch(int any, unsigned blocks, int n, const number *a, const number *b, number *c, int order, int trace) {
  asked = {n, a, b, c};
  matrices[0] = {a, (int64_t)n * n * 2}, matrices[1] = {b, (int64_t)n * n * 2};
  flaws = 0, traced_block = trace, listed = 0;
  auto whole = [] { tensor_cores(asked.n, asked.a, asked.b, asked.c); };
  auto each = [] { tensor_cores_any(asked.n, asked.a, asked.b, asked.c); };
  on_a_processor(any ? (void (*)())each : (void (*)())whole, {blocks, 1}, {256, 1}, order);
  return flaws;
}

extern "C" size_t traced(const Access **at) { return *at = accesses, listed; }

// The kernels of wasm/kernels/matmul.cu by their names, for ctypes.
#include "on_a_processor.h"
#include "matmul.cu"

static struct { int n; const float *a, *b; float *c; } asked;

#define NAMED(name) {#name, [] { name(asked.n, asked.a, asked.b, asked.c); }}
static const struct { const char *name; void (*run)(); } kernels[] = {
    NAMED(naive), NAMED(coalesced), NAMED(shared), NAMED(registers), NAMED(vectors), NAMED(pipelined), NAMED(pipelined_any)};

/* Returns how often a read was outside a matrix or not aligned, or threads met unequal numbers of barriers; -1 for a
   name that is none. Reads of block `trace` are kept. */
extern "C" int launch(const char *name, unsigned across, unsigned down, unsigned x, unsigned y, int n, const float *a,
                      const float *b, float *c, int order, int trace) {
  for (auto [known, run] : kernels)
    if (!strcmp(known, name)) {
      asked = {n, a, b, c};
      matrices[0] = {a, (int64_t)n * n * 4}, matrices[1] = {b, (int64_t)n * n * 4};
      flaws = 0, traced_block = trace, listed = 0;
      on_a_processor(run, {across, down}, {x, y}, order);
      return flaws;
    }
  return -1;
}

extern "C" size_t traced(const Access **at) { return *at = accesses, listed; }

extern "C" void peak_of_a_block(int rounds, float by, float *to) {
  static struct { int rounds; float by, *to; } with;
  with = {rounds, by, to};
  on_a_processor([] { peak(with.rounds, with.by, with.to); }, {1, 1}, {256, 1}, FORWARD);
}

// The kernel of wasm/kernels/split_k.cu, for ctypes. What plays the GPU has a clock that counts how often it is read.
#include "on_a_processor.h"

static long long ticks;
static long long where() { return blockIdx.x % 4; }
static long long now() { return ++ticks; }
static long long cycle() { return ticks; }
#include "split_k.cu"

static struct {
  int k, splits, group, relu;
  const number *a, *b;
  float *partial;
  int *finished;
  number *c;
  long long *trace;
} asked;

/* Returns how often a read was outside of an operand or not aligned, or threads met unequal numbers of barriers. Both
   operands have `bytes` bytes of room. */
extern "C" int launch(int k, int splits, int group, int relu, const number *a, const number *b, float *partial,
                      int *finished, number *c, long long *trace, int64_t bytes, int order) {
  asked = {k, splits, group, relu, a, b, partial, finished, c, trace};
  matrices[0] = {a, bytes}, matrices[1] = {b, bytes}, flaws = 0, traced_block = -1;
  on_a_processor(
      [] {
        split_k(asked.k, asked.splits, asked.group, asked.relu, asked.a, asked.b, asked.partial, asked.finished,
                asked.c, asked.trace);
      },
      {(unsigned)splits, 1}, {THREADS, 1}, order);
  return flaws;
}

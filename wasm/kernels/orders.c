/* The three loops of a product of matrices in all six orders: once as they are, to be timed and to be counted by the
   processor, and once for a model of a cache, which is only told what they touch. Of the outermost loop only the first
   `outer` passes are made; rows are `pitch` numbers apart.

     python -m ziglang cc -O3 -mcpu=native -fno-vectorize -fno-slp-vectorize -shared -fPIC -o orders.so orders.c      */
#include <stddef.h>
#include <stdint.h>

enum { IJK, IKJ, JIK, JKI, KIJ, KJI }; /* from the outermost to the innermost */

#define LOOPS(x, y, z, body)                                                                                           \
  for (int x = 0; x < outer; x++)                                                                                      \
    for (int y = 0; y < n; y++)                                                                                        \
      for (int z = 0; z < n; z++)                                                                                      \
        body;                                                                                                          \
  break
#define IN_ORDER(order, body)                                                                                          \
  switch (order) {                                                                                                     \
  case IJK: LOOPS(i, j, k, body);                                                                                      \
  case IKJ: LOOPS(i, k, j, body);                                                                                      \
  case JIK: LOOPS(j, i, k, body);                                                                                      \
  case JKI: LOOPS(j, k, i, body);                                                                                      \
  case KIJ: LOOPS(k, i, j, body);                                                                                      \
  case KJI: LOOPS(k, j, i, body);                                                                                      \
  }

void multiply(int order, int rounds, int n, size_t pitch, int outer, const float *restrict a, const float *restrict b,
              float *restrict c) {
  while (rounds--) {
    IN_ORDER(order, c[i * pitch + j] += a[i * pitch + k] * b[k * pitch + j])
    __asm__ volatile("" : : "r"(c) : "memory"); /* somebody may look at it: no round can be left out */
  }
}

/* A cache of sets and ways, in which the line that was used longest ago makes room. `lines` [sets * ways] holds the
   lines of each set, the last used first. */
static int misses(uintptr_t address, int line, int sets, int ways, uintptr_t *lines) {
  uintptr_t wanted = address / line, *set = lines + wanted % sets * ways;
  int at = 0, found;
  while (at < ways - 1 && set[at] != wanted)
    at++;
  found = set[at] == wanted;
  for (; at > 0; at--)
    set[at] = set[at - 1];
  set[0] = wanted;
  return !found;
}

/* Adds to `missed` [3] how often a line of A, of B and of C is missing. Nothing is read but addresses. */
void model(int order, int n, size_t pitch, int outer, const float *a, const float *b, const float *c, int line, int sets,
           int ways, uintptr_t *lines, int64_t *missed) {
  IN_ORDER(order, {
    missed[0] += misses((uintptr_t)(a + i * pitch + k), line, sets, ways, lines);
    missed[1] += misses((uintptr_t)(b + k * pitch + j), line, sets, ways, lines);
    missed[2] += misses((uintptr_t)(c + i * pitch + j), line, sets, ways, lines);
  })
}

/* C = A B for square matrices of floats, stored row by row: one product, written seven times, from the three loops of
   the textbook to the most that a processor can do. Every version multiplies the first `rows` rows of A, so that a slow
   one can be timed on a few.

     python -m ziglang cc -O3 -mcpu=native -shared -fPIC -o matmul.so matmul.c

   The loops are compiled with other flags, too; that is part of the story. For WebAssembly: see native/models/kernel.py.

   1 ijk         a row of A times a column of B; the column is read across all rows
   2 transposed  B was transposed before: both are read in order. The sum is still a chain of additions
   3 ikj         a number of A times a row of B, added to a row of C: no chain, and all in order
   4 tiled       ikj, in squares of B that fit a cache
   5 registers   a tile of C stays in registers for all of k
   6 packed      5, with A and B copied into the order in which they are read, in blocks that fit the caches
   7 threads     6, by several threads that share the copy of B                                                     */
#include "vectors.h"
#include <stdatomic.h>
#ifndef __wasm__
#include <pthread.h>
#include <sched.h>
#endif

#define UNSHARED float *restrict
#define READ const float *restrict

static int least(int a, int b) { return a < b ? a : b; }

/* -- the loops ----------------------------------------------------------------------------------------------------- */

void ijk(int n, int rows, READ a, READ b, UNSHARED c) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[(size_t)i * n + k] * b[(size_t)k * n + j];
      c[(size_t)i * n + j] = sum;
    }
}

void transpose(int n, READ b, UNSHARED to) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      to[(size_t)j * n + i] = b[(size_t)i * n + j];
}

/* `b` is transposed already. */
void transposed(int n, int rows, READ a, READ b, UNSHARED c) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[(size_t)i * n + k] * b[(size_t)j * n + k];
      c[(size_t)i * n + j] = sum;
    }
}

/* Adds to `c` what a rectangle of B contributes: rows from_k to to_k, columns from_j to to_j. */
static inline void add(int n, int rows, int from_k, int to_k, int from_j, int to_j, READ a, READ b, UNSHARED c) {
  for (int i = 0; i < rows; i++)
    for (int k = from_k; k < to_k; k++) {
      float left = a[(size_t)i * n + k];
      for (int j = from_j; j < to_j; j++)
        c[(size_t)i * n + j] += left * b[(size_t)k * n + j];
    }
}

static void clear(size_t count, UNSHARED c) {
  for (size_t at = 0; at < count; at++)
    c[at] = 0;
}

void ikj(int n, int rows, READ a, READ b, UNSHARED c) {
  clear((size_t)rows * n, c);
  add(n, rows, 0, n, 0, n, a, b, c);
}

void tiled(int n, int rows, int side, READ a, READ b, UNSHARED c) {
  clear((size_t)rows * n, c);
  for (int k = 0; k < n; k += side)
    for (int j = 0; j < n; j += side)
      add(n, rows, k, least(k + side, n), j, least(j + side, n), a, b, c);
}

/* -- a tile in registers ------------------------------------------------------------------------------------------- */

/* A tile of C is needed when its sums are ready, and often is in no cache by then. So every STRIDE steps one of its rows
   is requested; a row may begin anywhere in a cache line, and then touches one line more than it fills. */
static inline void fetch(int k, const float *c, size_t n) {
  enum { STRIDE = 16 };
  if (k % STRIDE == 0 && k < ROWS * STRIDE)
    UNROLL for (int w = 0; w <= WIDE; w++) __builtin_prefetch(c + k / STRIDE * n + w * LANES, 1);
}

/* ROWS x COLUMNS numbers of C: in each of `depth` steps a column of A meets a row of B. `down` is the distance between
   rows of A, `next` that between rows of B. */
static inline __attribute__((always_inline)) void tile(int depth, const float *a, size_t down, const float *b,
                                                       size_t next, float *c, size_t n, int more) {
  vec sum[ROWS][WIDE] = {};
#ifdef __wasm__ /* unrolled steps would become a chain for each sum, and chains wait */
#pragma clang loop unroll(disable)
#else
#pragma clang loop unroll_count(4)
#endif
  for (int k = 0; k < depth; k++) {
    fetch(k, c, n);
    vec right[WIDE];
    UNROLL for (int w = 0; w < WIDE; w++) right[w] = load(b + k * next + w * LANES);
    UNROLL for (int i = 0; i < ROWS; i++) {
      vec left = all(a[i * down + k]);
      UNROLL for (int w = 0; w < WIDE; w++) sum[i][w] = fma(left, right[w], sum[i][w]);
    }
  }
  UNROLL for (int i = 0; i < ROWS; i++) UNROLL for (int w = 0; w < WIDE; w++) {
    float *at = c + i * n + w * LANES;
    store(at, more ? load(at) + sum[i][w] : sum[i][w]);
  }
}

void registers(int n, int rows, READ a, READ b, UNSHARED c) {
  int whole_rows = rows - rows % ROWS, whole_columns = n - n % COLUMNS;
  for (int i = 0; i < whole_rows; i += ROWS)
    for (int j = 0; j < whole_columns; j += COLUMNS)
      tile(n, a + (size_t)i * n, n, b + j, n, c + (size_t)i * n + j, n, 0);
  for (int i = 0; i < rows; i++) /* the edge that no tile covers */
    for (int j = i < whole_rows ? whole_columns : 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[(size_t)i * n + k] * b[(size_t)k * n + j];
      c[(size_t)i * n + j] = sum;
    }
}

/* -- packed -------------------------------------------------------------------------------------------------------- */

/* DEPTH numbers of each strip of B stay in the first cache, a block of A in the second, a block of B in the third. */
enum { DEPTH = 256, HIGH = 16 * ROWS, BROAD = 2048, MOST = 64 };

static float block_b[(BROAD + COLUMNS) * DEPTH] __attribute__((aligned(64)));
static float block_a[MOST][HIGH * DEPTH] __attribute__((aligned(64)));

/* Strips of COLUMNS columns, each row by row; the last is filled up with zeros. Member `me` of `of` packs its share. */
static void pack_b(int depth, int columns, const float *b, size_t n, float *block, int me, int of) {
  for (int j = me * COLUMNS; j < columns; j += of * COLUMNS) {
    float *to = block + (size_t)j * depth;
    int width = least(COLUMNS, columns - j);
    for (int k = 0; k < depth; k++, to += COLUMNS)
      if (width == COLUMNS)
        UNROLL for (int w = 0; w < WIDE; w++) store(to + w * LANES, load(b + k * n + j + w * LANES));
      else
        for (int x = 0; x < COLUMNS; x++)
          to[x] = x < width ? b[k * n + j + x] : 0;
  }
}

/* Rows, `apart` numbers from each other, and rows of zeros until the strip is full. `along` is the distance between
   numbers of a row. Rows are too short for a processor to see where they lead: the row after the next is requested. */
static inline void pack_a(int rows, int depth, const float *a, size_t down, size_t along, float *to, size_t apart) {
  for (int i = 0; i < rows || i % ROWS; i++, a += down, to += apart) {
    for (int k = 0; k < depth; k += 16)
      __builtin_prefetch(a + 2 * down + k * along);
    for (int k = 0; k < depth; k++)
      to[k] = i < rows ? a[k * along] : 0;
  }
}

/* The block of A in `left` times the block of B in `right`, into `c`; tiles that reach over the edge go
   through one of their own. */
static inline void multiply_blocks(int rows, int columns, int depth, const float *left, size_t apart, const float *right,
                                   float *c, size_t n, int more) {
  float whole[ROWS * COLUMNS];
  for (int j = 0; j < columns; j += COLUMNS)
    for (int i = 0; i < rows; i += ROWS) {
      const float *a = left + (size_t)i * apart, *b = right + (size_t)j * depth;
      float *to = c + i * n + j;
      int height = least(ROWS, rows - i), width = least(COLUMNS, columns - j);
      if (height == ROWS && width == COLUMNS) {
        tile(depth, a, apart, b, COLUMNS, to, n, more);
        continue;
      }
      tile(depth, a, apart, b, COLUMNS, whole, COLUMNS, 0);
      for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
          to[y * n + x] = (more ? to[y * n + x] : 0) + whole[y * COLUMNS + x];
    }
}

/* Waits until every member of a team is here. Members meet often and for a short time, so they do not sleep at once, only
   if others need their core. SPINS take about as long as waking up. */
static atomic_uint here, turn;

#ifndef __wasm__
enum { SPINS = 1000 };
static void sleep_in(unsigned now) { sched_yield(); }
static void wake(void) {}
#elif defined(__wasm_atomics__)
enum { SPINS = 8000 };
static void sleep_in(unsigned now) { __builtin_wasm_memory_atomic_wait32((int *)&turn, (int)now, -1); }
static void wake(void) { __builtin_wasm_memory_atomic_notify((int *)&turn, MOST); }
#else /* without threads there is nobody to wait for */
enum { SPINS = 0 };
static void sleep_in(unsigned now) {}
static void wake(void) {}
#endif

static void meet(int of) {
  unsigned now = turn;
  if (of == 1)
    return;
  if (atomic_fetch_add(&here, 1) + 1 == (unsigned)of) {
    here = 0;
    turn = now + 1;
    wake();
    return;
  }
  for (int spins = 0; turn == now; spins++)
    if (spins > SPINS)
      sleep_in(now);
}

/* Rows `from` to `to` times the columns `left` to `right` of the block of B. */
static void part(int from, int to, int left, int right, int depth, size_t n, const float *a, float *c, int me, int more) {
  for (int i = from; i < to; i += HIGH) {
    int height = least(HIGH, to - i);
    pack_a(height, depth, a + i * n, n, 1, block_a[me], DEPTH);
    multiply_blocks(height, right - left, depth, block_a[me], DEPTH, block_b + (size_t)left * depth, c + i * n + left, n,
                    more);
  }
}

/* What member `me` of a team of `of` does; the others have to do theirs at the same time. Each takes as many strips of
   rows as the others; of what is left over, each takes some of the columns. */
void packed(int n, int rows, READ a, READ b, float *c, int me, int of) {
  int even = (rows + ROWS - 1) / ROWS / of * ROWS;
  for (int j = 0; j < n; j += BROAD)
    for (int k = 0; k < n; k += DEPTH) {
      int columns = least(BROAD, n - j), depth = least(DEPTH, n - k), strips = (columns + COLUMNS - 1) / COLUMNS;
      const float *left = a + k;
      float *to = c + j;
      pack_b(depth, columns, b + (size_t)k * n + j, n, block_b, me, of);
      meet(of);
      part(even * me, least(even * (me + 1), rows), 0, columns, depth, n, left, to, me, k > 0);
      part(even * of, rows, strips * me / of * COLUMNS, least(strips * (me + 1) / of * COLUMNS, columns), depth, n, left,
           to, me, k > 0);
      meet(of);
    }
}

/* -- several times ------------------------------------------------------------------------------------------------- */

enum { IJK = 1, TRANSPOSED, IKJ, TILED, REGISTERS, PACKED };

/* A compiler that sees the same product twice does it once: it has to assume that somebody looks at C in between. */
static void look(const float *c) { __asm__ volatile("" : : "r"(c) : "memory"); }

/* The work that is timed: `rounds` products by one of the versions. */
void multiply(int version, int rounds, int n, int rows, int side, READ a, READ b, UNSHARED c, int me, int of) {
  for (; rounds--; look(c))
    switch (version) {
    case IJK: ijk(n, rows, a, b, c); break;
    case TRANSPOSED: transposed(n, rows, a, b, c); break;
    case IKJ: ikj(n, rows, a, b, c); break;
    case TILED: tiled(n, rows, side, a, b, c); break;
    case REGISTERS: registers(n, rows, a, b, c); break;
    case PACKED: packed(n, rows, a, b, c, me, of); break;
    }
}

#ifndef __wasm__
struct member {
  pthread_t thread;
  int rounds, n, me, of;
  const float *a, *b;
  float *c;
};

static void *work(void *of) {
  struct member *m = of;
  multiply(PACKED, m->rounds, m->n, m->n, 0, m->a, m->b, m->c, m->me, m->of);
  return NULL;
}

/* Returns how many threads took part; the team is started once for all rounds. */
int threads(int of, int rounds, int n, READ a, READ b, UNSHARED c) {
  struct member team[MOST];
  of = least(of, MOST);
  for (int me = 0; me < of; me++)
    team[me] = (struct member){.rounds = rounds, .n = n, .me = me, .of = of, .a = a, .b = b, .c = c};
  for (int me = 1; me < of; me++)
    if (pthread_create(&team[me].thread, NULL, work, &team[me]))
      return 0; /* the others would wait for it forever: the process has to end */
  work(&team[0]);
  for (int me = 1; me < of; me++)
    pthread_join(team[me].thread, NULL);
  return of;
}
#endif

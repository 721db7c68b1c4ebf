/* One step of a transformer for a batch of rows: a row is one token of one sequence, at its position. A prompt is many
   rows of the same sequence, a reader who waits for the next token is one row; one step takes both.

   Keys and values lie in blocks of BLOCK positions, and each sequence has a table of its blocks: they need not be
   neighbours, and two sequences may share one.

   Every sum is taken in the same order whatever else is in the batch, so that a row's result is the same, bit for bit.

   Compiled with -DD=.. -DHEADS=.. -DLAYERS=.. -DCONTEXT=.. -DVOCABULARY=.. -DBLOCK=.. -DMOST=.. (rows of a step). */
#include "vectors.h"

enum { SIZE = D / HEADS, FF = 4 * D, SPAN = 4 };
enum { LINE = 16, AHEAD = 32768 }; /* numbers in a line of the cache, and how far ahead weights are asked for */
typedef int whole __attribute__((vector_size(4 * LANES)));

static inline float sum(vec x) {
  float all = 0;
  for (int lane = 0; lane < LANES; lane++)
    all += x[lane];
  return all;
}

/* e to the power of each lane, for lanes up to 0: 2^n times a polynomial of what is left, to about 2e-7. */
static inline vec exponential(vec x) {
  vec scaled = x * 1.44269504f;
  scaled = (vec)((whole)scaled & (whole)(scaled > -126.f)) + (vec)((whole)all(-126.f) & (whole)(scaled <= -126.f));
  vec rounded = scaled + 12582912.f; /* 1.5 * 2^23: the low bits are now the whole number */
  vec rest = scaled - (rounded - 12582912.f);
  vec y = all(1.53533e-4f);
  y = fma(y, rest, all(1.33989e-3f));
  y = fma(y, rest, all(9.61837e-3f));
  y = fma(y, rest, all(5.55033e-2f));
  y = fma(y, rest, all(2.40226e-1f));
  y = fma(y, rest, all(6.93147e-1f));
  y = fma(y, rest, all(1.f));
  return (vec)((whole)y + ((whole)rounded << 23));
}

/* Products: weights lie in panels of COLUMNS columns, the rows of a panel one after the other. */

enum after { STORE, ADD, SQUARED_RELU };

/* `ahead` are weights that later tiles read, if they are to be asked for: they come from memory meanwhile. */
__attribute__((always_inline)) static inline void tile(const int rows, const int panels, int inner, const float *x,
                                                        const float *w, float *out, int columns, enum after after,
                                                        const float *ahead) {
  vec acc[ROWS][SPAN * WIDE], few[SPAN * WIDE];
  UNROLL for (int r = 0; r < rows; r++) UNROLL for (int c = 0; c < panels * WIDE; c++) acc[r][c] = (vec){};
  for (int k = 0; k < inner; k++) {
    const float *row = w + k * COLUMNS;
    if (rows > 1 && ahead) /* a single row is done before the weights arrive */
      UNROLL for (int n = 0; n < panels * COLUMNS; n += LINE)
        __builtin_prefetch(ahead + k * panels * COLUMNS + n, 0, 2);
    if (rows < panels * WIDE) { /* the fewer ones stay in registers: the rows' numbers, or the weights */
      UNROLL for (int r = 0; r < rows; r++) few[r] = all(x[r * inner + k]);
      UNROLL for (int c = 0; c < panels * WIDE; c++) {
        vec weight = load(row + c / WIDE * inner * COLUMNS + c % WIDE * LANES);
        UNROLL for (int r = 0; r < rows; r++) acc[r][c] = fma(few[r], weight, acc[r][c]);
      }
    } else {
      UNROLL for (int c = 0; c < panels * WIDE; c++) few[c] = load(row + c / WIDE * inner * COLUMNS + c % WIDE * LANES);
      UNROLL for (int r = 0; r < rows; r++) {
        vec number = all(x[r * inner + k]);
        UNROLL for (int c = 0; c < panels * WIDE; c++) acc[r][c] = fma(number, few[c], acc[r][c]);
      }
    }
  }
  UNROLL for (int r = 0; r < rows; r++) UNROLL for (int c = 0; c < panels * WIDE; c++) {
    float *at = out + r * columns + c * LANES;
    vec got = acc[r][c];
    if (after == ADD)
      got += load(at);
    if (after == SQUARED_RELU) {
      got = (vec)((whole)got & (whole)(got > 0.f));
      got *= got;
    }
    store(at, got);
  }
}

/* As many panels at once as registers hold: otherwise a single row would wait for its own multiply-adds. The first rows
   ask for the weights of all. */
#define CASE(N)                                                                                                        \
  case N: {                                                                                                            \
    enum { AT_ONCE = 4 * N <= ROWS ? 4 : 2 * N <= ROWS ? 2 : 1 };                                                      \
    for (int c = 0; N <= ROWS && c < SPAN; c += AT_ONCE)                                                               \
      tile(N, AT_ONCE, inner, from, w + (size_t)c * COLUMNS * inner, to + c * COLUMNS, columns, after,                 \
           n == 0 ? w + AHEAD + (size_t)c * COLUMNS * inner : 0);                                                      \
    break;                                                                                                             \
  }

/* out[rows][columns] = x[rows][inner] times w; every number of columns is a multiple of SPAN * COLUMNS. All rows go
   through SPAN panels before the next are read: from memory each weight comes once. */
static void product(int rows, int inner, int columns, const float *x, const float *w, float *out, enum after after) {
  int chunks = (rows + ROWS - 1) / ROWS;
  for (int left = 0; left < columns; left += SPAN * COLUMNS, w += (size_t)SPAN * COLUMNS * inner)
    for (int n = 0; n < chunks; n++) {
      int begin = rows * n / chunks, end = rows * (n + 1) / chunks;
      const float *from = x + (size_t)begin * inner;
      float *to = out + (size_t)begin * columns + left;
      switch (end - begin) {
        CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7)
        CASE(8) CASE(9) CASE(10) CASE(11) CASE(12) CASE(13) CASE(14)
      }
    }
}

static void normalise(int rows, const float *x, float *out) {
  for (int r = 0; r < rows; r++, x += D, out += D) {
    vec squares = {};
    for (int i = 0; i < D; i += LANES)
      squares = fma(load(x + i), load(x + i), squares);
    vec scale = all(1.f / __builtin_sqrtf(sum(squares) / D + 1e-5f));
    for (int i = 0; i < D; i += LANES)
      store(out + i, load(x + i) * scale);
  }
}

/* A block holds, layer after layer, its keys [D][BLOCK] and its values [BLOCK][D]. */
static float *block_at(float *cache, int block, int layer) {
  return cache + ((size_t)block * LAYERS + layer) * 2 * D * BLOCK;
}

static void remember(const float *row, float *cache, const int *table, int position, int layer) {
  float *keys = block_at(cache, table[position / BLOCK], layer), *values = keys + D * BLOCK;
  int slot = position % BLOCK;
  for (int i = 0; i < D; i++)
    keys[i * BLOCK + slot] = row[D + i], values[slot * D + i] = row[2 * D + i];
}

/* One row against all positions up to its own: scores, their softmax, the mean of the values. */
static void attend(const float *query, float *cache, const int *table, int position, int layer, float *out) {
  float scores[HEADS][CONTEXT] __attribute__((aligned(64)));
  int blocks = position / BLOCK + 1;
  for (int b = 0; b < blocks; b++) {
    const float *keys = block_at(cache, table[b], layer);
    for (int part = 0; part < BLOCK; part += LANES) {
      vec acc[HEADS] = {};
      for (int i = 0; i < SIZE; i++)
        UNROLL for (int h = 0; h < HEADS; h++)
          acc[h] = fma(all(query[h * SIZE + i]), load(keys + (h * SIZE + i) * BLOCK + part), acc[h]);
      for (int h = 0; h < HEADS; h++)
        store(scores[h] + b * BLOCK + part, acc[h] * (1.f / __builtin_sqrtf(SIZE)));
    }
  }
  float total[HEADS];
  for (int h = 0; h < HEADS; h++) {
    float most = scores[h][0];
    for (int p = 1; p <= position; p++)
      most = scores[h][p] > most ? scores[h][p] : most;
    for (int p = position + 1; p < blocks * BLOCK; p++)
      scores[h][p] = -1e30f;
    vec weights = {};
    for (int p = 0; p < blocks * BLOCK; p += LANES) {
      vec weight = exponential(load(scores[h] + p) - most);
      store(scores[h] + p, weight);
      weights += weight;
    }
    total[h] = sum(weights);
  }
  vec acc[D / LANES] = {};
  for (int b = 0; b < blocks; b++) {
    const float *values = block_at(cache, table[b], layer) + D * BLOCK;
    int end = position + 1 - b * BLOCK < BLOCK ? position + 1 - b * BLOCK : BLOCK;
    for (int slot = 0; slot < end; slot++)
      UNROLL for (int i = 0; i < D / LANES; i++)
        acc[i] = fma(all(scores[i * LANES / SIZE][b * BLOCK + slot]), load(values + slot * D + i * LANES), acc[i]);
  }
  for (int i = 0; i < D / LANES; i++)
    store(out + i * LANES, acc[i] / total[i * LANES / SIZE]);
}

struct row {
  int token, position, sequence, asked;
};

/* `rows` tokens at their positions, each of the sequence whose table begins at `tables + sequence * CONTEXT / BLOCK`.
   Keys and values go into the cache; the logits of the rows whose `asked` is not 0 to `logits`, one after the other.
   Returns how many these are. `layers` are panels; so is `head`; `tokens` [VOCABULARY][D], `places` [CONTEXT][D]. */
int step(int rows, const struct row *row, const int *tables, float *cache, const float *layers, const float *tokens,
         const float *places, const float *head, float *logits) {
  static _Thread_local __attribute__((aligned(64))) float x[MOST * D], normal[MOST * D], wide[MOST * FF],
      mixed[MOST * D];
  for (int r = 0; r < rows; r++)
    for (int i = 0; i < D; i++)
      x[r * D + i] = tokens[row[r].token * D + i] + places[row[r].position * D + i];
  const float *w = layers;
  for (int layer = 0; layer < LAYERS; layer++) {
    normalise(rows, x, normal);
    product(rows, D, 3 * D, normal, w, wide, STORE), w += 3 * D * D;
    for (int r = 0; r < rows; r++)
      remember(wide + r * 3 * D, cache, tables + row[r].sequence * (CONTEXT / BLOCK), row[r].position, layer);
    for (int r = 0; r < rows; r++)
      attend(wide + r * 3 * D, cache, tables + row[r].sequence * (CONTEXT / BLOCK), row[r].position, layer, mixed + r * D);
    product(rows, D, D, mixed, w, x, ADD), w += D * D;
    normalise(rows, x, normal);
    product(rows, D, FF, normal, w, wide, SQUARED_RELU), w += D * FF;
    product(rows, FF, D, wide, w, x, ADD), w += FF * D;
  }
  int many = 0;
  for (int r = 0; r < rows; r++)
    if (row[r].asked)
      normalise(1, x + r * D, normal + many++ * D);
  product(many, D, VOCABULARY, normal, head, logits, STORE);
  return many;
}

int panel(void) { return COLUMNS; }

/* Products of bf16 and of bytes where the processor adds up two or four of them in one instruction: where
   matmul.c has floats, this has groups of that many numbers in 32 bits. For product.c, which knows the kinds.

   The instruction for bytes takes the numbers of one side as unsigned. So the left side is moved up by 128; what that
   adds to a column, 128 times its sum, is subtracted at the head of each strip of the right side, where sums begin.    */
#if defined(__AVX512BF16__) && defined(__AVX512VNNI__)
#include <immintrin.h>
#define DOTS

typedef int32_t ints __attribute__((vector_size(4 * LANES)));

static inline ints dot(int kind, ints sum, ints left, ints right) {
  if (kind == BYTES)
    return (ints)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)left, (__m512i)right);
  return (ints)_mm512_dpbf16_ps((__m512)sum, (__m512bh)left, (__m512bh)right);
}

static inline ints several(const int32_t *at) { return (ints)load((const float *)at); }

/* How many numbers a group has. */
static inline int in_group(int kind) { return kind == BYTES ? 4 : 2; }

/* The first `count` numbers of a group, `step` apart; the others are zeros. */
static inline int32_t group(int kind, const void *from, whole step, int count) {
  uint32_t all = 0;
  for (int n = 0; n < count; n++)
    all |= kind == BYTES ? (uint32_t)((const uint8_t *)from)[n * step] << 8 * n
                         : (uint32_t)((const uint16_t *)from)[n * step] << 16 * n;
  return all;
}

/* A strip of COLUMNS columns: its head, and then its groups row by row. Columns that are missing are zeros. */
static inline void pack_strip(int kind, int deep, int width, const void *b, whole down, whole along, int32_t *to) {
  int32_t *head = to;
  for (int y = 0; y < COLUMNS; y++)
    head[y] = 0;
  if (kind == BYTES)
    for (int k = 0; k < deep; k++)
      for (int y = 0; y < width; y++)
        head[y] -= 128 * ((const int8_t *)b)[k * down + y * along];
  to += COLUMNS;
  for (int k = 0; k < deep; k += in_group(kind), to += COLUMNS) {
    const void *from = ahead(kind, b, k * down);
    int count = deep - k;
    if (width == COLUMNS && count >= in_group(kind))
      for (int y = 0; y < COLUMNS; y++)
        to[y] = group(kind, ahead(kind, from, y * along), down, in_group(kind));
    else
      for (int y = 0; y < COLUMNS; y++)
        to[y] = y < width ? group(kind, ahead(kind, from, y * along), down, least(in_group(kind), count)) : 0;
  }
}

/* Rows of groups, DEPTH apart; those that the last strip lacks are its last row again, and count for nothing. */
static inline void pack_rows(int kind, int rows, int deep, const void *a, whole down, whole along, int32_t *to) {
  int whole_groups = deep / in_group(kind), rest = deep % in_group(kind);
  int32_t up = kind == BYTES ? 0x80808080 : 0;
  for (int i = 0; i < rows || i % ROWS; i++, to += DEPTH) {
    const void *row = ahead(kind, a, least(i, rows - 1) * down);
    for (int g = 0; g < whole_groups; g++)
      to[g] = up ^ group(kind, ahead(kind, row, g * in_group(kind) * along), along, in_group(kind));
    if (rest)
      to[whole_groups] = up ^ group(kind, ahead(kind, row, (deep - rest) * along), along, rest);
  }
}

static inline __attribute__((always_inline)) void dots(int kind, int groups, const int32_t *a, const int32_t *b,
                                                       int32_t *c, whole next, int more) {
  ints sum[ROWS][WIDE];
  UNROLL for (int w = 0; w < WIDE; w++) UNROLL for (int i = 0; i < ROWS; i++) sum[i][w] = several(b + w * LANES);
#pragma clang loop unroll_count(4)
  for (int g = 0; g < groups; g++) {
    fetch(g, (float *)c, next);
    ints right[WIDE];
    UNROLL for (int w = 0; w < WIDE; w++) right[w] = several(b + (g + 1) * COLUMNS + w * LANES);
    UNROLL for (int i = 0; i < ROWS; i++) {
      ints left = a[i * DEPTH + g] - (ints){};
      UNROLL for (int w = 0; w < WIDE; w++) sum[i][w] = dot(kind, sum[i][w], left, right[w]);
    }
  }
  UNROLL for (int i = 0; i < ROWS; i++) UNROLL for (int w = 0; w < WIDE; w++) {
    float *at = (float *)(c + i * next + w * LANES);
    vec before = load(at), found = (vec)sum[i][w];
    store(at, !more ? found : kind == BYTES ? (vec)((ints)before + sum[i][w]) : before + found);
  }
}

/* The block of A in `left` times the block of B in `right`, into `c`; tiles that reach over the edge go
   through one of their own. */
static inline __attribute__((always_inline)) void multiply_groups(int kind, int rows, int columns, int groups,
                                                                  const int32_t *left, const int32_t *right, int32_t *c,
                                                                  whole next, int more) {
  int32_t tile[ROWS * COLUMNS];
  for (int j = 0; j < columns; j += COLUMNS, right += COLUMNS * (groups + 1))
    for (int i = 0; i < rows; i += ROWS) {
      int32_t *to = c + i * next + j;
      int height = least(ROWS, rows - i), width = least(COLUMNS, columns - j);
      if (height == ROWS && width == COLUMNS) {
        dots(kind, groups, left + i * DEPTH, right, to, next, more);
        continue;
      }
      for (int y = 0; more && y < height; y++)
        for (int x = 0; x < width; x++)
          tile[y * COLUMNS + x] = to[y * next + x];
      dots(kind, groups, left + i * DEPTH, right, tile, COLUMNS, more);
      for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
          to[y * next + x] = tile[y * COLUMNS + x];
    }
}

/* What pack_right of product.c does, and multiply_rows. */
static inline __attribute__((always_inline)) void pack_dots(int kind, whole depth, whole columns, const void *b,
                                                            whole down, whole along, float *packed, whole from,
                                                            whole until) {
  whole deep = DEPTH * in_group(kind);
  int32_t *to = (int32_t *)packed;
  for (whole k = 0; k < depth; k += deep, to += strips(columns) * COLUMNS * (DEPTH + 1))
    for (whole strip = from; strip < until; strip++) {
      int some = least(deep, depth - k), width = least(COLUMNS, columns - strip * COLUMNS);
      const void *begin = ahead(kind, b, k * down + strip * COLUMNS * along);
      int32_t *place = to + strip * COLUMNS * (up_to(some, in_group(kind)) + 1);
      along == 1 ? pack_strip(kind, some, width, begin, down, 1, place)
                 : pack_strip(kind, some, width, begin, down, along, place);
    }
}

static inline __attribute__((always_inline)) void multiply_dots(int kind, whole rows, whole columns, whole depth,
                                                                const void *a, whole down, whole along,
                                                                const float *packed, int result, void *c, whole next,
                                                                float *left, float *sums) {
  whole deep = DEPTH * in_group(kind);
  for (whole i = 0; i < rows; i += HIGH)
    for (whole k = 0, block = 0; k < depth; k += deep, block++) {
      int height = least(HIGH, rows - i), some = least(deep, depth - k);
      const int32_t *right = (const int32_t *)packed + block * strips(columns) * COLUMNS * (DEPTH + 1);
      int32_t *to = result == BRIEF ? (int32_t *)sums : (int32_t *)c + i * next;
      const void *from = ahead(kind, a, i * down + k * along);
      along == 1 ? pack_rows(kind, height, some, from, down, 1, (int32_t *)left)
                 : pack_rows(kind, height, some, from, down, along, (int32_t *)left);
      multiply_groups(kind, height, columns, up_to(some, in_group(kind)), (int32_t *)left, right, to,
                      result == BRIEF ? columns : next, k > 0);
      if (result == BRIEF && k + deep >= depth)
        narrow(height, columns, sums, (uint16_t *)c + i * next, next);
    }
}
#endif

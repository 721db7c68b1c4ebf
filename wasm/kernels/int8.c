/* A product of bytes, summed up exactly in 32 bits, and products of a matrix of bytes, or of four bits, with a vector.
   The right side of the first holds weights, which are known beforehand: it is packed once. */
#include "int8.h"

/* HIGH rows of DEPTH groups of the left side stay in the second cache. The fewer blocks a depth has, the less often sums
   come back from memory, so a strip of the right side may be too much for the first cache: it is requested early. */
enum { DEPTH = 512, HIGH = 16 * ROWS, DEEP = DEPTH * GROUP, EARLY = 17 };

/* What becomes of the sums of a tile. Where the result is larger than LARGE bytes they go past the caches: a store would
   read the line from memory first, only to overwrite it. */
enum { PUT, ADD, PAST, LARGE = 1 << 20 };

static int least(int a, int b) { return a < b ? a : b; }
static size_t up_to(size_t count, size_t step) { return (count + step - 1) / step; }

/* Which instruction multiplies, by GROUP: 8 is VNNI's, 12 is ARM's. */
int instruction(void) { return INSTRUCTION; }

/* -- matrix by matrix ---------------------------------------------------------------------------------------------- */

/* Bytes of the right side, packed: each strip has a head of sums to begin with. */
size_t right_room(int depth, int columns) {
  return 4 * COLUMNS * up_to(columns, COLUMNS) * (up_to(depth, GROUP) + up_to(depth, DEEP));
}

/* Block by block of DEEP rows, strip by strip of COLUMNS columns, group by group; what is missing is 0. */
void pack_right(int depth, int columns, const int8_t *b, int32_t *to) {
  for (int k = 0; k < depth; k += DEEP)
    for (int j = 0; j < columns; j += COLUMNS) {
      int deep = least(DEEP, depth - k), groups = up_to(deep, GROUP);
      unit *at = (unit *)(to + COLUMNS);
      for (int y = 0; y < COLUMNS; y++) {
        to[y] = 0;
        for (int x = 0; x < groups * GROUP; x++) {
          int value = x < deep && j + y < columns ? b[(size_t)(k + x) * columns + j + y] : 0;
          at[(x / GROUP * COLUMNS + y) * GROUP + x % GROUP] = value;
          to[y] -= UP * value;
        }
      }
      to += COLUMNS * (groups + 1);
    }
}

/* Rows, DEEP apart, until they fill a strip of ROWS; the last row is repeated, and counts for nothing then. */
static void pack_left(int rows, int deep, const int8_t *a, size_t down, unit *to) {
  for (int i = 0; i < rows || i % ROWS; i++, to += DEEP) {
    const int8_t *row = a + least(i, rows - 1) * down;
    for (int k = 0; k < deep; k++)
      to[k] = row[k] + UP;
    for (int k = deep; k % GROUP; k++)
      to[k] = 0;
  }
}

static inline void tile(int groups, const int32_t *a, const int32_t *b, int32_t *c, size_t next, int how) {
  ints sum[ROWS][WIDE];
  UNROLL for (int w = 0; w < WIDE; w++) UNROLL for (int i = 0; i < ROWS; i++) sum[i][w] = some_ints(b + w * LANES);
#pragma clang loop unroll_count(4)
  for (int g = 0; g < groups; g++) {
    ints right[WIDE];
    UNROLL for (int w = 0; w < WIDE; w++) {
      right[w] = some_ints(b + (g + 1) * COLUMNS + w * LANES);
      __builtin_prefetch(b + (g + EARLY) * COLUMNS + w * LANES);
    }
    UNROLL for (int i = 0; i < ROWS; i++) {
      ints left = a[i * DEPTH + g] - (ints){};
      UNROLL for (int w = 0; w < WIDE; w++) sum[i][w] = dot(sum[i][w], left, right[w]);
    }
  }
  UNROLL for (int i = 0; i < ROWS; i++) UNROLL for (int w = 0; w < WIDE; w++) {
    ints_anywhere *at = (ints_anywhere *)(c + i * next + w * LANES);
    if (how == PAST)
      __builtin_nontemporal_store(sum[i][w], (ints *)at);
    else
      *at = how == ADD ? *at + sum[i][w] : sum[i][w];
  }
}

/* `rounds` times C = A B; `left` has room for HIGH rows of DEPTH groups. */
void multiply(int rounds, int rows, int depth, int columns, const int8_t *a, const int32_t *right, int32_t *c,
              int32_t *left) {
  int32_t part[ROWS * COLUMNS];
  int whole = (uintptr_t)c % sizeof(ints) == 0 && columns % LANES == 0; /* vectors in lines of their own */
  int first = whole && (size_t)rows * columns >= LARGE / sizeof *c ? PAST : PUT;
  for (; rounds--;)
    for (int i = 0; i < rows; i += HIGH) {
      const int32_t *b = right;
      for (int k = 0; k < depth; k += DEEP) {
        int height = least(HIGH, rows - i), deep = least(DEEP, depth - k), groups = up_to(deep, GROUP);
        pack_left(height, deep, a + (size_t)i * depth + k, depth, (unit *)left);
        for (int j = 0; j < columns; j += COLUMNS, b += COLUMNS * (groups + 1))
          for (int y = 0; y < height; y += ROWS) {
            int32_t *to = c + (size_t)(i + y) * columns + j;
            int high = least(ROWS, height - y), wide = least(COLUMNS, columns - j);
            if (high == ROWS && wide == COLUMNS) {
              tile(groups, left + y * DEPTH, b, to, columns, k > 0 ? ADD : first);
              continue;
            }
            tile(groups, left + y * DEPTH, b, part, COLUMNS, PUT);
            for (int row = 0; row < high; row++)
              for (int x = 0; x < wide; x++)
                to[(size_t)row * columns + x] = (k > 0 ? to[(size_t)row * columns + x] : 0) + part[row * COLUMNS + x];
          }
      }
    }
}

size_t left_room(void) { return 4 * HIGH * DEPTH; }

/* Steps on numbers that never leave the registers, as many at once as a tile has; returns the operations of a round. */
int peak(long rounds, int32_t *at) {
  ints sum[ROWS * WIDE], x = some_ints(at), y = some_ints(at + LANES);
  UNROLL for (int s = 0; s < ROWS * WIDE; s++) sum[s] = x + s;
  while (rounds--)
    UNROLL for (int s = 0; s < ROWS * WIDE; s++) {
      OPAQUE(x);
      sum[s] = dot(sum[s], x, y);
    }
  UNROLL for (int s = 1; s < ROWS * WIDE; s++) sum[0] += sum[s];
  *(ints_anywhere *)at = sum[0];
  return 2 * GROUP * LANES * ROWS * WIDE;
}

/* -- matrix by vector ---------------------------------------------------------------------------------------------- */

/* A matrix comes from memory, or from the last cache: its lines are requested so many bytes early. */
enum { LINE = 64, AHEAD = 16384 };

static int total(ints sum) {
  int all = 0;
  for (int lane = 0; lane < LANES; lane++)
    all += sum[lane];
  return all;
}

/* Products of a vector of bytes each, added to the sums; `x` is given twice, as bytes and in 16 bits. */
static inline ints add_bytes(ints sum, const int8_t *w, const int8_t *x, const int16_t *wide) {
#if defined(X86) && !defined(VNNI)
  for (int part = 0; part < 2; part++) {
    shorts left = __builtin_convertvector(*(const half_anywhere *)(w + part * 2 * LANES), shorts);
    sum += (ints)X86(madd_epi16)((raw)left, (raw)some_ints(wide + part * 2 * LANES));
  }
  return sum;
#elif defined(VNNI)
  return add_four(sum, some_bytes(w) ^ (int8_t)-128, some_bytes(x)); /* 128 too much for each x */
#elif defined(__ARM_FEATURE_DOTPROD)
  return add_four(sum, some_bytes(w), some_bytes(x));
#else
  for (int n = 0; n < 4 * LANES; n++)
    sum[n % LANES] += w[n] * x[n];
  return sum;
#endif
}

/* `rounds` times y = W x, of bytes, row by row; of four sums at once, none waits for another. */
void by_vector(int rounds, int rows, int depth, const int8_t *w, const int8_t *x, const int16_t *wide, int32_t *y) {
  enum { STEP = 4 * LANES, ABREAST = 4 };
  int in_vectors = depth - depth % STEP, begin = 0;
#ifdef VNNI
  for (int k = 0; k < in_vectors; k++)
    begin -= 128 * x[k];
#endif
  for (; rounds--;)
    for (int i = 0; i < rows; i++) {
      const int8_t *row = w + (size_t)i * depth;
      ints sum[ABREAST] = {};
      int k = 0;
      for (; k + ABREAST * STEP <= depth; k += ABREAST * STEP) {
        UNROLL for (int s = 0; s < ABREAST * STEP; s += LINE) __builtin_prefetch(row + k + s + AHEAD);
        UNROLL for (int s = 0; s < ABREAST; s++)
          sum[s] = add_bytes(sum[s], row + k + s * STEP, x + k + s * STEP, wide + k + s * STEP);
      }
      for (; k < in_vectors; k += STEP)
        sum[0] = add_bytes(sum[0], row + k, x + k, wide + k);
      int rest = begin;
      for (; k < depth; k++)
        rest += row[k] * x[k];
      y[i] = rest + total(sum[0] + sum[1] + (sum[2] + sum[3]));
    }
}

/* `rounds` times y = W x, of codes in four bits, SHARE of which have one scale. A group is SHARE / 2 bytes: the lower
   halves are its first codes, the upper ones its last, all of them 8 too high, which is subtracted beforehand. `x` is as long as
   all groups of a row. */
enum { SHARE = 128 };

int share(void) { return SHARE; }

/* A group of codes times its part of x. Without an instruction that adds up in 32 bits, the pairs of a whole group stay
   in 16: each is at most 15 x 128 twice, and no more than four meet in a lane, which makes 15,360. */
static inline ints group_of_codes(ints sum, const uint8_t *codes, const int8_t *x) {
  enum { STEP = 4 * LANES };
#if defined(X86) && !defined(VNNI)
  shorts pairs = {};
#endif
  UNROLL for (int p = 0; p < SHARE / 2; p += STEP) {
    bytes both = some_bytes(codes + p), first = both & 15, last = (bytes)((ints)both >> 4) & 15;
    bytes before = some_bytes(x + p), behind = some_bytes(x + SHARE / 2 + p);
#if defined(X86) && !defined(VNNI)
    pairs += (shorts)X86(maddubs_epi16)((raw)first, (raw)before);
    pairs += (shorts)X86(maddubs_epi16)((raw)last, (raw)behind);
#else
    sum = add_four(add_four(sum, first, before), last, behind);
#endif
  }
#if defined(X86) && !defined(VNNI)
  sum += (ints)X86(madd_epi16)((raw)pairs, X86(set1_epi16)(1));
#endif
  return sum;
}

/* `before` has room for a vector of each group: what 8 times its part of x comes to. */
void by_vector4(int rounds, int rows, int groups, const uint8_t *w, const float *scales, const int8_t *x,
                int32_t *before, float *y) {
  uint8_t eights[SHARE / 2];
  for (int n = 0; n < SHARE / 2; n++)
    eights[n] = 0x88;
  for (int g = 0; g < groups; g++)
    *(ints_anywhere *)(before + g * LANES) = -group_of_codes((ints){}, eights, x + g * SHARE);
  for (; rounds--;)
    for (int i = 0; i < rows; i++) {
      vec sum = {};
      for (int g = 0; g < groups; g++) {
        size_t at = (size_t)i * groups + g;
        __builtin_prefetch(w + at * SHARE / 2 + AHEAD);
        ints dots = group_of_codes(some_ints(before + g * LANES), w + at * SHARE / 2, x + g * SHARE);
        sum += all(scales[at]) * __builtin_convertvector(dots, vec);
      }
      float found = 0;
      for (int lane = 0; lane < LANES; lane++)
        found += sum[lane];
      y[i] = found;
    }
}

/* What a compiler of products calls: rows x depth times depth x columns, with distances down and along each matrix, and
   a block of rows at a time, so that more can be done to it while it is in a cache. The right side is packed before,
   all of it. The work itself is the packed product of matmul.c, which knows only floats: other numbers become floats
   when they are packed, where the processor has no better way (dots.h).                                              */
#include "matmul.c"
#include <stdint.h>

typedef long long whole;

/* BRIEF floats are the upper halves of others: bf16. Products of BYTES are added up as floats, a block of DEPTH of them
   at a time, and as WHOLES beyond: 256 products of at most 128 x 128 are less than 2^24, and exact. */
enum { FLOATS, BRIEF, BYTES, WHOLES };

static whole up_to(whole count, whole step) { return (count + step - 1) / step; }

whole strips(whole columns) { return up_to(columns, COLUMNS); }
whole left_room(int kind) { return (kind == FLOATS ? 1 : 2) * HIGH * DEPTH; }
whole right_room(whole columns, whole depth) { return strips(columns) * COLUMNS * (depth + 1); } /* with heads */
whole sums_room(whole columns) { return HIGH * columns; }

static const void *ahead(int kind, const void *from, whole count) {
  return (const char *)from + count * (kind == FLOATS ? 4 : kind == BRIEF ? 2 : 1);
}

static float widened(uint16_t brief) {
  union { uint32_t bits; float value; } it = {(uint32_t)brief << 16};
  return it.value;
}

/* To the nearest, and of two that are equally near to the even one. */
static uint16_t narrowed(float value) {
  union { float value; uint32_t bits; } it = {value};
  if (value != value)
    return it.bits >> 16 | 0x40;
  return (it.bits + 0x7fff + (it.bits >> 16 & 1)) >> 16;
}

static void gather(int rows, int columns, const float *sums, int32_t *to, whole next, int more) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      to[i * next + j] = (more ? to[i * next + j] : 0) + (int32_t)sums[i * columns + j];
}

static void narrow(int rows, int columns, const float *sums, uint16_t *to, whole next) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      to[i * next + j] = narrowed(sums[i * columns + j]);
}

#include "dots.h"

/* Part of a side as floats, row by row. */
static inline void as_floats(int kind, int rows, int columns, const void *from, whole down, whole along, float *to) {
  const uint16_t *brief = from;
  const int8_t *bytes = from;
  for (int i = 0; i < rows; i++)
    if (kind == BRIEF)
      for (int j = 0; j < columns; j++)
        to[i * columns + j] = widened(brief[i * down + j * along]);
    else
      for (int j = 0; j < columns; j++)
        to[i * columns + j] = bytes[i * down + j * along];
}

/* Strips `from` to `to` of it, in each of its blocks of DEPTH rows. */
void pack_right(whole depth, whole columns, int kind, const void *b, whole down, whole along, float *packed, whole from,
                whole to) {
#ifdef DOTS
  if (kind == BRIEF)
    return pack_dots(BRIEF, depth, columns, b, down, along, packed, from, to);
  if (kind == BYTES)
    return pack_dots(BYTES, depth, columns, b, down, along, packed, from, to);
#endif
  float part[DEPTH * COLUMNS];
  for (whole k = 0; k < depth; k += DEPTH) {
    whole deep = least(DEPTH, depth - k);
    float *block = packed + k * strips(columns) * COLUMNS;
    for (whole j = from * COLUMNS; j < to * COLUMNS && j < columns; j += COLUMNS) {
      const void *here = ahead(kind, b, k * down + j * along);
      float *at = block + j * deep;
      int width = least(COLUMNS, columns - j);
      if (kind != FLOATS)
        along == 1 ? as_floats(kind, deep, width, here, down, 1, part) : as_floats(kind, deep, width, here, down, along, part);
      const float *rows = kind == FLOATS ? here : part;
      whole lower = kind == FLOATS ? down : width, next = kind == FLOATS ? along : 1;
      if (next == 1 && width == COLUMNS)
        for (int x = 0; x < deep; x++)
          UNROLL for (int w = 0; w < WIDE; w++) store(at + x * COLUMNS + w * LANES, load(rows + x * lower + w * LANES));
      else
        for (int y = 0; y < COLUMNS; y++)
          for (int x = 0; x < deep; x++)
            at[x * COLUMNS + y] = y < width ? rows[x * lower + y * next] : 0;
    }
  }
}

/* `left` is room for a block of A, `sums` for one of C where that holds no floats. */
void multiply_rows(whole rows, whole columns, whole depth, int kind, const void *a, whole down, whole along,
                   const float *packed, int result, void *c, whole next, float *left, float *sums) {
#ifdef DOTS
  if (kind == BRIEF)
    return multiply_dots(BRIEF, rows, columns, depth, a, down, along, packed, result, c, next, left, sums);
  if (kind == BYTES)
    return multiply_dots(BYTES, rows, columns, depth, a, down, along, packed, result, c, next, left, sums);
#endif
  float *block = left + HIGH * DEPTH;
  for (whole i = 0; i < rows; i += HIGH)
    for (whole k = 0; k < depth; k += DEPTH) {
      int height = least(HIGH, rows - i), deep = least(DEPTH, depth - k);
      const float *right = packed + k * strips(columns) * COLUMNS;
      const void *from = ahead(kind, a, i * down + k * along);
      if (kind == FLOATS)
        along == 1 ? pack_a(height, deep, from, down, 1, left, DEPTH) : pack_a(height, deep, from, down, along, left, DEPTH);
      else {
        along == 1 ? as_floats(kind, height, deep, from, down, 1, block) : as_floats(kind, height, deep, from, down, along, block);
        pack_a(height, deep, block, deep, 1, left, DEPTH);
      }
      if (result == FLOATS) {
        multiply_blocks(height, columns, deep, left, DEPTH, right, (float *)c + i * next, next, k > 0);
        continue;
      }
      multiply_blocks(height, columns, deep, left, DEPTH, right, sums, columns, result == BRIEF && k > 0);
      if (result == WHOLES)
        gather(height, columns, sums, (int32_t *)c + i * next, next, k > 0);
      else if (k + DEPTH >= depth)
        narrow(height, columns, sums, (uint16_t *)c + i * next, next);
    }
}

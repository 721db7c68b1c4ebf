/* What a compiler of products calls: rows x depth times depth x columns, with distances down and along each matrix, and
   a block of rows at a time, so that more can be done to it while it is in a cache. The right side is packed before,
   all of it. The work itself is the packed product of matmul.c.                                                      */
#include "matmul.c"

typedef long long whole;

static whole up_to(whole count, whole step) { return (count + step - 1) / step; }

whole strips(whole columns) { return up_to(columns, COLUMNS); }
whole left_room(void) { return HIGH * DEPTH; }
whole right_room(whole columns, whole depth) { return strips(columns) * COLUMNS * depth; }

/* Strips `from` to `to` of it, in each of its blocks of DEPTH rows. */
void pack_right(whole depth, whole columns, const float *b, whole down, whole along, float *packed, whole from,
                whole to) {
  for (whole k = 0; k < depth; k += DEPTH) {
    whole deep = least(DEPTH, depth - k);
    float *block = packed + k * strips(columns) * COLUMNS;
    for (whole j = from * COLUMNS; j < to * COLUMNS && j < columns; j += COLUMNS) {
      float *at = block + j * deep;
      int width = least(COLUMNS, columns - j);
      if (along == 1 && width == COLUMNS)
        for (int x = 0; x < deep; x++)
          UNROLL for (int w = 0; w < WIDE; w++) store(at + x * COLUMNS + w * LANES, load(b + (k + x) * down + j + w * LANES));
      else
        for (int y = 0; y < COLUMNS; y++)
          for (int x = 0; x < deep; x++)
            at[x * COLUMNS + y] = y < width ? b[(k + x) * down + (j + y) * along] : 0;
    }
  }
}

/* `left` is room for a block of A. */
void multiply_rows(whole rows, whole columns, whole depth, const float *a, whole down, whole along, const float *packed,
                   float *c, whole next, float *left) {
  for (whole k = 0; k < depth; k += DEPTH) {
    whole deep = least(DEPTH, depth - k);
    const float *right = packed + k * strips(columns) * COLUMNS;
    for (whole i = 0; i < rows; i += HIGH) {
      int height = least(HIGH, rows - i);
      const float *from = a + i * down + k * along;
      along == 1 ? pack_a(height, deep, from, down, 1, left) : pack_a(height, deep, from, down, along, left);
      multiply_blocks(height, columns, deep, left, right, c + i * next, next, k > 0);
    }
  }
}

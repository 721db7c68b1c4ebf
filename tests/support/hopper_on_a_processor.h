// What hopper.h has, for a processor. Barriers count as PTX says; where a tile lies follows from its descriptor by the
// canonical layouts of PTX, not by what the kernel knows of it. Tensor cores read when a thread waits for a product, which is
// as late as they may; the copy engine writes at once, or when nobody can go on without. So a slab that is multiplied too
// early shows in one of the two, and one that is written over too early in the other. Who waits for ever is told to stop.
#pragma once
#include "on_a_processor.h"

#define __grid_constant__
enum { ALL_SHARED = 227 << 10, LATE = 4 * 288, PENDING = 64 };

struct Barrier { int threads, missing, bytes, phase; };
struct Map { const uint16_t *matrix; int rows, columns, high, wide; };
typedef unsigned long long Tile;
struct Box { char *to; Map from; int column, row; Barrier *barrier; };
struct Product { Tile a, b; };

static dim3 gridDim;
alignas(1024) __shared__ char shared_bytes[ALL_SHARED];
static Box boxes[PENDING];
static int asked_for, idle, stuck, prompt; // whether copies are made at once
static Product products[MOST_THREADS][PENDING];
static int begun[MOST_THREADS], started[MOST_THREADS]; // sums may be added to; how many products are

inline void *shared_memory() { return shared_bytes; }
inline int offset_of(const void *shared) { return (int)((const char *)shared - shared_bytes); }
inline int swizzled(int offset) { return offset ^ (offset >> 7 & 7) << 4; }

inline void passed(Barrier &barrier) {
  idle = 0;
  flaws += barrier.missing < 0;
  if (barrier.missing == 0 && barrier.bytes == 0) barrier.phase ^= 1, barrier.missing = barrier.threads;
}
inline void start_barrier(Barrier &barrier, int threads) { barrier = {threads, threads, 0, 0}; }
inline void show_barriers() {}
inline void arrive(Barrier &barrier) { barrier.missing--, passed(barrier); }
inline void arrive_and_expect(Barrier &barrier, int bytes) { barrier.bytes += bytes, arrive(barrier); }

inline void bring_a_box() {
  Box box = boxes[0];
  memmove(boxes, boxes + 1, --asked_for * sizeof(Box));
  for (int i = 0; i < box.from.high; i++)
    for (int j = 0; j < box.from.wide; j++) {
      int row = box.row + i, column = box.column + j;
      bool inside = row < box.from.rows && column < box.from.columns;
      uint16_t value = inside ? box.from.matrix[(int64_t)row * box.from.columns + column] : 0;
      memcpy(shared_bytes + swizzled(offset_of(box.to) + (i * box.from.wide + j) * 2), &value, 2);
    }
  box.barrier->bytes -= box.from.high * box.from.wide * 2;
  passed(*box.barrier);
}
inline void copy_box(void *to, const Map &from, int column, int row, Barrier &barrier) {
  if (asked_for == PENDING) bring_a_box(); // nobody waits for them
  flaws += offset_of(to) % 1024 != 0 || from.wide * sizeof(uint16_t) != 128;
  boxes[asked_for++] = {(char *)to, from, column, row, &barrier};
  if (prompt) bring_a_box();
}
inline void wait_for(Barrier &barrier, int phase) {
  while (barrier.phase == phase && !stuck) {
    if (++idle > LATE) {
      if (asked_for) bring_a_box();
      else stuck = 1, flaws++;
    }
    pause();
  }
  idle = 0;
}

inline Tile tile(const void *from, int columns, int rows) {
  return (Tile)(offset_of(from) >> 4) | (Tile)(columns >> 4) << 16 | (Tile)(rows >> 4) << 32 | (Tile)1 << 62;
}
inline float number_at(Tile of, int offset) {
  uint16_t bits;
  int where = swizzled((int)((of & 0x3fff) << 4) + offset);
  if (where >= ALL_SHARED) return flaws++, 0;
  memcpy(&bits, shared_bytes + where, 2);
  return __uint_as_float((uint32_t)bits << 16);
}
inline int columns_apart(Tile of) { return (int)(of >> 16 & 0x3fff) << 4; } // the leading dimension's byte offset
inline int rows_apart(Tile of) { return (int)(of >> 32 & 0x3fff) << 4; }    // the stride dimension's

inline void before_products(float (&)[128]) { begun[here] = 1; }
inline void add_product(float (&)[128], Tile a, Tile b) {
  flaws += !begun[here] || a >> 62 != 1 || b >> 62 != 1 || started[here] == PENDING; // 1: swizzled in 128 bytes
  products[here][started[here]++ % PENDING] = {a, b};
}
inline void wait_for_products(float (&sum)[128]) {
  pause(); // whoever reads too late reads what was written over
  int thread = here % 128;
  for (int p = 0; p < started[here] && p < PENDING; p++) {
    auto [a, b] = products[here][p];
    for (int i = 0; i < 128; i++) {
      int row = thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + thread % 4 * 2 + i % 2;
      for (int k = 0; k < 16; k++) // A by K: eight rows of 128 bytes; B by N: 64 columns, eight of K
        sum[i] += number_at(a, row / 8 * rows_apart(a) + row % 8 * 128 + k * 2) *
                  number_at(b, column / 64 * columns_apart(b) + column % 64 * 2 + k / 8 * rows_apart(b) + k % 8 * 128);
    }
  }
  started[here] = begun[here] = 0;
}

inline uint32_t nearest(float value) { // ties to even
  uint32_t bits = __float_as_uint(value);
  return (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
}
inline unsigned rounded(float first, float second) { return nearest(first) | nearest(second) << 16; }

static void new_launch(int at_once) {
  prompt = at_once, asked_for = idle = stuck = 0;
  memset(begun, 0, sizeof begun), memset(started, 0, sizeof started);
}

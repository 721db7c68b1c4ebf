"""What alloc_cost measures, in C: five ways to get some bytes and give them back."""

SOURCE = r"""
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define BATCH 256
#define PAGE 4096

/* Every pointer is stored here, where the compiler must believe that somebody reads it: nothing can be left out. */
static char *volatile sink;

static void use(char *p, size_t size, size_t stride) {
  for (size_t at = 0; at < size; at += stride)
    ((volatile char *)p)[at] = 1;
  sink = p;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

void hold_threshold(int bytes) { mallopt(M_MMAP_THRESHOLD, bytes); }

static __attribute__((noinline)) void on_stack(size_t size, size_t stride) {
  char here[size];
  use(here, size, stride);
}

/* Each gives the nanoseconds that `count` rounds took. */

double stack(size_t size, size_t stride, size_t count) {
  double begin = now();
  for (size_t n = 0; n < count; n++)
    on_stack(size, stride);
  return now() - begin;
}

double arena(size_t size, size_t stride, size_t count) {
  size_t step = (size + 15) / 16 * 16, room = BATCH * step, used = 0;
  if (room > 4 << 20)
    room = (4 << 20) / step * step;
  char *base = malloc(room);
  for (size_t at = 0; at < room; at += PAGE)
    ((volatile char *)base)[at] = 0;
  double begin = now();
  for (size_t n = 0; n < count; n++) {
    if (used + step > room)
      used = 0; /* all is given back at once */
    use(base + used, size, stride);
    used += step;
  }
  double spent = now() - begin;
  free(base);
  return spent;
}

double pair(size_t size, size_t stride, size_t count) {
  double begin = now();
  for (size_t n = 0; n < count; n++) {
    char *p = malloc(size);
    use(p, size, stride);
    free(p);
  }
  return now() - begin;
}

double zeroed(size_t size, size_t stride, size_t count) {
  double begin = now();
  for (size_t n = 0; n < count; n++) {
    char *p = calloc(1, size);
    use(p, size, stride);
    free(p);
  }
  return now() - begin;
}

/* Many alive at a time, freed in another order than they came. */
double many(size_t size, size_t stride, size_t count) {
  static char *live[BATCH];
  size_t batch = BATCH * size > 8 << 20 ? (8 << 20) / size : BATCH;
  double begin = now();
  for (size_t n = 0; n < count; n += batch) {
    for (size_t i = 0; i < batch; i++) {
      live[i] = malloc(size);
      use(live[i], size, stride);
    }
    for (size_t i = 0, at = 0; i < batch; i++) {
      at = (at + 97) % batch;
      while (!live[at])
        at = (at + 1) % batch;
      free(live[at]);
      live[at] = 0;
    }
  }
  return (now() - begin) * count / ((count + batch - 1) / batch * batch);
}
"""

/* What alloc_cost measures, in C: five ways to get some bytes and give them back.

   A program of its own, so that no heap but its own is measured, and none that another measurement has left behind. */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCH 256
#define PAGE 4096
#define LONG_ENOUGH 200000 /* ns: what the clock measures well */
#define MOST_ROUNDS (1 << 20)

/* Every pointer is stored here, where the compiler has to assume that somebody reads it: nothing can be left out. */
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

static __attribute__((noinline)) void on_stack(size_t size, size_t stride) {
  char here[size];
  use(here, size, stride);
}

/* Each gives the nanoseconds that `count` rounds took. */

static double stack(size_t size, size_t stride, size_t count) {
  double begin = now();
  for (size_t n = 0; n < count; n++)
    on_stack(size, stride);
  return now() - begin;
}

static double arena(size_t size, size_t stride, size_t count) {
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

static double pair(size_t size, size_t stride, size_t count) {
  double begin = now();
  for (size_t n = 0; n < count; n++) {
    char *p = malloc(size);
    use(p, size, stride);
    free(p);
  }
  return now() - begin;
}

static double zeroed(size_t size, size_t stride, size_t count) {
  double begin = now();
  for (size_t n = 0; n < count; n++) {
    char *p = calloc(1, size);
    use(p, size, stride);
    free(p);
  }
  return now() - begin;
}

/* Many alive at a time, freed in another order than they were made. */
static double many(size_t size, size_t stride, size_t count) {
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

static const struct { const char *name; double (*timed)(size_t, size_t, size_t); } WAYS[] = {
  {"stack", stack}, {"arena", arena}, {"pair", pair}, {"zeroed", zeroed}, {"many", many},
};

/* way, size, stride, repetitions, limit for pages of its own (0: as it comes); prints the rounds and each time. */
int main(int argc, char **argv) {
  if (argc != 6)
    return 2;
  size_t size = atol(argv[2]), stride = atol(argv[3]), repetitions = atol(argv[4]), rounds = 32;
  if (atoi(argv[5]))
    mallopt(M_MMAP_THRESHOLD, atoi(argv[5]));
  for (size_t way = 0; way < sizeof WAYS / sizeof *WAYS; way++) {
    if (strcmp(WAYS[way].name, argv[1]))
      continue;
    while (WAYS[way].timed(size, stride, rounds) < LONG_ENOUGH && rounds < MOST_ROUNDS)
      rounds *= 2;
    printf("%zu\n", rounds);
    for (size_t n = 0; n < repetitions; n++)
      printf("%.9g\n", WAYS[way].timed(size, stride, rounds) / rounds);
    return 0;
  }
  return 2;
}

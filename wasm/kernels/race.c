/* What race_real measures, as a program of its own: threads that add one to what they share, and the store buffers of
   two processors.

     race add WAY THREADS MILLISECONDS  how many additions were made, the sum that is left, and nanoseconds
     race buffer FENCE TIMES            how often two threads read (0, 0), (0, 1), (1, 0) and (1, 1)

   Threads add for a time rather than a number of times: those that are fast would be done before others begin.

   The plain counters are volatile: otherwise the compiler adds all at once, and no thread meets another. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST 64  /* threads */
#define LINE 128 /* bytes: a cache line, and the one that the processor fetches with it */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

/* A core of its own for each thread, as far as there are enough: two on one core hardly ever meet. */
static void settle(long me) {
#ifdef __linux__
  cpu_set_t allowed, own;
  if (sched_getaffinity(0, sizeof allowed, &allowed))
    return;
  long skip = me % CPU_COUNT(&allowed);
  for (int core = 0; core < CPU_SETSIZE; core++)
    if (CPU_ISSET(core, &allowed) && skip-- == 0) {
      CPU_ZERO(&own);
      CPU_SET(core, &own);
      pthread_setaffinity_np(pthread_self(), sizeof own, &own);
      return;
    }
#endif
}

static _Alignas(LINE) volatile long plain;
static _Alignas(LINE) atomic_long shared;
static _Alignas(LINE) pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(LINE) volatile long packed[MOST];
static _Alignas(LINE) struct {
  _Alignas(LINE) volatile long count;
} apart[MOST];

#define BLOCK 1000 /* additions between two looks at the clock */

static double begin_at, end_at;
static long made[MOST];
static double ended[MOST];

/* Each does one way of adding one, a block of times. */
#define ADDER(name, add_one)                                                                                           \
  static void name(long me) {                                                                                          \
    (void)me;                                                                                                          \
    for (long n = 0; n < BLOCK; n++)                                                                                   \
      add_one;                                                                                                         \
  }

static void swap_in(void) {
  long seen = atomic_load_explicit(&shared, memory_order_relaxed);
  while (!atomic_compare_exchange_weak(&shared, &seen, seen + 1))
    ;
}

static void locked(void) {
  pthread_mutex_lock(&mutex);
  plain = plain + 1;
  pthread_mutex_unlock(&mutex);
}

ADDER(add_plain, plain = plain + 1)
ADDER(add_relaxed, atomic_fetch_add_explicit(&shared, 1, memory_order_relaxed))
ADDER(add_ordered, atomic_fetch_add_explicit(&shared, 1, memory_order_seq_cst))
ADDER(add_swapped, swap_in())
ADDER(add_locked, locked())
ADDER(add_packed, packed[me] = packed[me] + 1)
ADDER(add_apart, apart[me].count = apart[me].count + 1)

static const struct {
  const char *name;
  void (*add)(long);
} ways[] = {
    {"plain", add_plain},   {"relaxed", add_relaxed}, {"ordered", add_ordered}, {"swapped", add_swapped},
    {"locked", add_locked}, {"packed", add_packed},   {"apart", add_apart},
};

static void (*adding)(long);

static void *add(void *argument) {
  long me = (long)argument;
  settle(me);
  while (now() < begin_at)
    ;
  do {
    adding(me);
    made[me] += BLOCK;
    ended[me] = now();
  } while (ended[me] < end_at);
  return NULL;
}

static int add_all(const char *way, int threads, double milliseconds) {
  for (size_t n = 0; n < sizeof ways / sizeof *ways; n++)
    if (!strcmp(way, ways[n].name))
      adding = ways[n].add;
  if (!adding || threads < 1 || threads > MOST)
    return 2;
  pthread_t thread[MOST];
  begin_at = now() + 2e6; /* until then all are there */
  end_at = begin_at + 1e6 * milliseconds;
  for (long n = 0; n < threads; n++)
    if (pthread_create(&thread[n], NULL, add, (void *)n))
      return 3;
  long additions = 0, sum = 0;
  double last = 0;
  for (int n = 0; n < threads; n++) {
    pthread_join(thread[n], NULL);
    additions += made[n];
    sum += packed[n] + apart[n].count;
    last = ended[n] > last ? ended[n] : last;
  }
  printf("%ld %ld %.0f\n", additions, sum + plain + atomic_load(&shared), last - begin_at);
  return 0;
}

/* Store buffering: each thread writes its own variable and reads the other's. In any order of these four, one after
   the other, at least one reads 1. Rounds are independent pairs of variables, each in a line of its own; before each
   round the threads wait for one another, so that they meet. */

#define ROUNDS 4096
#define SECONDS 1.5

static struct {
  _Alignas(LINE) atomic_int x;
  _Alignas(LINE) atomic_int y;
  int saw_x, saw_y;
} cells[ROUNDS];
static _Alignas(LINE) atomic_long arrived[2];
static int fenced;

static void meet(int me, long round) {
  atomic_store_explicit(&arrived[me], round, memory_order_release);
  for (long spins = 0; atomic_load_explicit(&arrived[!me], memory_order_acquire) < round; spins++)
    if (spins > 4000) /* the other has no core just now */
      sched_yield();
}

#define SIDE(name, own, other, saw)                                                                                    \
  static void name(int cell) {                                                                                         \
    atomic_store_explicit(&cells[cell].own, 1, memory_order_relaxed);                                                  \
    if (fenced)                                                                                                        \
      atomic_thread_fence(memory_order_seq_cst);                                                                       \
    else                                                                                                               \
      atomic_signal_fence(memory_order_seq_cst); /* the compiler keeps the order; the processor is not told */         \
    cells[cell].saw = atomic_load_explicit(&cells[cell].other, memory_order_relaxed);                                  \
  }

SIDE(left, x, y, saw_y)
SIDE(right, y, x, saw_x)

static long counts[4], begins;

static void *side(void *argument) {
  int me = (int)(long)argument;
  settle(me);
  for (int cell = 0; cell < ROUNDS; cell++) {
    meet(me, begins + cell + 1);
    (me ? right : left)(cell);
  }
  return NULL;
}

static int buffer(const char *fence, long rounds) {
  fenced = !strcmp(fence, "fence");
  double start = now();

  for (long done = 0; done < rounds && now() - start < SECONDS * 1e9; done += ROUNDS) {
    memset((void *)cells, 0, sizeof cells);
    begins = done;
    pthread_t other;
    if (pthread_create(&other, NULL, side, (void *)1))
      return 3;
    side((void *)0);
    pthread_join(other, NULL);
    for (int cell = 0; cell < ROUNDS; cell++)
      counts[2 * cells[cell].saw_y + cells[cell].saw_x]++;
  }
  printf("%ld %ld %ld %ld\n", counts[0], counts[1], counts[2], counts[3]);
  return 0;
}

int main(int count, char **given) {
  if (count == 5 && !strcmp(given[1], "add"))
    return add_all(given[2], atoi(given[3]), atof(given[4]));
  if (count == 4 && !strcmp(given[1], "buffer"))
    return buffer(given[2], atol(given[3]));
  return 2;
}

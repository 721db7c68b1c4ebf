/* Threads that add to one counter at once, in several ways; and two threads that each write, then read what the other
   one wrote. How a way is written in C is all that differs: the threads begin together and are timed together. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PLAIN, VOLATILE, RELAXED, ORDERED, SWAP, LOCK, OWN };
enum { MOST = 8, SPINS = 4000, LINE = 64, ROOM = MOST * LINE };

static _Alignas(4096) unsigned char counters[ROOM];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Wait for the others, and lend them the processor where there are more threads than cores. */
static void rest(int *spins) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
  if (++*spins % SPINS == 0)
    sched_yield();
}

static void meet(atomic_int *here, int all) {
  atomic_fetch_add(here, 1);
  for (int spins = 0; atomic_load(here) < all;)
    rest(&spins);
}

/* A thread for each core, as far as there are cores: two that take turns on one do not race. */
static int start(pthread_t *thread, void *(*work)(void *), void *given, int number) {
  cpu_set_t all, one;
  pthread_attr_t how;
  if (pthread_attr_init(&how))
    return 1;
  CPU_ZERO(&one);
  if (!sched_getaffinity(0, sizeof all, &all)) {
    number %= CPU_COUNT(&all);
    for (int core = 0; core < CPU_SETSIZE; core++)
      if (CPU_ISSET(core, &all) && number-- == 0)
        CPU_SET(core, &one);
    pthread_attr_setaffinity_np(&how, sizeof one, &one);
  }
  int wrong = pthread_create(thread, &how, work, given);
  pthread_attr_destroy(&how);
  return wrong;
}

/* A compiler may do all additions of this one at once, as nobody is said to look in between. */
static __attribute__((noinline)) void plain(long *counter, long n) {
  for (; n--;)
    ++*counter;
}

static void add(int way, long n, void *at) {
  long *counter = at;
  volatile long *looked_at = at;
  atomic_long *one = at;
  switch (way) {
  case PLAIN:
    plain(counter, n);
    break;
  case VOLATILE:
  case OWN: /* the same, on a counter that no other thread has */
    for (; n--;)
      ++*looked_at;
    break;
  case RELAXED:
    for (; n--;)
      atomic_fetch_add_explicit(one, 1, memory_order_relaxed);
    break;
  case ORDERED:
    for (; n--;)
      atomic_fetch_add(one, 1);
    break;
  case SWAP:
    for (; n--;)
      for (long seen = atomic_load_explicit(one, memory_order_relaxed);
           !atomic_compare_exchange_weak(one, &seen, seen + 1);)
        ;
    break;
  case LOCK:
    for (; n--;) {
      pthread_mutex_lock(&lock);
      ++*looked_at;
      pthread_mutex_unlock(&lock);
    }
  }
}

struct job {
  int way, all;
  long n;
  void *at;
  atomic_int *here;
  double begun, done;
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *work(void *given) {
  struct job *job = given;
  meet(job->here, job->all);
  job->begun = now();
  add(job->way, job->n, job->at);
  job->done = now();
  return NULL;
}

/* Each of the threads adds one, n times; counters of their own begin so many bytes apart. What is counted in the end,
   and the seconds from the first beginning to the last end; -1 where there are no threads to be had. */
double count(int way, int threads, long n, long apart, long *counted) {
  pthread_t team[MOST];
  struct job jobs[MOST];
  atomic_int here = 0;
  double begun = 1e300, done = 0;
  int made = 0;
  memset(counters, 0, ROOM);
  for (; made < threads; made++) {
    jobs[made] = (struct job){way, threads, n, counters + (way == OWN ? made * apart : 0), &here, 0, 0};
    if (start(&team[made], work, &jobs[made], made))
      break;
  }
  if (made < threads)
    atomic_store(&here, threads); /* so that those there are do not wait for the rest */
  for (int t = 0; t < made; t++) {
    pthread_join(team[t], NULL);
    begun = jobs[t].begun < begun ? jobs[t].begun : begun;
    done = jobs[t].done > done ? jobs[t].done : done;
  }
  *counted = 0;
  for (int t = 0; t < (way == OWN ? threads : 1); t++)
    *counted += *(long *)(counters + t * apart);
  return made < threads ? -1 : done - begun;
}

/* Two threads: the one sets x and reads y, the other sets y and reads x. Turn t sets 1 + t, so nothing is set back. */
struct side {
  _Alignas(LINE) atomic_int value;
  _Alignas(LINE) atomic_int turn;
  _Alignas(LINE) struct side *other;
  atomic_int *here;
  unsigned char *saw;
  int fenced, turns;
  unsigned wait;
};

static void *set_and_read(void *given) {
  struct side *mine = given, *other = mine->other;
  meet(mine->here, 2);
  for (int turn = 1; turn <= mine->turns; turn++) {
    mine->wait = mine->wait * 1664525u + 1013904223u; /* so that now the one, now the other is first */
    for (unsigned n = mine->wait >> 26; n--;)
      __asm__ volatile("");
    atomic_store_explicit(&mine->value, turn, memory_order_relaxed);
    if (mine->fenced)
      atomic_thread_fence(memory_order_seq_cst);
    else
      __asm__ volatile("" ::: "memory"); /* the compiler keeps the order, too; the processor need not */
    mine->saw[turn - 1] = atomic_load_explicit(&other->value, memory_order_relaxed) == turn;
    atomic_store(&mine->turn, turn);
    for (int spins = 0; atomic_load(&other->turn) < turn;)
      rest(&spins);
  }
  return NULL;
}

/* How often of so many turns the two have read 0 and 0, 0 and 1, 1 and 0, 1 and 1. Not 0 if there are no threads. */
int buffered(int fenced, int turns, int *outcomes) {
  struct side sides[2];
  atomic_int here = 0;
  pthread_t team[2];
  int made = 0;
  memset(sides, 0, sizeof sides);
  memset(outcomes, 0, 4 * sizeof *outcomes);
  for (int n = 0; n < 2; n++) {
    sides[n].other = &sides[1 - n];
    sides[n].here = &here;
    sides[n].saw = calloc((size_t)turns, 1);
    sides[n].fenced = fenced;
    sides[n].turns = turns;
    sides[n].wait = 12345u + (unsigned)n;
  }
  if (sides[0].saw && sides[1].saw)
    while (made < 2 && !start(&team[made], set_and_read, &sides[made], made))
      made++;
  if (made == 1) { /* let it go on alone */
    atomic_store(&here, 2);
    atomic_store(&sides[1].turn, turns);
  }
  for (int n = 0; n < made; n++)
    pthread_join(team[n], NULL);
  if (made == 2)
    for (int turn = 0; turn < turns; turn++)
      outcomes[2 * sides[0].saw[turn] + sides[1].saw[turn]]++;
  free(sides[0].saw);
  free(sides[1].saw);
  return made < 2;
}

/* A team of threads for many small tasks: phases in order, each cut into pieces, and a thread that is free takes the next.

     python -m ziglang cc -O2 -shared -fPIC -o team.so team.c

   There is one team, for one caller at a time. Members look out for work for a short while after each task, and then sleep. The caller is a member, too.          */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

typedef long long whole;

struct phase {
  void (*task)(void **buffers, whole from, whole to, whole piece);
  whole turns, pieces;
};

enum { MOST = 63, SPINS = 4000 };

static struct phase now;
static void **data;
static atomic_llong next, done;
static atomic_int open, inside, asleep, members;
static atomic_uint order;
static pid_t owner;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t called = PTHREAD_COND_INITIALIZER;
static pthread_t team[MOST];

static void rest(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

static void work(void) {
  for (whole piece; (piece = atomic_fetch_add(&next, 1)) < now.pieces; atomic_fetch_add(&done, 1))
    now.task(data, now.turns * piece / now.pieces, now.turns * (piece + 1) / now.pieces, piece);
}

static void *member(void *nothing) {
  for (unsigned seen = 0;;) {
    int spins = 0;
    while (order == seen && spins++ < SPINS)
      rest();
    if (order == seen) {
      pthread_mutex_lock(&lock);
      asleep++;
      while (order == seen)
        pthread_cond_wait(&called, &lock);
      asleep--;
      pthread_mutex_unlock(&lock);
    }
    seen = order;
    inside++;
    if (open) /* what is read now stays, as the caller waits for all who are inside */
      work();
    inside--;
  }
  return nothing;
}

/* A process that was forked has none of its parent's threads. */
static void gather(int threads) {
  if (owner != getpid()) {
    owner = getpid();
    members = asleep = inside = open = 0;
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&called, NULL);
  }
  for (; members < threads - 1 && members < MOST; members++) {
    if (pthread_create(&team[members], NULL, member, NULL))
      return; /* then there are fewer */
    pthread_detach(team[members]);
  }
}

/* A thread that is woken is often put on the core of the one that woke it, and waits until all the work is done: on two
   cores GELU of a million numbers took 217 us and not 105. */
static void make_way(void) {
#ifdef __linux__
  cpu_set_t others;
  if (pthread_getaffinity_np(pthread_self(), sizeof others, &others))
    return;
  CPU_CLR(sched_getcpu(), &others);
  if (CPU_COUNT(&others))
    for (int n = 0; n < members; n++)
      pthread_setaffinity_np(team[n], sizeof others, &others);
#endif
}

/* Memory that is new has no pages yet: each comes when it is first written to, and is cleared. In large pages 512 of
   them come at once, where the system has them. */
void large_pages(char *at, size_t size) {
#ifdef MADV_HUGEPAGE
  uintptr_t page = 1 << 21, from = ((uintptr_t)at + page - 1) & -page, to = ((uintptr_t)at + size) & -page;
  if (from < to)
    madvise((void *)from, to - from, MADV_HUGEPAGE);
#endif
}

void run(const struct phase *phases, int count, void **buffers, int threads) {
  for (int n = 0; n < count; n++) {
    const struct phase *it = phases + n;
    if (it->pieces == 1 || threads == 1) {
      for (whole piece = 0; piece < it->pieces; piece++)
        it->task(buffers, it->turns * piece / it->pieces, it->turns * (piece + 1) / it->pieces, piece);
      continue;
    }
    gather(threads);
    now = *it, data = buffers;
    next = done = 0;
    open = 1;
    order++;
    if (asleep) {
      make_way();
      pthread_mutex_lock(&lock);
      pthread_cond_broadcast(&called);
      pthread_mutex_unlock(&lock);
    }
    work();
    for (int spins = 0; done < it->pieces; spins++)
      spins < SPINS ? rest() : (void)sched_yield();
    open = 0;
    for (int spins = 0; inside; spins++)
      spins < SPINS ? rest() : (void)sched_yield();
  }
}

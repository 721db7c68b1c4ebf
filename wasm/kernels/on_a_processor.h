// What CUDA has built in, for a C++ compiler: a kernel then runs on a processor, thread by thread, and every read of
// global memory is checked and can be listed. Threads are fibers. At a barrier the next one goes on, in an order that the
// test chooses: a kernel that lacks a barrier is right in one order and wrong in another. Copies that a thread does not
// wait for arrive as late as they may, and shared memory begins as NaN.
#pragma once
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define __global__
#define __device__
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __shared__ static __attribute__((section("shared_memory")))
extern char __start_shared_memory[], __stop_shared_memory[];

struct alignas(16) float4 { float x, y, z, w; };
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
struct dim3 { unsigned x, y; };
static dim3 threadIdx, blockIdx;

enum { MOST_THREADS = 1024, MOST_COPIES = 64, STACK = 128 << 10, MOST_ACCESSES = 1 << 20 };
struct Access { int32_t thread, step, matrix, bytes; int64_t offset; };
struct Copy { float *to; const float *from; int bytes, group; };
struct Thread {
  ucontext_t context; // for the start; after that there are jumps, which need not ask the system
  jmp_buf place;
  bool begun;
  char *stack;
  Copy copies[MOST_COPIES]; // that have not arrived
  int waiting, groups;      // how many copies, and how many groups were closed
  int barriers, reads;
  bool over;
};

static Thread team[MOST_THREADS];
static ucontext_t outside;
static jmp_buf scheduler;
static int here, block, traced_block, flaws;
static Access accesses[MOST_ACCESSES];
static size_t listed;
enum { MOST_MATRICES = 3 };
static struct { const void *begin; int64_t bytes; } matrices[MOST_MATRICES]; // that may be read
static void (*kernel)();

static void read(const void *from, int bytes) {
  int matrix = MOST_MATRICES - 1;
  auto offset_in = [&](int m) { return (int64_t)from - (int64_t)matrices[m].begin; };
  while (matrix && (uint64_t)offset_in(matrix) >= (uint64_t)matrices[matrix].bytes) matrix--;
  int64_t offset = offset_in(matrix);
  if (offset < 0 || offset + bytes > matrices[matrix].bytes || (intptr_t)from % bytes) flaws++;
  if (block == traced_block && listed < MOST_ACCESSES)
    accesses[listed++] = {here, team[here].reads++, matrix, bytes, offset};
}
template <class T> T __ldg(const T *from) { read(from, sizeof(T)); return *from; }
template <class T> T __ldcg(const T *from) { return *from; }
template <class T> T atomicAdd(T *to, T more) { T before = *to; *to += more; return before; }
inline void __threadfence() {}
inline float __uint_as_float(uint32_t bits) { float value; memcpy(&value, &bits, 4); return value; }
inline uint32_t __float_as_uint(float value) { uint32_t bits; memcpy(&bits, &value, 4); return bits; }

static void pause() {
  if (!_setjmp(team[here].place)) _longjmp(scheduler, 1);
}
static void resume() {
  if (_setjmp(scheduler)) return;
  if (team[here].begun) _longjmp(team[here].place, 1);
  team[here].begun = true;
  swapcontext(&outside, &team[here].context);
}
static void __syncthreads() { team[here].barriers++; pause(); }

template <int BYTES> void fetch(float *to, const float *from, bool inside) {
  Thread &me = team[here];
  if (inside) read(from, BYTES);
  if (me.waiting == MOST_COPIES) abort();
  me.copies[me.waiting++] = {to, inside ? from : nullptr, BYTES, me.groups};
}
static void commit() { team[here].groups++; }
template <int N> void arrived() {
  Thread &me = team[here];
  int still = 0;
  for (int at = 0; at < me.waiting; at++) {
    Copy copy = me.copies[at];
    if (copy.group >= me.groups - N) me.copies[still++] = copy;
    else if (copy.from) memcpy(copy.to, copy.from, copy.bytes);
    else memset(copy.to, 0, copy.bytes);
  }
  me.waiting = still;
}

static void begin() {
  kernel();
  team[here].over = true;
  pause();
}

enum Order { FORWARD, BACKWARD, SHUFFLED };

/* Runs `work` for every thread of every block. */
static void on_a_processor(void (*work)(), dim3 blocks, dim3 threads, int order) {
  kernel = work;
  int size = threads.x * threads.y;
  uint32_t random = 1;
  for (block = 0; block < (int)(blocks.x * blocks.y); block++) {
    blockIdx = {block % blocks.x, block / blocks.x};
    memset(__start_shared_memory, 0xff, __stop_shared_memory - __start_shared_memory);
    for (int t = 0; t < size; t++) {
      Thread &thread = team[t];
      if (!thread.stack) thread.stack = (char *)malloc(STACK);
      getcontext(&thread.context);
      thread.context.uc_stack.ss_sp = thread.stack, thread.context.uc_stack.ss_size = STACK;
      makecontext(&thread.context, begin, 0);
      thread.waiting = thread.groups = thread.barriers = thread.reads = 0, thread.begun = thread.over = false;
    }
    for (int left = size; left > 0;) {
      random = random * 1664525 + 1013904223;
      unsigned first = order == SHUFFLED ? random >> 8 : 0;
      for (int turn = 0; turn < size; turn++) {
        here = order == BACKWARD ? size - 1 - turn : (turn + first) % size;
        if (team[here].over) continue;
        threadIdx = {here % threads.x, here / threads.x};
        resume();
        left -= team[here].over;
      }
    }
    for (int t = 1; t < size; t++) flaws += team[t].barriers != team[0].barriers;
  }
}

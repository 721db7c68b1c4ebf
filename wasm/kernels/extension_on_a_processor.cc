// The kernels of extension.cu on a processor, for ctypes. Every read and write is listed. One outside the memory that
// was given, the zones around it included, is listed and not made.
#include "on_a_processor.h"

static dim3 blockDim, gridDim;

struct Touch { int32_t block, thread, written, index; };
struct Memory { float *at; int32_t low, high; }; // from `at` on, indexes below `low` or from `high` on are not ours
static Touch *touches;
static int64_t most, count;
static Memory given[2];

static bool touch(int written, int index) {
  if (count < most) touches[count] = {(int32_t)blockIdx.x, (int32_t)threadIdx.x, written, index};
  count++;
  return index >= given[written].low && index < given[written].high;
}
struct Watched {
  float operator[](int i) const { return touch(0, i) ? given[0].at[i] : 0; }
};
struct Place {
  int i;
  void operator=(float value) const { if (touch(1, i)) given[1].at[i] = value; }
};
struct Writable {
  Place operator[](int i) const { return {i}; }
};
#define READ Watched
#define WRITE Writable
#include "extension.cu"

static int size;
static void (*const kernels[])() = {[] { scale_shift(size, {}, {}); }, [] { strided(size, {}, {}); }, [] { row_sum(size, {}, {}); }};

/* How many reads and writes there were, or -1 for blocks and threads that CUDA does not launch either. */
extern "C" int64_t launch(int kernel, int blocks, int threads, int n, Memory x, Memory y, Touch *to, int64_t room,
                          int order) {
  if (blocks < 1 || threads < 1 || threads > MOST_THREADS) return -1;
  size = n, given[0] = x, given[1] = y, touches = to, most = room, count = 0;
  gridDim = {(unsigned)blocks, 1}, blockDim = {(unsigned)threads, 1};
  on_a_processor(kernels[kernel], gridDim, blockDim, order);
  return count;
}

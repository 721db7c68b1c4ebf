/* C = A B where C is small and K is long: the sum over K is cut into slices, and each slice is a block's work, a lane. A is
   ROWS x k and B is k x COLUMNS, row by row; ROWS and COLUMNS are 16, 32 or 64, and k a multiple of DEEP. With -DBF16
   operands and C are bfloat16, and every sum is a float. NVRTC compiles it where it runs, and a C++ compiler for the
   tests, which bring what CUDA has built in.

   All is one launch: the lane that ends last adds up what the others left, in the order of the slices, whichever ended
   first. With groups, the last lane of a group adds up the group's, and the last of these lanes the groups' sums. With
   ARRIVAL every lane adds its sum to one and the same place when it is ready, so that the order is that of the clock. */

#ifndef ROWS
#define ROWS 32
#define COLUMNS 32
#endif
#ifdef BF16
typedef unsigned short number;
typedef unsigned long long packed; /* four of them */
#else
typedef float number;
typedef float4 packed;
#endif
#define READ const number *__restrict__
#define KERNEL extern "C" __global__ void

enum { THREADS = 256, DEEP = 32, PAD = 4, ARRIVAL = 0, STAMPS = 7 };
enum { TALL = ROWS / 16, WIDE = COLUMNS / 16, CELLS = ROWS * COLUMNS };
enum { FOURS_A = ROWS * DEEP / 4, FOURS_B = DEEP * COLUMNS / 4 };
enum { MINE_A = (FOURS_A + THREADS - 1) / THREADS, MINE_B = (FOURS_B + THREADS - 1) / THREADS };

#ifdef __CUDACC__
__device__ inline long long where() { unsigned at; asm volatile("mov.u32 %0, %%smid;" : "=r"(at)); return at; }
__device__ inline long long now() { long long at; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(at)); return at; }
__device__ inline long long cycle() { long long at; asm volatile("mov.u64 %0, %%clock64;" : "=l"(at)); return at; }
#endif

__device__ inline float4 four(READ at) {
  packed v = __ldg((const packed *)at);
#ifdef BF16
  return make_float4(__uint_as_float((unsigned)v << 16), __uint_as_float((unsigned)v & 0xffff0000u),
                     __uint_as_float((unsigned)(v >> 32) << 16), __uint_as_float((unsigned)(v >> 32) & 0xffff0000u));
#else
  return v;
#endif
}

/* A number of C: ReLU in passing, and in bfloat16 rounded to the nearest, ties to even. */
__device__ inline void put(number *to, float value, int relu) {
  if (relu && !(value > 0)) value = 0;
#ifdef BF16
  unsigned bits = __float_as_uint(value);
  *to = (number)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
#else
  *to = value;
#endif
}

__device__ inline void add(float4 &sum, float4 more) {
  sum.x += more.x, sum.y += more.y, sum.z += more.z, sum.w += more.w;
}

/* Four cells of partial sums that lie `apart` floats from each other, added up in their order. */
__device__ inline float4 in_order(const float *from, int many, int apart) {
  float4 sum = __ldcg((const float4 *)from);
#pragma unroll 8
  for (int s = 1; s < many; s++)
    add(sum, __ldcg((const float4 *)(from + (size_t)s * apart)));
  return sum;
}

/* Whether this block is the last of so many to ask a counter, which is then 0 again. */
__device__ inline bool last_of(int many, int *counter) {
  __shared__ int last;
  __threadfence(); /* what was written is there before anybody is told */
  __syncthreads();
  if (threadIdx.x == 0) {
    last = atomicAdd(counter, 1) == many - 1;
    if (last) *counter = 0;
  }
  __syncthreads();
  bool found = last;
  __syncthreads();
  __threadfence();
  return found;
}

/* `partial` has CELLS floats for each of gridDim.x slices, `finished` a counter for each group and one more, all 0.
   `group` slices are added up at a time, or ARRIVAL. `trace`, if any, gets STAMPS numbers for each slice: where it ran,
   and the GPU's clock and the multiprocessor's own at the start, when the product was done, and at the end. */
KERNEL __launch_bounds__(THREADS, 2) split_k(int k, int splits, int group, int relu, READ a, READ b, float *partial,
                                          int *finished, number *c, long long *trace) {
  __shared__ __align__(16) float left[DEEP][ROWS + PAD], right[DEEP][COLUMNS];
  int t = threadIdx.x, y = t / 16 * TALL, x = t % 16 * WIDE, slice = blockIdx.x, slabs = k / DEEP;
  int from = (int)((long long)slabs * slice / splits), to = (int)((long long)slabs * (slice + 1) / splits);
  long long *stamps = trace && t == 0 ? trace + slice * STAMPS : 0;
  if (stamps) stamps[0] = where(), stamps[1] = now(), stamps[2] = cycle();

  float4 next_a[MINE_A], next_b[MINE_B];
  auto fetch = [&](int slab) {
#pragma unroll
    for (int e = 0, i = t; e < MINE_A; e++, i += THREADS)
      if (i < FOURS_A) next_a[e] = four(a + (size_t)(i / 8) * k + slab * DEEP + i % 8 * 4);
#pragma unroll
    for (int e = 0, i = t; e < MINE_B; e++, i += THREADS)
      if (i < FOURS_B) next_b[e] = four(b + (size_t)slab * DEEP * COLUMNS + i * 4);
  };

  float sum[TALL][WIDE] = {};
  fetch(from);
  for (int slab = from; slab < to; slab++) {
#pragma unroll
    for (int e = 0, i = t; e < MINE_A; e++, i += THREADS)
      if (i < FOURS_A) {
        int row = i / 8, at = i % 8 * 4;
        left[at][row] = next_a[e].x, left[at + 1][row] = next_a[e].y;
        left[at + 2][row] = next_a[e].z, left[at + 3][row] = next_a[e].w;
      }
#pragma unroll
    for (int e = 0, i = t; e < MINE_B; e++, i += THREADS)
      if (i < FOURS_B) *(float4 *)&right[i * 4 / COLUMNS][i * 4 % COLUMNS] = next_b[e];
    __syncthreads();
    if (slab + 1 < to) fetch(slab + 1); /* arrives while this slab is multiplied */
#pragma unroll
    for (int d = 0; d < DEEP; d++)
#pragma unroll
      for (int i = 0; i < TALL; i++)
#pragma unroll
        for (int j = 0; j < WIDE; j++)
          sum[i][j] += left[d][y + i] * right[d][x + j];
    __syncthreads(); /* nobody may overwrite what another still reads */
  }
  if (stamps) stamps[3] = now(), stamps[4] = cycle();

  if (splits == 1) {
    for (int i = 0; i < TALL; i++)
      for (int j = 0; j < WIDE; j++)
        put(c + (y + i) * COLUMNS + x + j, sum[i][j], relu);
  } else if (group == ARRIVAL) {
    for (int i = 0; i < TALL; i++)
      for (int j = 0; j < WIDE; j++)
        atomicAdd(partial + (y + i) * COLUMNS + x + j, sum[i][j]);
    if (last_of(splits, finished))
      for (int i = t; i < CELLS; i += THREADS)
        put(c + i, __ldcg(partial + i), relu), partial[i] = 0;
  } else {
    float *mine = partial + (size_t)slice * CELLS;
    for (int i = 0; i < TALL; i++)
      for (int j = 0; j < WIDE; j++)
        mine[(y + i) * COLUMNS + x + j] = sum[i][j];
    int first = slice / group * group, many = splits - first < group ? splits - first : group;
    int groups = (splits + group - 1) / group;
    bool last = last_of(many, finished + 1 + slice / group);
    if (last && groups > 1) {
      float *ours = partial + (size_t)first * CELLS;
      for (int i = 4 * t; i < CELLS; i += 4 * THREADS)
        *(float4 *)(ours + i) = in_order(ours + i, many, CELLS);
      last = last_of(groups, finished);
      first = 0, many = groups;
    }
    if (last)
      for (int i = 4 * t; i < CELLS; i += 4 * THREADS) {
        float4 all = in_order(partial + i, many, groups > 1 ? group * CELLS : CELLS);
        put(c + i, all.x, relu), put(c + i + 1, all.y, relu), put(c + i + 2, all.z, relu), put(c + i + 3, all.w, relu);
      }
  }
  if (trace) __syncthreads(); /* the end is that of all threads */
  if (stamps) stamps[5] = now(), stamps[6] = cycle();
}

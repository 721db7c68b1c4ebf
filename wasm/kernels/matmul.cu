/* C = A B for square matrices of floats, stored row by row: one product on a GPU, written six times. Each kernel takes
   any n; threads beyond the edge read zeros and write nothing. NVRTC compiles it where it runs, and a C++ compiler for
   the tests, which bring what CUDA has built in.

   1 naive       a thread for each number of C. The threads of a warp lie along a column: 32 rows of A are read at once
   2 coalesced   the same with rows and columns exchanged: what a warp reads of B lies side by side
   3 shared      a block of threads keeps a tile of A and of B in shared memory and reads each number once
   4 registers   a thread makes 8 x 8 numbers of C: sixteen reads for sixty-four multiply-adds
   5 vectors     four numbers in each read; A is transposed in shared memory, and no two threads want one bank
   6 pipelined   8 x 16 numbers a thread, warps on squares; copies run ahead of the arithmetic by two slabs           */

#define READ const float *__restrict__
#define WRITE float *__restrict__
#define KERNEL extern "C" __global__ void
#ifndef TILE
#define TILE 32 /* side of a tile of `shared`, and of its block of threads */
#endif

/* -- a thread for each number ----------------------------------------------------------------------------------------- */

__device__ inline float dot(int n, READ a, READ b, int i, int j) {
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += __ldg(a + (size_t)i * n + k) * __ldg(b + (size_t)k * n + j);
  return sum;
}

/* Blocks of 32 x 8 threads. */
KERNEL naive(int n, READ a, READ b, WRITE c) {
  int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
  if (i < n && j < n)
    c[(size_t)i * n + j] = dot(n, a, b, i, j);
}

KERNEL coalesced(int n, READ a, READ b, WRITE c) {
  int i = blockIdx.y * 8 + threadIdx.y, j = blockIdx.x * 32 + threadIdx.x;
  if (i < n && j < n)
    c[(size_t)i * n + j] = dot(n, a, b, i, j);
}

__device__ inline float one(int n, READ from, int i, int j) {
  return i < n && j < n ? __ldg(from + (size_t)i * n + j) : 0;
}

/* Blocks of TILE x TILE threads. */
KERNEL shared(int n, READ a, READ b, WRITE c) {
  __shared__ float left[TILE][TILE], right[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * TILE + y, j = blockIdx.x * TILE + x;
  float sum = 0;
  for (int from = 0; from < n; from += TILE) {
    left[y][x] = one(n, a, i, from + x);
    right[y][x] = one(n, b, from + y, j);
    __syncthreads();
    for (int k = 0; k < TILE; k++)
      sum += left[y][k] * right[k][x];
    __syncthreads(); /* nobody may overwrite what another still reads */
  }
  if (i < n && j < n)
    c[(size_t)i * n + j] = sum;
}

/* -- a thread for a tile ---------------------------------------------------------------------------------------------- */

/* 256 threads make SIDE x SIDE numbers, each 8 x 8, from slabs that are DEEP deep. */
enum { SIDE = 128, DEEP = 8, PAD = 4 };

KERNEL __launch_bounds__(256, 2) registers(int n, READ a, READ b, WRITE c) {
  __shared__ float left[SIDE][DEEP], right[DEEP][SIDE];
  int t = threadIdx.x, top = blockIdx.y * SIDE, start = blockIdx.x * SIDE;
  int y = t / 16 * 8, x = t % 16 * 8;
  float sum[8][8] = {};
  for (int from = 0; from < n; from += DEEP) {
    for (int e = t; e < SIDE * DEEP; e += 256) {
      left[e / DEEP][e % DEEP] = one(n, a, top + e / DEEP, from + e % DEEP);
      right[e / SIDE][e % SIDE] = one(n, b, from + e / SIDE, start + e % SIDE);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < DEEP; k++)
#pragma unroll
      for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++)
          sum[i][j] += left[y + i][k] * right[k][x + j];
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 8; j++)
      if (top + y + i < n && start + x + j < n)
        c[(size_t)(top + y + i) * n + start + x + j] = sum[i][j];
}

/* Four numbers of a row: at once where rows begin at multiples of 16 bytes, otherwise one by one. */
__device__ inline float4 four(int n, READ from, int i, int j) {
  if (n % 4 == 0 && i < n && j < n)
    return __ldg((const float4 *)(from + (size_t)i * n + j));
  return make_float4(one(n, from, i, j), one(n, from, i, j + 1), one(n, from, i, j + 2), one(n, from, i, j + 3));
}

__device__ inline void put(int n, WRITE to, int i, int j, float4 v) {
  if (i >= n || j >= n)
    return;
  float *at = to + (size_t)i * n + j;
  if (n % 4 == 0) {
    *(float4 *)at = v;
    return;
  }
  at[0] = v.x;
  if (j + 1 < n) at[1] = v.y;
  if (j + 2 < n) at[2] = v.z;
  if (j + 3 < n) at[3] = v.w;
}

/* `sum` += a number of A times four of B. */
__device__ inline void add(float4 &sum, float left, float4 right) {
  sum.x += left * right.x, sum.y += left * right.y, sum.z += left * right.z, sum.w += left * right.w;
}

KERNEL __launch_bounds__(256, 2) vectors(int n, READ a, READ b, WRITE c) {
  __shared__ __align__(16) float left[DEEP][SIDE + PAD], right[DEEP][SIDE];
  int t = threadIdx.x, top = blockIdx.y * SIDE, start = blockIdx.x * SIDE;
  int y = t / 16 * 4, x = t % 16 * 4; /* and 64 further, so that neighbours read neighbours */
  float4 sum[8][2] = {};
  for (int from = 0; from < n; from += DEEP) {
    int row = t / 2, column = t % 2 * 4;
    float4 v = four(n, a, top + row, from + column);
    left[column][row] = v.x, left[column + 1][row] = v.y, left[column + 2][row] = v.z, left[column + 3][row] = v.w;
    *(float4 *)&right[t / 32][t % 32 * 4] = four(n, b, from + t / 32, start + t % 32 * 4);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < DEEP; k++) {
      __align__(16) float l[8];
      *(float4 *)l = *(float4 *)&left[k][y], *(float4 *)(l + 4) = *(float4 *)&left[k][y + 64];
      float4 r[2] = {*(float4 *)&right[k][x], *(float4 *)&right[k][x + 64]};
#pragma unroll
      for (int i = 0; i < 8; i++)
        add(sum[i][0], l[i], r[0]), add(sum[i][1], l[i], r[1]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 2; j++)
      put(n, c, top + y + i % 4 + i / 4 * 64, start + x + j * 64, sum[i][j]);
}

/* -- copies beside arithmetic ------------------------------------------------------------------------------------------ */

#ifdef __CUDACC__
/* Copies that the thread does not wait for (sm_80 and newer): from global to shared memory, zeros where `inside` is
   false. Those begun between two commits are a group; `arrived<N>` waits until all but the newest N groups are there. */
template <int BYTES> __device__ inline void fetch(float *to, const float *from, bool inside) {
  unsigned at = (unsigned)__cvta_generic_to_shared(to);
  if (BYTES == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(from), "r"(inside ? 16 : 0) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at), "l"(from), "r"(inside ? 4 : 0) : "memory");
}
__device__ inline void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> __device__ inline void arrived() { asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory"); }
#endif

/* Four numbers, of which so many are inside the matrix, in one copy or in four. */
template <int BYTES> __device__ inline void fetch_four(float *to, const float *from, int inside) {
#pragma unroll
  for (int e = 0; e < 4; e += BYTES / 4)
    fetch<BYTES>(to + e, from + e, e < inside);
}

/* 256 threads make HIGH x WIDE numbers; a warp makes 64 x 64, a thread 8 rows of 4 x 4, so that 24 numbers are read
   for 128 multiply-adds. Rows of A are padded: eight of them then begin in different banks. */
enum { HIGH = 128, WIDE = 256, PITCH = DEEP + PAD, STAGES = 3, GROUP = 8 };

template <int BYTES> __device__ inline void pipeline(int n, READ a, READ b, WRITE c) {
  __shared__ __align__(16) float left[STAGES][HIGH][PITCH], right[STAGES][DEEP][WIDE];
  int t = threadIdx.x, warp = t / 32, lane = t % 32;
  int y = warp / 4 * 64 + lane / 4, x = warp % 4 * 64 + lane % 4 * 4;

  /* Blocks that run at the same time lie together, GROUP of them in a column: what they read is shared in the cache. */
  int rows = (n + HIGH - 1) / HIGH, columns = (n + WIDE - 1) / WIDE, block = blockIdx.x;
  int first = block / (GROUP * columns) * GROUP, tall = rows - first < GROUP ? rows - first : GROUP;
  int top = (first + block % (GROUP * columns) % tall) * HIGH, start = block % (GROUP * columns) / tall * WIDE;

  /* What this thread copies: four numbers of A and twice four of B for each slab, and how much is left up to the edge. */
  const float *next_a = a + (size_t)(top + t / 2) * n + t % 2 * 4;
  const float *next_b = b + (size_t)(t / 64) * n + start + t % 64 * 4;
  int more_a = top + t / 2 < n ? n - t % 2 * 4 : 0, more_b = n - t / 64, across = n - start - t % 64 * 4;
  auto begin = [&](int stage) {
    fetch_four<BYTES>(&left[stage][t / 2][t % 2 * 4], next_a, more_a);
    fetch_four<BYTES>(&right[stage][t / 64][t % 64 * 4], next_b, more_b > 0 ? across : 0);
    fetch_four<BYTES>(&right[stage][t / 64 + 4][t % 64 * 4], next_b + 4 * (size_t)n, more_b > 4 ? across : 0);
    commit();
    next_a += DEEP, next_b += DEEP * (size_t)n, more_a -= DEEP, more_b -= DEEP;
  };

  float4 sum[8][4] = {};
  begin(0);
  begin(1);
  for (int from = 0, stage = 0; from < n; from += DEEP, stage = stage + 1 < STAGES ? stage + 1 : 0) {
    arrived<STAGES - 2>();
    __syncthreads(); /* all have this slab, and all are done with the one before, whose place the slab after next takes */
    begin(stage > 0 ? stage - 1 : STAGES - 1);
#pragma unroll
    for (int k = 0; k < DEEP; k += 4) {
      __align__(16) float l[8][4];
#pragma unroll
      for (int i = 0; i < 8; i++)
        *(float4 *)l[i] = *(float4 *)&left[stage][y + 8 * i][k];
#pragma unroll
      for (int e = 0; e < 4; e++) {
        float4 r[4];
#pragma unroll
        for (int j = 0; j < 4; j++)
          r[j] = *(float4 *)&right[stage][k + e][x + 16 * j];
#pragma unroll
        for (int i = 0; i < 8; i++)
#pragma unroll
          for (int j = 0; j < 4; j++)
            add(sum[i][j], l[i][e], r[j]);
      }
    }
  }
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 4; j++)
      put(n, c, top + y + 8 * i, start + x + 16 * j, sum[i][j]);
}

KERNEL __launch_bounds__(256, 1) pipelined(int n, READ a, READ b, WRITE c) { pipeline<16>(n, a, b, c); }

/* The same where rows do not begin at multiples of 16 bytes. */
KERNEL __launch_bounds__(256, 1) pipelined_any(int n, READ a, READ b, WRITE c) { pipeline<4>(n, a, b, c); }

/* -- the peak ---------------------------------------------------------------------------------------------------------- */

/* Multiply-adds that never leave the registers: 16 chains a thread, 16 rounds of each at a time. */
KERNEL __launch_bounds__(256) peak(int rounds, float by, float *to) {
  float x[16];
#pragma unroll
  for (int i = 0; i < 16; i++)
    x[i] = by * (threadIdx.x + i);
  for (int round = 0; round < rounds; round += 16)
#pragma unroll
    for (int step = 0; step < 16; step++)
#pragma unroll
      for (int i = 0; i < 16; i++)
        x[i] = x[i] * by + 0.1234567f;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 16; i++)
    sum += x[i];
  to[blockIdx.x * 256 + threadIdx.x] = sum;
}

/* C = A B on tensor cores, for n x n matrices of bfloat16, stored row by row; sums are float, and C is rounded once. It is
   the kernel `pipelined` of matmul.cu with other arithmetic: the 32 threads of a warp hold a tile of 16 x 16 numbers
   together, a fragment, and multiply two of them in one call. mma.h and cuda_pipeline.h are NVIDIA's, and NVRTC is told
   where they lie; for a processor the tests bring both.

   256 threads make HIGH x WIDE numbers from slabs that are DEEP deep. A warp makes 64 x 64, 4 x 4 fragments of sums: four
   fragments of A and four of B are read for sixteen products. Copies run ahead of the arithmetic by two slabs. */

#ifdef __CUDACC__
#include <cuda_bf16.h>
#include <cuda_pipeline.h>
#include <mma.h>
#endif
using namespace nvcuda;

typedef __nv_bfloat16 number;
#define READ const number *__restrict__
#define WRITE number *__restrict__
#define KERNEL extern "C" __global__ void

enum { HIGH = 128, WIDE = 256, DEEP = 16, STAGES = 3, GROUP = 8, SIDE = 16, EIGHT = 8 };
enum { PITCH_A = DEEP + EIGHT, PITCH_B = WIDE + EIGHT, PITCH_C = SIDE + 4 }; /* rows then begin in different banks */

/* Eight numbers of a row into shared memory, zeros beyond the edge. Where n is a multiple of eight they are 16 bytes that
   the thread does not wait for; otherwise rows begin anywhere, and each number is read by itself. */
template <bool WHOLE> __device__ inline void fetch_eight(number *to, READ from, int n, int i, int j) {
  if (WHOLE) {
    bool inside = i < n && j < n;
    __pipeline_memcpy_async(to, from + (inside ? (size_t)i * n + j : 0), 16, inside ? 0 : 16);
  } else {
#pragma unroll
    for (int e = 0; e < EIGHT; e++)
      to[e] = i < n && j + e < n ? __ldg(from + (size_t)i * n + j + e) : __float2bfloat16(0);
  }
}

template <bool WHOLE> __device__ inline void multiply(int n, READ a, READ b, WRITE c) {
  __shared__ __align__(128) number left[STAGES][HIGH][PITCH_A], right[STAGES][DEEP][PITCH_B];
  int t = threadIdx.x, warp = t / 32, lane = t % 32;
  int y = warp / 4 * 64, x = warp % 4 * 64;

  /* Blocks that run at the same time lie together, as in matmul.cu. */
  int rows = (n + HIGH - 1) / HIGH, columns = (n + WIDE - 1) / WIDE, block = blockIdx.x;
  int first = block / (GROUP * columns) * GROUP, tall = rows - first < GROUP ? rows - first : GROUP;
  int top = (first + block % (GROUP * columns) % tall) * HIGH, start = block % (GROUP * columns) / tall * WIDE;

  auto begin = [&](int stage, int from) {
    fetch_eight<WHOLE>(&left[stage][t / 2][t % 2 * 8], a, n, top + t / 2, from + t % 2 * 8);
    fetch_eight<WHOLE>(&right[stage][t / 32][t % 32 * 8], b, n, from + t / 32, start + t % 32 * 8);
    fetch_eight<WHOLE>(&right[stage][t / 32 + 8][t % 32 * 8], b, n, from + t / 32 + 8, start + t % 32 * 8);
    __pipeline_commit();
  };

  wmma::fragment<wmma::accumulator, SIDE, SIDE, SIDE, float> sum[4][4];
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 4; j++)
      wmma::fill_fragment(sum[i][j], 0.0f);

  begin(0, 0);
  begin(1, DEEP);
  for (int from = 0, stage = 0; from < n; from += DEEP, stage = stage + 1 < STAGES ? stage + 1 : 0) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads(); /* all have this slab, and all are done with the one before, whose place the slab after next takes */
    begin(stage > 0 ? stage - 1 : STAGES - 1, from + 2 * DEEP);
    wmma::fragment<wmma::matrix_a, SIDE, SIDE, SIDE, number, wmma::row_major> l[4];
    wmma::fragment<wmma::matrix_b, SIDE, SIDE, SIDE, number, wmma::row_major> r[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
      wmma::load_matrix_sync(l[i], &left[stage][y + SIDE * i][0], PITCH_A);
#pragma unroll
    for (int j = 0; j < 4; j++)
      wmma::load_matrix_sync(r[j], &right[stage][0][x + SIDE * j], PITCH_B);
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
      for (int j = 0; j < 4; j++)
        wmma::mma_sync(sum[i][j], l[i], r[j], sum[i][j]);
  }

  /* Which thread holds which number of a fragment is not specified: each goes through shared memory, where no slab
     is needed any more, and a thread then rounds and writes eight numbers of a row. */
  __pipeline_wait_prior(0);
  __syncthreads();
  float *mine = (float *)left + warp * SIDE * PITCH_C;
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 4; j++) {
      wmma::store_matrix_sync(mine, sum[i][j], PITCH_C, wmma::mem_row_major);
      __syncwarp();
      int row = top + y + SIDE * i + lane / 2, column = start + x + SIDE * j + lane % 2 * EIGHT;
      __align__(16) number eight[EIGHT];
#pragma unroll
      for (int e = 0; e < EIGHT; e++)
        eight[e] = __float2bfloat16(mine[lane / 2 * PITCH_C + lane % 2 * EIGHT + e]);
      if (WHOLE && row < n && column < n)
        *(float4 *)(c + (size_t)row * n + column) = *(float4 *)eight;
      else if (!WHOLE && row < n)
        for (int e = 0; e < EIGHT && column + e < n; e++)
          c[(size_t)row * n + column + e] = eight[e];
      __syncwarp(); /* the next fragment takes the same place */
    }
}

KERNEL __launch_bounds__(256, 1) tensor_cores(int n, READ a, READ b, WRITE c) { multiply<true>(n, a, b, c); }

/* The same where rows do not begin at multiples of 16 bytes. */
KERNEL __launch_bounds__(256, 1) tensor_cores_any(int n, READ a, READ b, WRITE c) { multiply<false>(n, a, b, c); }

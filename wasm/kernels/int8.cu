/* Products of bytes on an NVIDIA GPU of 2020 or later, summed up in 32 bits, and what bounds them. A matrix of weights is
   stored as layers keep it, a row for each number of the result, so that what is summed up lies side by side; the caller
   fills rows up with zeros to a multiple of 16 bytes. NVRTC compiles this where it runs, and a C++ compiler for the tests.

   by_vector    y = W x of bytes, a warp for each row: __dp4a adds four products to a sum
   by_vector4   the same of codes in four bits, SHARE of which have one scale, unpacked on the way
   multiply     C = A W' on tensor cores, the kernel of matmul_wmma.cu with bytes: fragments of 16 x 16
   reading      reads memory, and that is all
   peak         products on tensor cores whose operands stay where they are                                            */

#ifdef __CUDACC__
#include <cuda_pipeline.h>
#include <mma.h>
#endif
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#include "hopper.h"
#endif
using namespace nvcuda;

typedef signed char number;
#ifndef KERNEL
#define KERNEL extern "C" __global__ void __launch_bounds__(THREADS, 1)
#endif
enum { THREADS = 256, WARP = 32 };

/* -- matrix by vector -------------------------------------------------------------------------------------------------- */

/* Sixteen products, added to the sum. */
__device__ inline int add_sixteen(int sum, int4 w, int4 x) {
  return __dp4a(w.w, x.w, __dp4a(w.z, x.z, __dp4a(w.y, x.y, __dp4a(w.x, x.x, sum))));
}

/* What the threads of a warp have, together. */
template <class T> __device__ inline T total(T mine) {
#pragma unroll
  for (int apart = WARP / 2; apart > 0; apart /= 2)
    mine += __shfl_xor_sync(0xffffffff, mine, apart);
  return mine;
}

/* Rows of so many times sixteen bytes. */
KERNEL by_vector(int rows, int length, const int4 *__restrict__ w, const int4 *__restrict__ x, int *__restrict__ y) {
  int row = blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP, lane = threadIdx.x % WARP, sum = 0;
  if (row >= rows)
    return;
  w += (size_t)row * length;
#pragma unroll 4
  for (int i = lane; i < length; i += WARP)
    sum = add_sixteen(sum, __ldg(w + i), __ldg(x + i));
  sum = total(sum);
  if (lane == 0)
    y[row] = sum;
}

/* A group is SHARE / 2 bytes: the lower halves are its first codes, the upper ones its last, all of them 8 too high. A
   thread takes a QUARTER, sixteen bytes. `x` is as long as all groups of a row. */
enum { SHARE = 128, QUARTERS = SHARE / 2 / 16 };

/* Four codes in the lower halves of a word's bytes, as bytes with a sign: 8 less, without a carry to the next byte. */
__device__ inline int signed_codes(unsigned word) { return ((word & 0x0f0f0f0f) + 0x78787878) ^ 0x80808080; }
__device__ inline int4 first_codes(int4 w) {
  return {signed_codes(w.x), signed_codes(w.y), signed_codes(w.z), signed_codes(w.w)};
}
__device__ inline int4 last_codes(int4 w) {
  return {signed_codes((unsigned)w.x >> 4), signed_codes((unsigned)w.y >> 4), signed_codes((unsigned)w.z >> 4),
          signed_codes((unsigned)w.w >> 4)};
}

KERNEL by_vector4(int rows, int groups, const int4 *__restrict__ w, const float *__restrict__ scales,
                  const int4 *__restrict__ x, float *__restrict__ y) {
  int row = blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP, lane = threadIdx.x % WARP;
  if (row >= rows)
    return;
  w += (size_t)row * groups * QUARTERS, scales += (size_t)row * groups;
  float sum = 0;
#pragma unroll 4
  for (int i = lane; i < groups * QUARTERS; i += WARP) {
    int4 both = __ldg(w + i);
    const int4 *at = x + i / QUARTERS * 2 * QUARTERS + i % QUARTERS;
    int dot = add_sixteen(add_sixteen(0, first_codes(both), __ldg(at)), last_codes(both), __ldg(at + QUARTERS));
    sum += __ldg(scales + i / QUARTERS) * dot;
  }
  sum = total(sum);
  if (lane == 0)
    y[row] = sum;
}

/* -- matrix by matrix -------------------------------------------------------------------------------------------------- */

/* Threads make HIGH x WIDE sums from slabs that are DEEP deep, a warp 64 x 64. A slab lies in SIDE columns at a time: eight
   rows of a fragment are then 128 bytes in one piece, and BESIDE rows keep two neighbouring pieces in different banks. */
enum { HIGH = 128, WIDE = 256, DEEP = 32, STAGES = 3, GROUP = 8, SIDE = 16 };
enum { PARTS = DEEP / SIDE, BESIDE = 4, PITCH = SIDE + 4 };

/* Sixteen bytes of a row into shared memory, which the thread does not wait for; zeros beyond the rim. */
__device__ inline void fetch_sixteen(number *to, const number *from, int rows, int depth, int i, int k) {
  bool inside = i < rows && k < depth;
  __pipeline_memcpy_async(to, from + (inside ? (size_t)i * depth + k : 0), 16, inside ? 0 : 16);
}

KERNEL multiply(int rows, int columns, int depth, const number *__restrict__ a, const number *__restrict__ w,
                int *__restrict__ c) {
  __shared__ __align__(128) number left[STAGES][PARTS][HIGH + BESIDE][SIDE], right[STAGES][PARTS][WIDE + BESIDE][SIDE];
  int t = threadIdx.x, warp = t / WARP, lane = t % WARP;
  int y = warp / 4 * 64, x = warp % 4 * 64;

  /* Blocks that run at the same time lie together, as in matmul.cu. */
  int down = (rows + HIGH - 1) / HIGH, across = (columns + WIDE - 1) / WIDE, block = blockIdx.x;
  int first = block / (GROUP * across) * GROUP, tall = down - first < GROUP ? down - first : GROUP;
  int top = (first + block % (GROUP * across) % tall) * HIGH, start = block % (GROUP * across) / tall * WIDE;

  auto begin = [&](int stage, int from) {
    int i = t / PARTS, part = t % PARTS, k = from + part * SIDE;
    fetch_sixteen(left[stage][part][i], a, rows, depth, top + i, k);
    fetch_sixteen(right[stage][part][i], w, columns, depth, start + i, k);
    fetch_sixteen(right[stage][part][i + WIDE / 2], w, columns, depth, start + i + WIDE / 2, k);
    __pipeline_commit();
  };

  wmma::fragment<wmma::accumulator, SIDE, SIDE, SIDE, int> sum[4][4];
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 4; j++)
      wmma::fill_fragment(sum[i][j], 0);

  begin(0, 0);
  begin(1, DEEP);
  for (int from = 0, stage = 0; from < depth; from += DEEP, stage = stage + 1 < STAGES ? stage + 1 : 0) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads(); /* all have this slab, and all are done with the one before, whose place the next but one takes */
    begin(stage > 0 ? stage - 1 : STAGES - 1, from + 2 * DEEP);
#pragma unroll
    for (int part = 0; part < PARTS; part++) {
      wmma::fragment<wmma::matrix_a, SIDE, SIDE, SIDE, number, wmma::row_major> l[4];
      wmma::fragment<wmma::matrix_b, SIDE, SIDE, SIDE, number, wmma::col_major> r[4];
#pragma unroll
      for (int i = 0; i < 4; i++)
        wmma::load_matrix_sync(l[i], left[stage][part][y + SIDE * i], SIDE);
#pragma unroll
      for (int j = 0; j < 4; j++)
        wmma::load_matrix_sync(r[j], right[stage][part][x + SIDE * j], SIDE);
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
          wmma::mma_sync(sum[i][j], l[i], r[j], sum[i][j]);
    }
  }

  /* Which thread holds which sum of a fragment is not said: each goes through shared memory, where no slab is needed any
     more, and sixteen threads then write sixteen numbers of a row. */
  __pipeline_wait_prior(0);
  __syncthreads();
  int *mine = (int *)left + warp * SIDE * PITCH;
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 4; j++) {
      wmma::store_matrix_sync(mine, sum[i][j], PITCH, wmma::mem_row_major);
      __syncwarp();
#pragma unroll
      for (int e = lane / SIDE; e < SIDE; e += WARP / SIDE) {
        int row = top + y + SIDE * i + e, column = start + x + SIDE * j + lane % SIDE;
        if (row < rows && column < columns)
          c[(size_t)row * columns + column] = mine[e * PITCH + lane % SIDE];
      }
      __syncwarp(); /* the next fragment takes the same place */
    }
}

/* -- the bounds -------------------------------------------------------------------------------------------------------- */

/* So many times sixteen bytes, by all threads of the grid. A compiler does not know that nobody needs what they come to. */
KERNEL reading(int count, const int4 *__restrict__ from, int *__restrict__ to) {
  int sum = 0;
#pragma unroll 8
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < count; i += gridDim.x * THREADS) {
    int4 v = __ldg(from + i);
    sum ^= v.x ^ v.y ^ v.z ^ v.w;
  }
  if (sum == 0x6f6e6365)
    *to = sum;
}

/* Hopper has an instruction for four warps, 64 x 32 bytes by 32 x 256 out of shared memory; a round is eight of them. What
   all others have is for one, 16 x 32 by 32 x 8 in registers; a round is sixteen of them, each with sums of its own. */
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
KERNEL peak(int rounds, int *to) {
  __shared__ __align__(1024) number a[64][128], w[256][128]; /* rows of four times 32 bytes */
  for (int i = threadIdx.x; i < 256 * 128; i += THREADS)
    a[i / 128 % 64][i % 128] = i * 37, w[i / 128][i % 128] = i * 73;
  show_barriers(); /* and what else was written to shared memory */
  __syncthreads();
  int sum[128] = {};
  for (int round = 0; round < rounds; round++) {
    before_products(sum);
#pragma unroll
    for (int product = 0; product < 8; product++)
      add_product(sum, tile(&a[0][product % 4 * 32], 0, 8 * 128), tile(&w[0][product % 4 * 32], 0, 8 * 128));
    wait_for_products(sum);
  }
  int all = 0;
#pragma unroll
  for (int i = 0; i < 128; i++)
    all += sum[i];
  to[blockIdx.x * THREADS + threadIdx.x] = all;
}
#elif defined(__CUDACC__)
KERNEL peak(int rounds, int *to) {
  int t = threadIdx.x * 0x9e3779b1, a[4] = {t, t * 3, t * 5, t * 7}, w[2] = {t * 9, t * 11}, sum[16][4] = {};
  for (int round = 0; round < rounds; round++)
#pragma unroll
    for (int s = 0; s < 16; s++)
      asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                   "{%0, %1, %2, %3};"
                   : "+r"(sum[s][0]), "+r"(sum[s][1]), "+r"(sum[s][2]), "+r"(sum[s][3])
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(w[0]), "r"(w[1]));
  int all = 0;
#pragma unroll
  for (int s = 0; s < 16; s++)
    all += sum[s][0] + sum[s][1] + sum[s][2] + sum[s][3];
  to[blockIdx.x * THREADS + threadIdx.x] = all;
}
#endif

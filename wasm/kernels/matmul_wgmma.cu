/* C = A B on the tensor cores of a Hopper GPU, for n x n matrices of bfloat16, stored row by row, n a multiple of eight; sums
   are float, and C is rounded once. In matmul_wmma.cu each warp loads what it multiplies into its registers, and gets
   little else done. Here no thread touches an operand:

   1. One thread asks the copy engine for boxes of A and B. The engine finds their places, writes them into shared memory and
      counts the bytes on a barrier, STAGES slabs ahead.
   2. Two warpgroups, 128 threads each, have the tensor cores multiply 64 x 16 by 16 x 256 numbers at a time, straight from
      shared memory. Only the sums are in registers, 128 in each thread.
   3. Each slab has two barriers: `full`, when its bytes are there, and `empty`, when all eight warps are done with it.
   4. Blocks stay. When one has made its tile of C it takes the next, whose slabs are on their way by then. */

#ifdef __CUDACC__
#include "hopper.h"
#endif

#ifndef STAGES
#define STAGES 4
#endif

typedef unsigned short number; /* the bits of a bfloat16 */
enum { HIGH = 128, WIDE = 256, DEEP = 64, GROUP = 8, TALL = 64, STEP = 16, LINE = 64, WARPS = 8 };

struct Slab { /* of both, in lines of 128 bytes: 64 numbers of a row */
  number a[HIGH][LINE], b[WIDE / LINE][DEEP][LINE];
};
struct Shared {
  Slab slab[STAGES];
  Barrier full[STAGES], empty[STAGES];
};

extern "C" __global__ void __launch_bounds__(WARPS * 32 + 32, 1)
    warpgroups(int n, const __grid_constant__ Map a, const __grid_constant__ Map b, number *__restrict__ c) {
  Shared &shared = *(Shared *)shared_memory();
  int t = threadIdx.x;
  if (t == 0) {
    for (int stage = 0; stage < STAGES; stage++)
      start_barrier(shared.full[stage], 1), start_barrier(shared.empty[stage], WARPS);
    show_barriers();
  }
  __syncthreads();

  int rows = (n + HIGH - 1) / HIGH, columns = (n + WIDE - 1) / WIDE, step = 0;
  for (int block = blockIdx.x; block < rows * columns; block += gridDim.x) {
    /* Blocks that run at the same time lie together, as in matmul.cu. */
    int first = block / (GROUP * columns) * GROUP, tall = rows - first < GROUP ? rows - first : GROUP;
    int top = (first + block % (GROUP * columns) % tall) * HIGH, start = block % (GROUP * columns) / tall * WIDE;

    if (t == WARPS * 32) { /* the thread that asks */
      for (int from = 0; from < n; from += DEEP, step++) {
        int stage = step % STAGES, phase = step / STAGES % 2;
        Slab &slab = shared.slab[stage];
        wait_for(shared.empty[stage], !phase); /* of the slab before; in the first round nobody has to wait */
        arrive_and_expect(shared.full[stage], sizeof(Slab));
        copy_box(slab.a, a, from, top, shared.full[stage]);
        for (int strip = 0; strip < WIDE / LINE; strip++)
          copy_box(slab.b[strip], b, start + strip * LINE, from, shared.full[stage]);
      }
    } else if (t < WARPS * 32) { /* a warpgroup that multiplies */
      int mine = t / 128 * TALL;
      float sum[TALL * WIDE / 128];
#pragma unroll
      for (int i = 0; i < TALL * WIDE / 128; i++)
        sum[i] = 0;
      for (int from = 0; from < n; from += DEEP, step++) {
        int stage = step % STAGES, phase = step / STAGES % 2;
        Slab &slab = shared.slab[stage];
        wait_for(shared.full[stage], phase);
        before_products(sum);
#pragma unroll
        for (int k = 0; k < DEEP; k += STEP)
          add_product(sum, tile(&slab.a[mine][k], 0, 8 * sizeof(slab.a[0])),
                      tile(&slab.b[0][k], sizeof(slab.b[0]), 8 * sizeof(slab.b[0][0])));
        wait_for_products(sum);
        if (t % 32 == 0)
          arrive(shared.empty[stage]);
      }

      /* A warp has sixteen of the rows: a thread two numbers side by side in every eight, of one row and the eighth below. */
      int row = top + mine + t % 128 / 32 * 16 + t % 32 / 4, column = start + t % 4 * 2;
#pragma unroll
      for (int i = 0; i < TALL * WIDE / 128; i += 2) {
        int down = row + i / 2 % 2 * 8, across = column + i / 4 * 8;
        if (down < n && across < n)
          *(unsigned *)(c + (size_t)down * n + across) = rounded(sum[i], sum[i + 1]);
      }
    }
  }
}

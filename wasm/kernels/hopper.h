/* What matmul_wgmma.cu and int8.cu ask of a Hopper GPU and CUDA C has no words for: instructions of PTX, a function for
   each. For a processor the tests bring the same functions. */
#pragma once

typedef unsigned long long Barrier;                 /* in shared memory: counts arrivals, and bytes that are to arrive */
typedef unsigned long long Tile;                    /* where a tile lies in shared memory, and how */
struct __align__(64) Map { unsigned long long bits[16]; }; /* a matrix, as the driver describes it to the copy engine */

__device__ inline unsigned at(const void *shared) { return (unsigned)__cvta_generic_to_shared(shared); }

/* All of the shared memory that the launch asked for. Rows of 128 bytes are swizzled by their address, so tiles have to
   begin at multiples of 1,024. */
__device__ inline void *shared_memory() {
  extern __shared__ __align__(1024) unsigned char memory[];
  return memory;
}

/* Barriers. Each begins in phase 0, and passes to the next when that many threads have arrived, and the bytes, too. */
__device__ inline void start_barrier(Barrier &barrier, int threads) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(&barrier)), "r"(threads) : "memory");
}
__device__ inline void show_barriers() { /* to the copy engine */
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ inline void arrive(Barrier &barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(&barrier)) : "memory");
}
__device__ inline void arrive_and_expect(Barrier &barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&barrier)), "r"(bytes) : "memory");
}
__device__ inline void wait_for(Barrier &barrier, int phase) { /* until this phase, 0 or 1, is over */
  for (int over = 0; !over;)
    asm volatile("{\n.reg .pred over;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 over, [%1], %2;\n"
                 "selp.b32 %0, 1, 0, over;\n}"
                 : "=r"(over) : "r"(at(&barrier)), "r"(phase) : "memory");
}

/* The copy engine brings a box of a matrix, from this column and row on, with zeros beyond the edge. */
__device__ inline void copy_box(void *to, const Map &from, int column, int row, Barrier &barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
               ::"r"(at(to)), "l"(&from), "r"(column), "r"(row), "r"(at(&barrier)) : "memory");
}

/* A tile whose rows are 128 bytes: bytes from 64 columns to the next 64, and from eight rows to the next eight. */
__device__ inline Tile tile(const void *from, int columns, int rows) {
  return (Tile)(at(from) >> 4) | (Tile)(columns >> 4) << 16 | (Tile)(rows >> 4) << 32 | (Tile)1 << 62; /* 1: swizzled */
}

#define TEN(t) "%" #t "0, %" #t "1, %" #t "2, %" #t "3, %" #t "4, %" #t "5, %" #t "6, %" #t "7, %" #t "8, %" #t "9, "
#define NAMES                                                                                                             \
  "{" TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9) TEN(10) TEN(11)                                \
  "%120, %121, %122, %123, %124, %125, %126, %127}, %128, %129"
#define FOUR(kind, x) "+" kind((x)[0]), "+" kind((x)[1]), "+" kind((x)[2]), "+" kind((x)[3])
#define SIXTEEN(kind, x) FOUR(kind, x), FOUR(kind, (x) + 4), FOUR(kind, (x) + 8), FOUR(kind, (x) + 12)
#define ALL(kind, x)                                                                                                      \
  SIXTEEN(kind, x), SIXTEEN(kind, x + 16), SIXTEEN(kind, x + 32), SIXTEEN(kind, x + 48), SIXTEEN(kind, x + 64),           \
      SIXTEEN(kind, x + 80), SIXTEEN(kind, x + 96), SIXTEEN(kind, x + 112)

/* The 128 threads of a warpgroup hold 64 x 256 sums, 128 each. Tensor cores add to them while the threads go on: none may
   touch a sum between the first product and the wait. Operands lie in shared memory. */
#define WARPGROUP(number, kind, product)                                                                                  \
  __device__ inline void before_products(number(&sum)[128]) {                                                             \
    asm volatile("wgmma.fence.sync.aligned;" : ALL(kind, sum)::"memory");                                                 \
  }                                                                                                                       \
  __device__ inline void add_product(number(&sum)[128], Tile a, Tile b) {                                                 \
    asm volatile("wgmma.mma_async.sync.aligned." product : ALL(kind, sum) : "l"(a), "l"(b));                              \
  }                                                                                                                       \
  __device__ inline void wait_for_products(number(&sum)[128]) {                                                           \
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" : ALL(kind, sum)::"memory");        \
  }
/* 64 x 16 by 16 x 256 of bfloat16, a row's numbers side by side: add to the sums, change no sign, A as it is, B by
   columns. */
WARPGROUP(float, "f", "m64n256k16.f32.bf16.bf16 " NAMES ", 1, 1, 1, 0, 1;")
/* 64 x 32 by 32 x 256 bytes, those of a row of A and of a column of B side by side. */
WARPGROUP(int, "r", "m64n256k32.s32.s8.s8 " NAMES ", 1;")

/* Two numbers of bfloat16, each the nearest. */
__device__ inline unsigned rounded(float first, float second) {
  unsigned both;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(second), "f"(first));
  return both;
}

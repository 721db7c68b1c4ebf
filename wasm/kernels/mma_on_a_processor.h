// What mma.h, cuda_bf16.h and cuda_pipeline.h know, as far as matmul_wmma.cu asks for it. On a GPU it is not specified
// which thread holds which number of a fragment; here a thread keeps eight sums of a row, and of A and B all that these are
// made of, so that none has to ask another. It reads them when the fragment is loaded: a missing barrier shows as it does
// elsewhere.
#pragma once
#include "on_a_processor.h"

struct __nv_bfloat16 { uint16_t bits; };
inline float __bfloat162float(__nv_bfloat16 value) { return __uint_as_float((uint32_t)value.bits << 16); }
inline __nv_bfloat16 __float2bfloat16(float value) { // to the nearest, ties to even
  uint32_t bits = __float_as_uint(value);
  return {(uint16_t)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16)};
}

inline void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros) {
  if (bytes != 16 || (zeros && zeros != bytes)) abort();
  fetch<16>((float *)to, (const float *)from, !zeros);
}
inline void __pipeline_commit() { commit(); }
inline void __pipeline_wait_prior(int groups) { groups == 0 ? arrived<0>() : groups == 1 ? arrived<1>() : arrived<2>(); }
inline void __syncwarp() { pause(); }

namespace nvcuda::wmma {
struct matrix_a; struct matrix_b; struct accumulator; struct row_major;
enum layout_t { mem_row_major };
enum { SIDE = 16, MINE = 8 };
inline int row() { return here % SIDE; }
inline int column() { return here % 32 / SIDE * MINE; }

template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment {
  static_assert(M == SIDE && N == SIDE && K == SIDE);
  float x[SIDE][MINE];
};
using A = fragment<matrix_a, SIDE, SIDE, SIDE, __nv_bfloat16, row_major>;
using B = fragment<matrix_b, SIDE, SIDE, SIDE, __nv_bfloat16, row_major>;
using C = fragment<accumulator, SIDE, SIDE, SIDE, float>;

inline void aligned(const void *at, unsigned pitch, unsigned bytes) { flaws += (intptr_t)at % 32 || pitch * bytes % 16; }
inline void fill_fragment(C &c, float value) {
  for (int j = 0; j < MINE; j++) c.x[0][j] = value;
}
inline void load_matrix_sync(A &a, const __nv_bfloat16 *from, unsigned pitch) {
  aligned(from, pitch, 2);
  for (int k = 0; k < SIDE; k++) a.x[k][0] = __bfloat162float(from[row() * pitch + k]);
}
inline void load_matrix_sync(B &b, const __nv_bfloat16 *from, unsigned pitch) {
  aligned(from, pitch, 2);
  for (int k = 0; k < SIDE; k++)
    for (int j = 0; j < MINE; j++) b.x[k][j] = __bfloat162float(from[k * pitch + column() + j]);
}
inline void mma_sync(C &to, const A &a, const B &b, const C &c) {
  for (int j = 0; j < MINE; j++) {
    float sum = c.x[0][j];
    for (int k = 0; k < SIDE; k++) sum += a.x[k][0] * b.x[k][j];
    to.x[0][j] = sum;
  }
}
inline void store_matrix_sync(float *to, const C &c, unsigned pitch, layout_t) {
  aligned(to, pitch, 4);
  for (int j = 0; j < MINE; j++) to[row() * pitch + column() + j] = c.x[0][j];
}
} // namespace nvcuda::wmma

// What mma.h, cuda_bf16.h and cuda_pipeline.h know, as far as matmul_wmma.cu and int8.cu ask for it. On a GPU it is not
// specified which thread holds which number of a fragment; here a thread keeps eight sums of a row, and of A and B all that
// these are made of, so that none has to ask another. It reads them when the fragment is loaded: a missing barrier shows as
// it does elsewhere.
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

#define APART [[gnu::noinline]] // compiled once for all kernels of a file
namespace nvcuda::wmma {
struct matrix_a; struct matrix_b; struct accumulator; struct row_major; struct col_major;
enum layout_t { mem_row_major };
enum { SIDE = 16, MINE = 8 };
inline int row() { return here % SIDE; }
inline int column() { return here % 32 / SIDE * MINE; }

inline float wide(__nv_bfloat16 value) { return __bfloat162float(value); }
inline int wide(signed char value) { return value; }
inline float wide(float value) { return value; }
inline int wide(int value) { return value; }

template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment {
  static_assert(M == SIDE && N == SIDE && K == SIDE);
  decltype(wide(T{})) x[SIDE][MINE];
};
template <class T> using A = fragment<matrix_a, SIDE, SIDE, SIDE, T, row_major>;
template <class T, class Layout> using B = fragment<matrix_b, SIDE, SIDE, SIDE, T, Layout>;
template <class T> using C = fragment<accumulator, SIDE, SIDE, SIDE, T>;

inline void aligned(const void *at, unsigned pitch, unsigned bytes) { flaws += (intptr_t)at % 32 || pitch * bytes % 16; }
template <class T> void fill_fragment(C<T> &c, T value) {
  for (int j = 0; j < MINE; j++) c.x[0][j] = value;
}
template <class T> APART void load_matrix_sync(A<T> &a, const T *from, unsigned pitch) {
  aligned(from, pitch, sizeof(T));
  for (int k = 0; k < SIDE; k++) a.x[k][0] = wide(from[row() * pitch + k]);
}
template <class T> APART void load_matrix_sync(B<T, row_major> &b, const T *from, unsigned pitch) {
  aligned(from, pitch, sizeof(T));
  for (int k = 0; k < SIDE; k++)
    for (int j = 0; j < MINE; j++) b.x[k][j] = wide(from[k * pitch + column() + j]);
}
template <class T> APART void load_matrix_sync(B<T, col_major> &b, const T *from, unsigned pitch) {
  aligned(from, pitch, sizeof(T));
  for (int k = 0; k < SIDE; k++)
    for (int j = 0; j < MINE; j++) b.x[k][j] = wide(from[(column() + j) * pitch + k]);
}
template <class Sum, class T, class Layout>
APART void mma_sync(C<Sum> &to, const A<T> &a, const B<T, Layout> &b, const C<Sum> &c) {
  for (int j = 0; j < MINE; j++) {
    Sum sum = c.x[0][j];
    for (int k = 0; k < SIDE; k++) sum += a.x[k][0] * b.x[k][j];
    to.x[0][j] = sum;
  }
}
template <class Sum> APART void store_matrix_sync(Sum *to, const C<Sum> &c, unsigned pitch, layout_t) {
  aligned(to, pitch, sizeof(Sum));
  for (int j = 0; j < MINE; j++) to[row() * pitch + column() + j] = c.x[0][j];
}
} // namespace nvcuda::wmma

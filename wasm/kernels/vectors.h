/* As many floats at once as the processor takes, in C that is the same for every processor. */
#pragma once
#include <stddef.h>

/* LANES floats fill a register. A tile of ROWS x WIDE registers leaves room for a row of B and a number of A: 28 of 32
   registers with AVX-512, 12 of 16 with AVX, 24 of 32 with Neon, 9 of the 15 that V8 leaves to WebAssembly, with or
   without SIMD. */
#if defined(__AVX512F__)
enum { LANES = 16, ROWS = 14, WIDE = 2 };
#elif defined(__AVX__)
enum { LANES = 8, ROWS = 6, WIDE = 2 };
#elif defined(__aarch64__)
enum { LANES = 4, ROWS = 8, WIDE = 3 };
#elif defined(__wasm_simd128__)
enum { LANES = 4, ROWS = 3, WIDE = 3 };
#elif defined(__wasm__)
enum { LANES = 1, ROWS = 3, WIDE = 3 };
#else
enum { LANES = 4, ROWS = 4, WIDE = 2 };
#endif
enum { COLUMNS = LANES * WIDE };

typedef float vec __attribute__((vector_size(4 * LANES)));
typedef vec unaligned __attribute__((aligned(4), may_alias));

static inline vec load(const float *at) { return *(const unaligned *)at; }
static inline void store(float *at, vec value) { *(unaligned *)at = value; }
static inline vec all(float value) { return value - (vec){}; } /* + would not do: -0 + 0 is 0 */

/* a * b + c, rounded once where the processor can. */
static inline vec fma(vec a, vec b, vec c) {
#ifdef __wasm_relaxed_simd__
  return __builtin_wasm_relaxed_madd_f32x4(a, b, c);
#else
  return a * b + c;
#endif
}

/* Loops over a tile have to vanish: what is indexed by a variable cannot stay in registers. */
#define UNROLL _Pragma("clang loop unroll(full)")

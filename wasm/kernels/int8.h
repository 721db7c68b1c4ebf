/* Products of bytes by the instructions that this processor has for them, in vectors of as many sums as vectors.h says.

   In one step GROUP numbers, 32 bits in all, meet as many, and their products are added to one sum:
     VNNI        4 bytes at once, those of the left side without a sign: they are moved UP by 128
     AVX2        2 numbers of 16 bits, into which bytes are widened when they are packed: exact
     AVX2, PAIRS 4 bytes as above, but pairs of products are added up in 16 bits first, which saturate: 255 x 127 twice
                 is 64,770, and becomes 32,767
     ARM's dot   4 bytes, all with a sign
     others      1 number of 32 bits                                                                                  */
#pragma once
#include "vectors.h"
#include <stdint.h>

#if defined(__AVX512BW__)
#include <immintrin.h>
#define X86(name) _mm512_##name
typedef __m512i raw;
#elif defined(__AVX2__) && !defined(__AVX512F__)
#include <immintrin.h>
#define X86(name) _mm256_##name
typedef __m256i raw;
#elif defined(__ARM_FEATURE_DOTPROD)
#include <arm_neon.h>
#endif

typedef int32_t ints __attribute__((vector_size(4 * LANES)));
typedef int16_t shorts __attribute__((vector_size(4 * LANES)));
typedef int8_t bytes __attribute__((vector_size(4 * LANES)));
typedef int8_t half __attribute__((vector_size(2 * LANES)));
typedef ints ints_anywhere __attribute__((aligned(4), may_alias));
typedef bytes bytes_anywhere __attribute__((aligned(1), may_alias));
typedef half half_anywhere __attribute__((aligned(1), may_alias));

static inline bytes some_bytes(const void *at) { return *(const bytes_anywhere *)at; }
static inline ints some_ints(const void *at) { return *(const ints_anywhere *)at; }

/* Four products each of numbers without and with a sign, added to each sum. Exact if those without are at most 128. */
static inline ints add_four(ints sum, bytes unsigned_ones, bytes signed_ones) {
#if defined(__AVX512VNNI__)
  return (ints)_mm512_dpbusd_epi32((raw)sum, (raw)unsigned_ones, (raw)signed_ones);
#elif defined(__AVXVNNI__)
  return (ints)_mm256_dpbusd_avx_epi32((raw)sum, (raw)unsigned_ones, (raw)signed_ones);
#elif defined(X86)
  raw pairs = X86(maddubs_epi16)((raw)unsigned_ones, (raw)signed_ones);
  return sum + (ints)X86(madd_epi16)(pairs, X86(set1_epi16)(1));
#elif defined(__ARM_FEATURE_DOTPROD)
  return (ints)vdotq_s32((int32x4_t)sum, (int8x16_t)unsigned_ones, (int8x16_t)signed_ones);
#else
  for (int lane = 0; lane < LANES; lane++)
    for (int n = 0; n < 4; n++)
      sum[lane] += (uint8_t)unsigned_ones[4 * lane + n] * signed_ones[4 * lane + n];
  return sum;
#endif
}

#if defined(__AVX512VNNI__) || defined(__AVXVNNI__)
#define VNNI
#endif

/* What a step of a product takes: see above. */
#if defined(X86) && (defined(VNNI) || defined(PAIRS))
#ifdef PAIRS
enum { GROUP = 4, UP = 128, INSTRUCTION = 4 };
#else
enum { GROUP = 4, UP = 128, INSTRUCTION = 8 };
#endif
typedef int8_t unit;
#elif defined(X86)
enum { GROUP = 2, UP = 0, INSTRUCTION = 2 };
typedef int16_t unit;
#elif defined(__ARM_FEATURE_DOTPROD)
enum { GROUP = 4, UP = 0, INSTRUCTION = 12 };
typedef int8_t unit;
#else
enum { GROUP = 1, UP = 0, INSTRUCTION = 1 };
typedef int32_t unit;
#endif

static inline ints dot(ints sum, ints left, ints right) {
#if defined(X86) && defined(PAIRS)
  raw pairs = X86(maddubs_epi16)((raw)left, (raw)right);
  return sum + (ints)X86(madd_epi16)(pairs, X86(set1_epi16)(1));
#elif defined(X86) && !defined(VNNI)
  return sum + (ints)X86(madd_epi16)((raw)left, (raw)right);
#elif defined(X86) || defined(__ARM_FEATURE_DOTPROD)
  return add_four(sum, (bytes)left, (bytes)right);
#else
  return sum + left * right;
#endif
}

/* What a compiler does not see through stays where it is. */
#if defined(X86)
#define OPAQUE(vector) __asm__ volatile("" : "+v"(vector))
#elif defined(__aarch64__)
#define OPAQUE(vector) __asm__ volatile("" : "+w"(vector))
#else
#define OPAQUE(vector) __asm__ volatile("" : "+m"(vector))
#endif

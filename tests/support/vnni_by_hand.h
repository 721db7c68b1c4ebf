/* VNNI's instruction for bytes in plain C, so that the code around it runs on processors that lack it. */
#pragma once
#include <immintrin.h>

static inline __m256i dpbusd_by_hand(__m256i sums, __m256i without_sign, __m256i with_sign) {
  int sum[8];
  unsigned char left[32];
  signed char right[32];
  _mm256_storeu_si256((__m256i *)sum, sums);
  _mm256_storeu_si256((__m256i *)left, without_sign);
  _mm256_storeu_si256((__m256i *)right, with_sign);
  for (int n = 0; n < 32; n++)
    sum[n / 4] += left[n] * right[n];
  return _mm256_loadu_si256((__m256i *)sum);
}

#define _mm256_dpbusd_avx_epi32 dpbusd_by_hand
#define __AVXVNNI__ 1

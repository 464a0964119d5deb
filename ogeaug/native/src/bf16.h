// Products as in matmul.h with factors rounded to bfloat16 and sums in float32, for processors with
// AVX512-BF16. A 32-bit word holds two neighbours along the axis that is summed over.
#pragma once
#include <cstdint>
#include <vector>

#if defined(__AVX512BF16__)
#include <immintrin.h>

constexpr bool kHasBf16 = true;
constexpr int kBf16Columns = 64;  // channels must be a multiple of this

// out[m, :64] = add[m, :64] + sum_k a[m * row + k * step] . b[k, :64], words a and b of two numbers.
template <int M>
inline void tile_bf16(const uint32_t* a, int64_t row, int64_t step, int64_t depth,
                      const uint32_t* b, const float* add, float* out, int64_t h) {
  __m512 sum[M][4];
  for (int m = 0; m < M; m++)
    for (int v = 0; v < 4; v++)
      sum[m][v] = add ? _mm512_loadu_ps(add + m * h + 16 * v) : _mm512_setzero_ps();
  for (int64_t k = 0; k < depth; k++) {
    __m512bh right[4];
    for (int v = 0; v < 4; v++) right[v] = (__m512bh)_mm512_loadu_si512(b + k * h + 16 * v);
    for (int m = 0; m < M; m++) {
      const __m512bh left = (__m512bh)_mm512_set1_epi32(int32_t(a[m * row + k * step]));
      for (int v = 0; v < 4; v++) sum[m][v] = _mm512_dpbf16_ps(sum[m][v], left, right[v]);
    }
  }
  for (int m = 0; m < M; m++)
    for (int v = 0; v < 4; v++) _mm512_storeu_ps(out + m * h + 16 * v, sum[m][v]);
}

template <int M>
inline void last_tile_bf16(int64_t rows, const uint32_t* a, int64_t row, int64_t step,
                           int64_t depth, const uint32_t* b, const float* add, float* out,
                           int64_t h) {
  if constexpr (M > 0) {
    if (rows == M) return tile_bf16<M>(a, row, step, depth, b, add, out, h);
    last_tile_bf16<M - 1>(rows, a, row, step, depth, b, add, out, h);
  }
}

inline void multiply_bf16(int64_t rows, const uint32_t* a, int64_t row, int64_t step, int64_t depth,
                          const uint32_t* b, const float* add, float* out, int64_t h) {
  for (int64_t c = 0; c < h; c += kBf16Columns) {
    int64_t m = 0;
    for (; m + 6 <= rows; m += 6)
      tile_bf16<6>(a + m * row, row, step, depth, b + c, add ? add + m * h + c : nullptr,
                   out + m * h + c, h);
    last_tile_bf16<5>(rows - m, a + m * row, row, step, depth, b + c,
                      add ? add + m * h + c : nullptr, out + m * h + c, h);
  }
}

// Words of neighbouring columns: x [rows, h] -> [rows, h / 2].
inline void pair_columns(int64_t rows, const float* x, uint32_t* out, int64_t h) {
  for (int64_t i = 0; i < rows * h; i += 32) {
    const __m512bh both = _mm512_cvtne2ps_pbh(_mm512_loadu_ps(x + i + 16), _mm512_loadu_ps(x + i));
    _mm512_storeu_si512(out + i / 2, (__m512i)both);
  }
}

// Words of neighbouring rows: x [rows, h] -> [(rows + 1) / 2, h], zeros below an odd last row.
inline void pair_rows(int64_t rows, const float* x, uint32_t* out, int64_t h) {
  alignas(64) uint16_t interleave[32];
  for (int i = 0; i < 16; i++) interleave[2 * i] = i, interleave[2 * i + 1] = 16 + i;
  const __m512i index = _mm512_load_si512(interleave);
  for (int64_t k = 0; k < rows; k += 2)
    for (int64_t c = 0; c < h; c += 16) {
      const __m512 low = _mm512_loadu_ps(x + k * h + c);
      const __m512 high = k + 1 < rows ? _mm512_loadu_ps(x + (k + 1) * h + c) : _mm512_setzero_ps();
      const __m512bh both = _mm512_cvtne2ps_pbh(high, low);
      _mm512_storeu_si512(out + k / 2 * h + c, _mm512_permutexvar_epi16(index, (__m512i)both));
    }
}
#else
constexpr bool kHasBf16 = false;
#endif

// Numbers of 16 bits: the upper halves of floats. Rows are stored and factors of matrix products are
// rounded to them; all sums are in float32. For processors with AVX512-BF16.
#pragma once
#include <cstdint>
#include <cstring>

struct Bf16 {
  uint16_t bits;
  Bf16() = default;
  explicit Bf16(float x) {  // to the nearest, ties to even
    uint32_t word;
    std::memcpy(&word, &x, sizeof word);
    bits = uint16_t((word + 0x7fff + ((word >> 16) & 1)) >> 16);
  }
  explicit operator float() const {
    const uint32_t word = uint32_t(bits) << 16;
    float x;
    std::memcpy(&x, &word, sizeof x);
    return x;
  }
};

// Two neighbours along the axis that is summed over.
typedef uint32_t __attribute__((may_alias)) Word;

#if defined(__AVX512BF16__)
#include <immintrin.h>

constexpr int kBf16Columns = 64;  // channels must be a multiple of this

inline __m512 load16(const float* p) { return _mm512_loadu_ps(p); }
inline __m512 load16(const Bf16* p) {
  const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
}
inline void store16(float* p, __m512 x) { _mm512_storeu_ps(p, x); }
inline void store16(Bf16* p, __m512 x) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), (__m256i)_mm512_cvtneps_pbh(x));
}
// 32 neighbours as bfloat16.
inline __m512i load32(const float* p) {
  return (__m512i)_mm512_cvtne2ps_pbh(_mm512_loadu_ps(p + 16), _mm512_loadu_ps(p));
}
inline __m512i load32(const Bf16* p) { return _mm512_loadu_si512(p); }

// out[m, :64] = add[m, :64] + sum_k a[m * row + k * step] . b[k, :64].
template <int M, class A, class O>
inline void tile_bf16(const Word* a, int64_t row, int64_t step, int64_t depth, const Word* b,
                      const A* add, O* out, int64_t h) {
  __m512 sum[M][4];
  for (int m = 0; m < M; m++)
    for (int v = 0; v < 4; v++)
      sum[m][v] = add ? load16(add + m * h + 16 * v) : _mm512_setzero_ps();
  for (int64_t k = 0; k < depth; k++) {
    __m512bh right[4];
    for (int v = 0; v < 4; v++) right[v] = (__m512bh)_mm512_loadu_si512(b + k * h + 16 * v);
    for (int m = 0; m < M; m++) {
      const __m512bh left = (__m512bh)_mm512_set1_epi32(int32_t(a[m * row + k * step]));
      for (int v = 0; v < 4; v++) sum[m][v] = _mm512_dpbf16_ps(sum[m][v], left, right[v]);
    }
  }
  for (int m = 0; m < M; m++)
    for (int v = 0; v < 4; v++) store16(out + m * h + 16 * v, sum[m][v]);
}

template <int M, class A, class O>
inline void last_tile_bf16(int64_t rows, const Word* a, int64_t row, int64_t step, int64_t depth,
                           const Word* b, const A* add, O* out, int64_t h) {
  if constexpr (M > 0) {
    if (rows == M) return tile_bf16<M>(a, row, step, depth, b, add, out, h);
    last_tile_bf16<M - 1>(rows, a, row, step, depth, b, add, out, h);
  }
}

template <class A, class O>
inline void multiply_bf16(int64_t rows, const Word* a, int64_t row, int64_t step, int64_t depth,
                          const Word* b, const A* add, O* out, int64_t h) {
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
inline const Word* pair_columns(int64_t, const Bf16* x, Word*, int64_t) {
  return reinterpret_cast<const Word*>(x);
}
inline const Word* pair_columns(int64_t rows, const float* x, Word* out, int64_t h) {
  for (int64_t i = 0; i < rows * h; i += 32) _mm512_storeu_si512(out + i / 2, load32(x + i));
  return out;
}

// Words of neighbouring rows: x [rows, h] -> [(rows + 1) / 2, h], zeros below an odd last row.
template <class X>
inline void pair_rows(int64_t rows, const X* x, Word* out, int64_t h) {
  alignas(64) uint16_t first[32], second[32];
  for (int i = 0; i < 16; i++) {
    first[2 * i] = i, first[2 * i + 1] = 32 + i;
    second[2 * i] = 16 + i, second[2 * i + 1] = 48 + i;
  }
  const __m512i left = _mm512_load_si512(first), right = _mm512_load_si512(second);
  for (int64_t k = 0; k < rows; k += 2)
    for (int64_t c = 0; c < h; c += 32) {
      const __m512i low = load32(x + k * h + c);
      const __m512i high = k + 1 < rows ? load32(x + (k + 1) * h + c) : _mm512_setzero_si512();
      _mm512_storeu_si512(out + k / 2 * h + c, _mm512_permutex2var_epi16(low, left, high));
      _mm512_storeu_si512(out + k / 2 * h + c + 16, _mm512_permutex2var_epi16(low, right, high));
    }
}
#endif

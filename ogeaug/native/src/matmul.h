// Products of tall matrices [rows, h] with small ones [h, h], in tiles of registers.
#pragma once
#include "lanes.h"

// out[m, :] = add[m, :] + sum_k a[m * row + k * step] b[k, :], for M rows m and a run of columns.
// `out` may be `add`; no `add` stands for zeros.
template <class C, int M, class T>
inline void tile(const T* a, int64_t row, int64_t step, int64_t depth, const T* b, const T* add,
                 T* out, int64_t h) {
  C sum[M];
  for (int m = 0; m < M; m++) sum[m] = add ? C::load(add + m * h) : C::all(0);
  for (int64_t k = 0; k < depth; k++) {
    const C right = C::load(b + k * h);
    for (int m = 0; m < M; m++) sum[m] += a[m * row + k * step] * right;
  }
  for (int m = 0; m < M; m++) sum[m].store(out + m * h);
}

template <class C, int M, class T>
inline void last_tile(int64_t rows, const T* a, int64_t row, int64_t step, int64_t depth, const T* b,
                      const T* add, T* out, int64_t h) {
  if constexpr (M > 0) {
    if (rows == M) return tile<C, M>(a, row, step, depth, b, add, out, h);
    last_tile<C, M - 1>(rows, a, row, step, depth, b, add, out, h);
  }
}

// out[m, n] = add[m, n] + sum_k a[m * row + k * step] b[k, n], n < h.
template <class T>
inline void multiply(int64_t rows, const T* a, int64_t row, int64_t step, int64_t depth, const T* b,
                     const T* add, T* out, int64_t h) {
  for_channels<T>(h, [&](auto lanes, int c) {
    using C = decltype(lanes);
    int64_t m = 0;
    for (; m + kRows <= rows; m += kRows)
      tile<C, kRows>(a + m * row, row, step, depth, b + c, add ? add + m * h + c : nullptr,
                     out + m * h + c, h);
    last_tile<C, kRows - 1>(rows - m, a + m * row, row, step, depth, b + c,
                            add ? add + m * h + c : nullptr, out + m * h + c, h);
  });
}

// out = add + x b, with x [rows, h] and b [h, h].
template <class T>
inline void mix(int64_t rows, const T* x, const T* b, const T* add, T* out, int64_t h) {
  multiply(rows, x, h, 1, h, b, add, out, h);
}

// grad += g^T x, with g and x [rows, h]: the gradient of a linear map's matrix.
template <class T>
inline void mix_gradient(int64_t rows, const T* g, const T* x, T* grad, int64_t h) {
  multiply(h, g, 1, h, rows, x, grad, grad, h);
}

template <class T>
inline void transpose(const T* a, T* out, int64_t h) {
  for (int64_t i = 0; i < h; i++)
    for (int64_t j = 0; j < h; j++) out[j * h + i] = a[i * h + j];
}

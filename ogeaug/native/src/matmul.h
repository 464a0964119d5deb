// Products of tall matrices [rows, h] with small ones [h, h], in tiles of registers.
#pragma once
#include <type_traits>
#include <vector>

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

// A matrix [h, h] ready to be multiplied with from the right, by rows stored as S.
template <class T, class S>
struct Matrix {
  int64_t h;
  std::vector<T> plain;
  std::vector<uint32_t> pairs;  // the same in bfloat16, if S is that

  // From the matrix of a linear map, [out, in]: for outputs it is transposed, for gradients not.
  Matrix(const void* from, int64_t h, bool transposed) : h(h), plain(h * h) {
    const T* a = static_cast<const T*>(from);
    for (int64_t i = 0; i < h; i++)
      for (int64_t j = 0; j < h; j++) plain[transposed ? j * h + i : i * h + j] = a[i * h + j];
    if constexpr (std::is_same_v<S, Bf16>) {
      pairs.resize(h * h / 2);
      pair_rows(h, plain.data(), pairs.data(), h);
    }
  }
};

// out = add + x b, with x [rows, h]. Each of x, add and out holds numbers T or S.
template <class T, class S, class X, class A, class O>
inline void mix(int64_t rows, const X* x, const Matrix<T, S>& b, const A* add, O* out) {
  const int64_t h = b.h;
  if constexpr (std::is_same_v<S, Bf16>) {
    thread_local std::vector<uint32_t> words;
    words.resize(rows * h / 2);
    const Word* a = pair_columns(rows, x, words.data(), h);
    multiply_bf16(rows, a, h / 2, 1, h / 2, b.pairs.data(), add, out, h);
  } else {
    multiply(rows, x, h, 1, h, b.plain.data(), add, out, h);
  }
}
template <class T, class S, class X, class O>
inline void mix(int64_t rows, const X* x, const Matrix<T, S>& b, O* out) {
  mix(rows, x, b, static_cast<const O*>(nullptr), out);
}

// grad += g^T x, with g and x [rows, h]: the gradient of a linear map's matrix, for rows stored as S.
template <class S, class T, class G>
inline void mix_gradient(int64_t rows, const G* g, const T* x, T* grad, int64_t h) {
  if constexpr (std::is_same_v<S, Bf16>) {
    thread_local std::vector<uint32_t> left, right;
    const int64_t depth = (rows + 1) / 2;
    left.resize(depth * h);
    right.resize(depth * h);
    pair_rows(rows, g, left.data(), h);
    pair_rows(rows, x, right.data(), h);
    multiply_bf16(h, left.data(), 1, h, depth, right.data(), grad, grad, h);
  } else {
    multiply(h, g, 1, h, rows, x, grad, grad, h);
  }
}

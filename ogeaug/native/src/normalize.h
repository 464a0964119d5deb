// The norm over all rows of a node, channel by channel: n = w r with r = (|w|^2 + eps)^(-1/2).
// Rows are stored as S, T is what is calculated with.
#pragma once
#include "lanes.h"

template <class T, class S>
inline void inverse_norm(int64_t rows, const S* w, T eps, T* r, int64_t h) {
  for_channels<T>(h, [&](auto lanes, int c) {
    using C = decltype(lanes);
    C sum = C::all(eps);
    for (int64_t k = 0; k < rows; k++) {
      const C x = C::load(w + k * h + c);
      sum += x * x;
    }
    sum.inverse_root().store(r + c);
  });
}

template <class T, class S>
inline void scale(int64_t rows, const S* w, const T* r, T* n, int64_t h) {
  for_channels<T>(h, [&](auto lanes, int c) {
    using C = decltype(lanes);
    const C factor = C::load(r + c);
    for (int64_t k = 0; k < rows; k++) (C::load(w + k * h + c) * factor).store(n + k * h + c);
  });
}

// dw = add + r dn - r^3 w sum(w dn); `dw` may be `add`.
template <class T, class S, class A>
inline void normalize_backward(int64_t rows, const S* w, const T* r, const T* dn, const A* add,
                               S* dw, int64_t h) {
  for_channels<T>(h, [&](auto lanes, int c) {
    using C = decltype(lanes);
    C sum = C::all(0);
    for (int64_t k = 0; k < rows; k++) sum += C::load(w + k * h + c) * C::load(dn + k * h + c);
    const C factor = C::load(r + c), pull = factor * factor * factor * sum;
    for (int64_t k = 0; k < rows; k++) {
      const int64_t at = k * h + c;
      (C::load(add + at) + factor * C::load(dn + at) - pull * C::load(w + at)).store(dw + at);
    }
  });
}

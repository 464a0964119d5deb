// The tensors before the first layer: w1 = s v e, w2 = rho^2 s v s v q (see OGEAug.start).
#pragma once
#include "lanes.h"
#include "layout.h"

struct StartArgs {
  const void *v, *s;      // [N1] eigenvectors row by row, [sum K] fading weights
  const void *e, *q;      // [sum K, h], [h]
  void *w1, *w2;          // results
  const void *g1, *g2;    // their gradients
  void *de, *dq;          // gradients of e and q, to be added to
};

template <class T, class S>
void start_forward(const Layout& layout, const StartArgs& a) {
  const int64_t h = layout.channels;
  const T *e = static_cast<const T*>(a.e), *q = static_cast<const T*>(a.q);
  for_nodes<T>(layout, [&](int64_t, const Graph<T>& g, int64_t begin, int64_t end) {
    const T* ours = e + (g.low - layout.low) * h;
    const T* s = static_cast<const T*>(a.s) + (g.low - layout.low);
    for (int64_t i = begin; i < end; i++) {
      const int64_t row1 = g.row1 + i * g.eigs, row2 = g.row2 + i * g.pairs;
      const T* v = static_cast<const T*>(a.v) + row1;
      S *w1 = static_cast<S*>(a.w1) + row1 * h, *w2 = static_cast<S*>(a.w2) + row2 * h;
      for (int64_t k = 0; k < g.eigs; k++) {
        for (int64_t c = 0; c < h; c++) w1[k * h + c] = S(s[k] * v[k] * ours[k * h + c]);
        for (int64_t l = g.low[k]; l < g.high[k]; l++) {
          const int64_t p = g.pair(k, l);
          const T factor = g.rho2[p] * (s[k] * v[k]) * (s[l] * v[l]);
          for (int64_t c = 0; c < h; c++) w2[p * h + c] = S(factor * q[c]);
        }
      }
    }
  });
}

template <class T, class S>
void start_backward(Layout layout, const StartArgs& a) {
  layout.threads = 1;  // memory-bound, and the nodes of a graph share their sums
  const int64_t h = layout.channels;
  T* dq = static_cast<T*>(a.dq);
  for_nodes<T>(layout, [&](int64_t, const Graph<T>& g, int64_t begin, int64_t end) {
    T* de = static_cast<T*>(a.de) + (g.low - layout.low) * h;
    const T* s = static_cast<const T*>(a.s) + (g.low - layout.low);
    for (int64_t i = begin; i < end; i++) {
      const int64_t row1 = g.row1 + i * g.eigs, row2 = g.row2 + i * g.pairs;
      const T* v = static_cast<const T*>(a.v) + row1;
      const S* g1 = static_cast<const S*>(a.g1) + row1 * h;
      const S* g2 = static_cast<const S*>(a.g2) + row2 * h;
      for (int64_t k = 0; k < g.eigs; k++) {
        for (int64_t c = 0; c < h; c++) de[k * h + c] += s[k] * v[k] * T(g1[k * h + c]);
        for (int64_t l = g.low[k]; l < g.high[k]; l++) {
          const int64_t p = g.pair(k, l);
          const T factor = g.rho2[p] * (s[k] * v[k]) * (s[l] * v[l]);
          for (int64_t c = 0; c < h; c++) dq[c] += factor * T(g2[p * h + c]);
        }
      }
    }
  });
}

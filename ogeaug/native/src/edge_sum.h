// What the convolution GINE sums up at each node: x_i + sum over edges j -> i of ReLU(x_j + e_ji).
// One pass over the edges; no message is stored.
#pragma once
#include <algorithm>
#include <cstdint>

#include "lanes.h"

struct EdgeSumArgs {
  int64_t nodes, edges, channels;
  const int64_t *edge;     // [2, E] sources, then targets
  const void *x, *e;       // [N, h], [E, h]
  void *out;               // [N, h] result of the forward pass
  const void *g;           // [N, h] its gradient
  void *dx, *de;           // [N, h], [E, h] gradients of x and e
};

constexpr int64_t kAllInside = -1;

// The first edge with an end that is no node, or kAllInside.
inline int64_t find_outside(const EdgeSumArgs& a) {
  for (int64_t p = 0; p < 2 * a.edges; p++)
    if (a.edge[p] < 0 || a.edge[p] >= a.nodes) return p % a.edges;
  return kAllInside;
}

template <class T>
int64_t edge_sum_forward(const EdgeSumArgs& a) {
  const int64_t h = a.channels, outside = find_outside(a);
  if (outside != kAllInside) return outside;
  const T *x = static_cast<const T*>(a.x), *e = static_cast<const T*>(a.e);
  T* out = static_cast<T*>(a.out);
  std::copy_n(x, a.nodes * h, out);
  for (int64_t p = 0; p < a.edges; p++) {
    const T *from = x + a.edge[p] * h, *bond = e + p * h;
    T* to = out + a.edge[a.edges + p] * h;
    for (int64_t c = 0; c < h; c++) {
      const T message = from[c] + bond[c];
      to[c] += message <= 0 ? T(0) : message;  // NaN goes on
    }
  }
  return kAllInside;
}

template <class T>
int64_t edge_sum_backward(const EdgeSumArgs& a) {
  const int64_t h = a.channels, outside = find_outside(a);
  if (outside != kAllInside) return outside;
  const T *x = static_cast<const T*>(a.x), *e = static_cast<const T*>(a.e);
  const T* g = static_cast<const T*>(a.g);
  T *dx = static_cast<T*>(a.dx), *de = static_cast<T*>(a.de);
  std::copy_n(g, a.nodes * h, dx);
  for (int64_t p = 0; p < a.edges; p++) {
    const int64_t j = a.edge[p] * h;
    const T *bond = e + p * h, *back = g + a.edge[a.edges + p] * h;
    T* mine = de + p * h;
    for (int64_t c = 0; c < h; c++) {
      const T passed = x[j + c] + bond[c] <= 0 ? T(0) : back[c];
      mine[c] = passed;
      dx[j + c] += passed;
    }
  }
  return kAllInside;
}

// The message layer (see ogeaug/tensors/rows/message.py) for W1 and W2.
//
// A linear map commutes with a sum over neighbours, so each node first sums its neighbours' rows
// and then mixes channels once: nothing between nodes is ever stored.
#pragma once
#include "matmul.h"
#include "normalize.h"
#include "layout.h"

struct MessageArgs {
  double eps;
  const void *w1, *w2, *q1, *q2;  // rows; matrices as in nn.Linear
  void *out1, *out2;              // results of the forward pass
  const void *g1, *g2;            // their gradients
  void *d1, *d2, *dq1, *dq2;      // gradients of w1, w2 and of the matrices, to be added to
};

constexpr int kTogether = 4;  // neighbours whose rows are added up in registers: most have no more

// out = sum over neighbours j of weight * rows of j (* factor of j, if there are factors).
template <class T, class S>
inline void gather(const Layout& layout, const S* rows, const T* factor, int64_t node, int64_t first,
                   int64_t count, T* out) {
  const int64_t h = layout.channels, begin = layout.start[node], end = layout.start[node + 1];
  const T* weight = static_cast<const T*>(layout.weight);
  for_channels<T>(h, [&](auto lanes, int c) {
    using C = decltype(lanes);
    for (int64_t e = begin; e < end; e += kTogether) {
      const int some = int(std::min<int64_t>(kTogether, end - e));
      C x[kTogether];
      const S* from[kTogether];
      for (int i = 0; i < some; i++) {
        const int64_t j = layout.neighbour[e + i] - first;  // both ends lie in one graph
        from[i] = rows + j * count * h + c;
        x[i] = (weight ? weight[e + i] : T(1)) *
               (factor ? C::load(factor + j * h + c) : C::all(1));
      }
      for (int64_t k = 0; k < count; k++) {
        C sum = x[0] * C::load(from[0] + k * h);
        if (some > 1) sum += x[1] * C::load(from[1] + k * h);
        if (some > 2) sum += x[2] * C::load(from[2] + k * h);
        if (some > 3) sum += x[3] * C::load(from[3] + k * h);
        if (e > begin) sum += C::load(out + k * h + c);
        sum.store(out + k * h + c);
      }
    }
  });
}

template <class T, class S>
void message_forward(const Layout& layout, const MessageArgs& a) {
  const int64_t h = layout.channels;
  const Matrix<T, S> q1(a.q1, h, true), q2(a.q2, h, true);
  for_nodes<T>(layout, [&](int64_t, const Graph<T>& g, int64_t begin, int64_t end) {
    std::vector<T> norm1(g.nodes * h), norm2(g.nodes * h), sum(std::max(g.eigs, g.pairs) * h);
    const S* w1 = static_cast<const S*>(a.w1) + g.row1 * h;
    const S* w2 = static_cast<const S*>(a.w2) + g.row2 * h;
    S* out1 = static_cast<S*>(a.out1) + g.row1 * h;
    S* out2 = static_cast<S*>(a.out2) + g.row2 * h;
    for (int64_t i = 0; i < g.nodes; i++) {
      inverse_norm<T>(g.eigs, w1 + i * g.eigs * h, a.eps, norm1.data() + i * h, h);
      inverse_norm<T>(g.pairs, w2 + i * g.pairs * h, a.eps, norm2.data() + i * h, h);
    }
    for (int64_t i = begin; i < end; i++) {
      const int64_t node = g.node + i, at1 = i * g.eigs * h, at2 = i * g.pairs * h;
      if (layout.start[node] == layout.start[node + 1]) {
        std::copy_n(w1 + at1, g.eigs * h, out1 + at1);
        std::copy_n(w2 + at2, g.pairs * h, out2 + at2);
        continue;
      }
      gather(layout, w1, norm1.data(), node, g.node, g.eigs, sum.data());
      mix(g.eigs, sum.data(), q1, w1 + at1, out1 + at1);
      gather(layout, w2, norm2.data(), node, g.node, g.pairs, sum.data());
      mix(g.pairs, sum.data(), q2, w2 + at2, out2 + at2);
    }
  });
}

// The graph is undirected: what a node sends to its neighbours comes back by the same edges.
template <class T, class S>
void message_backward(const Layout& layout, const MessageArgs& a) {
  const int64_t h = layout.channels, threads = std::max<int64_t>(1, layout.threads);
  const Matrix<T, S> q1(a.q1, h, false), q2(a.q2, h, false);
  std::vector<std::vector<T>> sums(threads);
  auto order = [&](const S* w, const S* g, const Matrix<T, S>& q, S* d, T* dq, int64_t node, int64_t i,
                   int64_t first, int64_t count, T* norm, T* back, T* x) {
    const int64_t at = i * count * h;
    if (layout.start[node] == layout.start[node + 1]) {
      std::copy_n(g + at, count * h, d + at);
      return;
    }
    gather<T>(layout, g, nullptr, node, first, count, back);
    inverse_norm<T>(count, w + at, a.eps, norm, h);
    scale(count, w + at, norm, x, h);
    mix_gradient<S>(count, back, x, dq, h);
    mix(count, back, q, x);
    normalize_backward(count, w + at, norm, x, g + at, d + at, h);
  };
  for_nodes<T>(layout, [&](int64_t thread, const Graph<T>& g, int64_t begin, int64_t end) {
    auto& mine = sums[thread];
    if (mine.empty()) mine.resize(2 * h * h);
    const int64_t most = std::max(g.eigs, g.pairs) * h;
    std::vector<T> work(h + 2 * most);
    T *norm = work.data(), *back = norm + h, *x = back + most;
    auto in = [&](const void* p, int64_t row) { return static_cast<const S*>(p) + row * h; };
    auto out = [&](void* p, int64_t row) { return static_cast<S*>(p) + row * h; };
    for (int64_t i = begin; i < end; i++) {
      order(in(a.w1, g.row1), in(a.g1, g.row1), q1, out(a.d1, g.row1), mine.data(),
            g.node + i, i, g.node, g.eigs, norm, back, x);
      order(in(a.w2, g.row2), in(a.g2, g.row2), q2, out(a.d2, g.row2),
            mine.data() + h * h, g.node + i, i, g.node, g.pairs, norm, back, x);
    }
  });
  for (const auto& mine : sums)
    for (int64_t j = 0; j < int64_t(mine.size()); j++)
      static_cast<T*>(j < h * h ? a.dq1 : a.dq2)[j % (h * h)] += mine[j];
}

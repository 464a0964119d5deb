// A network at each root i on all nodes j of its graph (see ogeaug/tensors/roots/network.py):
//   U = ReLU(a normalize(V W1_i) + b_0), then U = ReLU(a normalize((U + A U) Q_l) + b_l), l = 1 ... L,
// read after each by the sum over j and by what stands at j = i. Nothing but what is read leaves the
// caches: the backward pass computes a root's tensors [n, h] again.
#pragma once
#include "layout.h"
#include "matmul.h"
#include "normalize.h"

struct RootArgs {
  int64_t layers;            // L
  double eps, scale;         // of normalize, and a
  const void *v, *s, *e;     // [N1] eigenvectors row by row, [sum K] fading weights, [sum K, h]
  const void *q, *b;         // [L, h, h] matrices as in nn.Linear, [L + 1, h]
  void *out;                 // [N, L + 1, 2, h]: sums and what stands at the root
  const void *g;             // its gradient
  void *de, *dq, *db;        // gradients of e, q and b, to be added to
};

// The tensors [n, h] of one root: before and after each ReLU, and what each matrix is multiplied with.
template <class T>
struct RootTensors {
  int64_t n, h;
  std::vector<T> start, before, after, met, norm;

  RootTensors(int64_t n, int64_t eigs, int64_t h, int64_t layers)
      : n(n), h(h), start(eigs * h), before((layers + 1) * n * h), after((layers + 1) * n * h),
        met(layers * n * h), norm((layers + 1) * h) {}

  T* before_at(int64_t l) { return before.data() + l * n * h; }
  T* after_at(int64_t l) { return after.data() + l * n * h; }
  T* met_at(int64_t l) { return met.data() + (l - 1) * n * h; }
  T* norm_at(int64_t l) { return norm.data() + l * h; }
};

// out = add + A rows, for the n nodes of a graph that begins at node `first`.
template <class T>
inline void add_neighbours(const Layout& layout, int64_t first, int64_t n, const T* rows, const T* add,
                           T* out) {
  const int64_t h = layout.channels;
  const T* weight = static_cast<const T*>(layout.weight);
  for_channels<T>(h, [&](auto lanes, int c) {
    using C = decltype(lanes);
    for (int64_t j = 0; j < n; j++) {
      C sum = C::load(add + j * h + c);
      for (int64_t e = layout.start[first + j]; e < layout.start[first + j + 1]; e++) {
        const C row = C::load(rows + (layout.neighbour[e] - first) * h + c);
        if (weight) sum += weight[e] * row;
        else sum += row;
      }
      sum.store(out + j * h + c);
    }
  });
}

template <class T>
inline void activate(int64_t n, const T* before, const T* norm, const T* b, T scale, T* after, int64_t h) {
  for (int64_t j = 0; j < n; j++)
    for (int64_t c = 0; c < h; c++) {
      const T x = scale * before[j * h + c] * norm[c] + b[c];
      after[j * h + c] = x <= 0 ? T(0) : x;  // NaN goes on
    }
}

// All tensors of root i.
template <class T>
void run_root(const Layout& layout, const RootArgs& a, const Graph<T>& g,
              const std::vector<Matrix<T, T>>& q, int64_t i, RootTensors<T>& t) {
  const int64_t h = layout.channels, n = g.nodes, eig = g.low - layout.low;
  const T *v = static_cast<const T*>(a.v) + g.row1, *s = static_cast<const T*>(a.s) + eig;
  const T *e = static_cast<const T*>(a.e) + eig * h, *b = static_cast<const T*>(a.b);
  for (int64_t k = 0; k < g.eigs; k++) {
    const T factor = s[k] * s[k] * v[i * g.eigs + k];
    for (int64_t c = 0; c < h; c++) t.start[k * h + c] = factor * e[k * h + c];
  }
  multiply<T>(n, v, g.eigs, 1, g.eigs, t.start.data(), nullptr, t.before_at(0), h);
  for (int64_t l = 0; l <= a.layers; l++) {
    if (l > 0) {
      add_neighbours(layout, g.node, n, t.after_at(l - 1), t.after_at(l - 1), t.met_at(l));
      mix(n, t.met_at(l), q[l - 1], t.before_at(l));
    }
    inverse_norm<T>(n, t.before_at(l), T(a.eps), t.norm_at(l), h);
    activate(n, t.before_at(l), t.norm_at(l), b + l * h, T(a.scale), t.after_at(l), h);
  }
}

template <class T>
std::vector<Matrix<T, T>> root_matrices(const RootArgs& a, int64_t h, bool transposed) {
  std::vector<Matrix<T, T>> found;
  for (int64_t l = 0; l < a.layers; l++)
    found.emplace_back(static_cast<const T*>(a.q) + l * h * h, h, transposed);
  return found;
}

template <class T>
void root_forward(const Layout& layout, const RootArgs& a) {
  const int64_t h = layout.channels;
  const auto q = root_matrices<T>(a, h, true);
  for_nodes<T>(layout, [&](int64_t, const Graph<T>& g, int64_t begin, int64_t end) {
    RootTensors<T> t(g.nodes, g.eigs, h, a.layers);
    for (int64_t i = begin; i < end; i++) {
      run_root(layout, a, g, q, i, t);
      T* out = static_cast<T*>(a.out) + (g.node + i) * (a.layers + 1) * 2 * h;
      for (int64_t l = 0; l <= a.layers; l++, out += 2 * h) {
        const T* after = t.after_at(l);
        std::fill_n(out, h, T(0));
        for (int64_t j = 0; j < g.nodes; j++)
          for (int64_t c = 0; c < h; c++) out[c] += after[j * h + c];
        std::copy_n(after + i * h, h, out + h);
      }
    }
  });
}

// The graph is undirected, so that A is its own transpose.
template <class T>
void root_backward(const Layout& layout, const RootArgs& a) {
  const int64_t h = layout.channels, threads = std::max<int64_t>(1, layout.threads);
  const int64_t sizes[] = {layout.eigs * h, a.layers * h * h, (a.layers + 1) * h};
  const auto q = root_matrices<T>(a, h, true), back = root_matrices<T>(a, h, false);
  std::vector<std::vector<T>> sums(threads);  // of each thread: de, dq, db
  for_nodes<T>(layout, [&](int64_t thread, const Graph<T>& g, int64_t begin, int64_t end) {
    auto& mine = sums[thread];
    if (mine.empty()) mine.resize(sizes[0] + sizes[1] + sizes[2]);
    const int64_t n = g.nodes, eig = g.low - layout.low;
    T *de = mine.data() + eig * h, *dq = mine.data() + sizes[0], *db = dq + sizes[1];
    const T *v = static_cast<const T*>(a.v) + g.row1, *s = static_cast<const T*>(a.s) + eig;
    RootTensors<T> t(n, g.eigs, h, a.layers);
    std::vector<T> one(n * h), two(std::max(n, g.eigs) * h);
    for (int64_t i = begin; i < end; i++) {
      run_root(layout, a, g, q, i, t);
      std::fill(one.begin(), one.end(), T(0));
      for (int64_t l = a.layers; l >= 0; l--) {
        const T* read = static_cast<const T*>(a.g) + ((g.node + i) * (a.layers + 1) + l) * 2 * h;
        const T* after = t.after_at(l);
        for (int64_t c = 0; c < h; c++) one[i * h + c] += read[h + c];
        for (int64_t j = 0; j < n; j++)
          for (int64_t c = 0; c < h; c++) {
            const T passed = after[j * h + c] <= 0 ? T(0) : one[j * h + c] + read[c];
            db[l * h + c] += passed;
            one[j * h + c] = T(a.scale) * passed;
          }
        std::fill(two.begin(), two.begin() + n * h, T(0));
        normalize_backward(n, t.before_at(l), t.norm_at(l), one.data(), two.data(), two.data(), h);
        if (l == 0) break;
        mix_gradient<T>(n, two.data(), t.met_at(l), dq + (l - 1) * h * h, h);
        mix(n, two.data(), back[l - 1], t.after_at(l));  // which is not needed any more
        add_neighbours(layout, g.node, n, t.after_at(l), t.after_at(l), one.data());
      }
      multiply<T>(g.eigs, v, 1, g.eigs, n, two.data(), nullptr, t.start.data(), h);
      for (int64_t k = 0; k < g.eigs; k++) {
        const T factor = s[k] * s[k] * v[i * g.eigs + k];
        for (int64_t c = 0; c < h; c++) de[k * h + c] += factor * t.start[k * h + c];
      }
    }
  });
  for (const auto& mine : sums) {
    const T* from = mine.data();
    if (mine.empty()) continue;
    for (int part = 0; part < 3; part++) {
      T* to = static_cast<T*>(part == 0 ? a.de : part == 1 ? a.dq : a.db);
      for (int64_t j = 0; j < sizes[part]; j++) to[j] += *from++;
    }
  }
}

// The product layer (see ogeaug/tensors/rows/product.py) without its order-0 parts, which are small.
#pragma once
#include "matmul.h"
#include "normalize.h"
#include "layout.h"

// The learned scalars, and where their gradients go.
template <class T>
struct Scalars {
  T c01, c02, c10, c12, c20, c11, c22;
};

struct ProductArgs {
  double eps;
  int64_t final;                       // update nothing but W0
  int64_t in_order;                    // the sums of W2 read the new W1
  const void *scalars;                 // Scalars<T>
  const void *w1, *w2, *t0;            // [N1, h], [N2, h], [N, h]
  const void *q1, *q2, *r1, *r2;       // [h, h] as in nn.Linear: out, in
  void *t1, *t2;                       // tilde copies; null to compute them again when needed
  void *sum0, *out1, *out2;            // results of the forward pass
  const void *g0, *g1, *g2;            // gradients of sum0, out1, out2
  void *d1, *d2, *dt0;                 // gradients of w1, w2, t0
  void *dq1, *dq2, *dr1, *dr2;         // gradients of the matrices, to be added to
  void *dscalars;                      // [7]
};

// sum_k a[k] b[k] over the rows of a node.
template <class C, class S>
inline C dot_rows(int64_t rows, const S* a, const S* b, int64_t h) {
  C sum = C::all(0);
  for (int64_t k = 0; k < rows; k++) sum += C::load(a + k * h) * C::load(b + k * h);
  return sum;
}

// sum_l w1[l] t2[k, l] over the window of k.
template <class C, class T, class S>
inline C act(const Graph<T>& g, int64_t k, const S* t2, const S* w1, int64_t h) {
  C sum = C::all(0);
  for (int64_t l = g.low[k]; l < g.high[k]; l++)
    sum += C::load(w1 + l * h) * C::load(t2 + g.pair(k, l) * h);
  return sum;
}

// sum_m a[k, m] b[m, l] over the m that both k and l see.
template <class C, class T, class S>
inline C matmul_at(const Graph<T>& g, int64_t k, int64_t l, const S* a, const S* b, int64_t h) {
  const int64_t end = std::min(g.high[k], g.high[l]);
  C sum = C::all(0);
  for (int64_t m = std::max(g.low[k], g.low[l]); m < end; m++)
    sum += C::load(a + g.pair(k, m) * h) * C::load(b + g.pair(m, l) * h);
  return sum;
}

// The sums in brackets, for one node and a run of channels.
template <class C, class T, class S>
inline void product_sums1(const Graph<T>& g, const Scalars<T>& s, const S* w1, const S* t2,
                          const T* t0, T* sum1, int64_t h) {
  const C t = C::load(t0);
  for (int64_t k = 0; k < g.eigs; k++)
    (s.c10 * C::load(w1 + k * h) * t + s.c12 * act<C>(g, k, t2, w1, h)).store(sum1 + k * h);
}

template <class C, class T, class S>
inline void product_sums2(const Graph<T>& g, const Scalars<T>& s, const S* left, const S* t1,
                          const S* w2, const S* t2, const T* t0, T* sum2, int64_t h) {
  const C t = C::load(t0);
  for (int64_t k = 0; k < g.eigs; k++) {
    const C w = C::load(left + k * h);
    for (int64_t l = g.low[k]; l < g.high[k]; l++) {
      const int64_t p = g.pair(k, l);
      const C inner = s.c11 * w * C::load(t1 + l * h) + s.c22 * matmul_at<C>(g, k, l, w2, t2, h);
      (s.c20 * C::load(w2 + p * h) * t + g.rho2[p] * inner).store(sum2 + p * h);
    }
  }
}

template <class T, class S>
void product_forward(const Layout& layout, const ProductArgs& a) {
  const int64_t h = layout.channels;
  const auto s = *static_cast<const Scalars<T>*>(a.scalars);
  const bool final = a.final;
  const Matrix<T, S> q1(a.q1, h, true), q2(a.q2, h, true);
  const Matrix<T, S> r1(final ? a.q1 : a.r1, h, true), r2(final ? a.q2 : a.r2, h, true);
  for_nodes<T>(layout, [&](int64_t, const Graph<T>& g, int64_t begin, int64_t end) {
    std::vector<T> norm(h), x1(g.eigs * h), x2(g.pairs * h);
    std::vector<S> own1(a.t1 ? 0 : g.eigs * h), own2(a.t2 ? 0 : g.pairs * h);
    for (int64_t i = begin; i < end; i++) {
      const int64_t at0 = (g.node + i) * h;
      const int64_t at1 = (g.row1 + i * g.eigs) * h, at2 = (g.row2 + i * g.pairs) * h;
      const S *w1 = static_cast<const S*>(a.w1) + at1, *w2 = static_cast<const S*>(a.w2) + at2;
      const T* t0 = static_cast<const T*>(a.t0) + at0;
      S* t1 = a.t1 ? static_cast<S*>(a.t1) + at1 : own1.data();
      S* t2 = a.t2 ? static_cast<S*>(a.t2) + at2 : own2.data();
      T* sum0 = static_cast<T*>(a.sum0) + at0;
      inverse_norm<T>(g.eigs, w1, a.eps, norm.data(), h);
      scale(g.eigs, w1, norm.data(), x1.data(), h);
      mix(g.eigs, x1.data(), q1, t1);
      inverse_norm<T>(g.pairs, w2, a.eps, norm.data(), h);
      scale(g.pairs, w2, norm.data(), x2.data(), h);
      mix(g.pairs, x2.data(), q2, t2);
      for_channels<T>(h, [&](auto lanes, int c) {
        using C = decltype(lanes);
        (s.c01 * dot_rows<C>(g.eigs, w1 + c, t1 + c, h) +
         s.c02 * dot_rows<C>(g.pairs, w2 + c, t2 + c, h)).store(sum0 + c);
        if (final) return;
        product_sums1<C>(g, s, w1 + c, t2 + c, t0 + c, x1.data() + c, h);
        if (!a.in_order)
          product_sums2<C>(g, s, w1 + c, t1 + c, w2 + c, t2 + c, t0 + c, x2.data() + c, h);
      });
      if (final) continue;
      S* out1 = static_cast<S*>(a.out1) + at1;
      mix(g.eigs, x1.data(), r1, w1, out1);
      if (a.in_order)
        for_channels<T>(h, [&](auto lanes, int c) {
          product_sums2<decltype(lanes)>(g, s, out1 + c, t1 + c, w2 + c, t2 + c, t0 + c,
                                         x2.data() + c, h);
        });
      mix(g.pairs, x2.data(), r2, w2, static_cast<S*>(a.out2) + at2);
    }
  });
}

// Where the gradients of one node are gathered.
template <class T, class S>
struct ProductNode {
  const S *w1, *t1, *w2, *t2, *g1, *g2;            // values; gradients of the results
  const S* left;                                   // the W1 that the sums of W2 read
  const T *t0, *g0;
  const T *ds1, *ds2, *masked;                     // gradients of the sums; rho2 ds2
  T *sum1, *sum2;                                  // the sums again
  T *d1, *d2, *dt1, *dt2, *dt0;                    // gradients
  T* whole1;                                       // of the new W1, by way of W2 too
  T* dscalars;                                     // [7, h]
};

// Gradients through `sum0` alone: all there is in the last layer.
template <class C, class T, class S>
inline void final_gradients(const Graph<T>& g, const Scalars<T>& s, const ProductNode<T, S>& n,
                            int c, int64_t h) {
  const C g0 = C::load(n.g0 + c), g01 = s.c01 * g0, g02 = s.c02 * g0;
  for (int64_t k = 0; k < g.eigs; k++) {
    (g01 * C::load(n.t1 + k * h + c)).store(n.d1 + k * h + c);
    (g01 * C::load(n.w1 + k * h + c)).store(n.dt1 + k * h + c);
  }
  for (int64_t p = 0; p < g.pairs; p++) {
    (g02 * C::load(n.t2 + p * h + c)).store(n.d2 + p * h + c);
    (g02 * C::load(n.w2 + p * h + c)).store(n.dt2 + p * h + c);
  }
}

template <class C, class T>
inline void add_to(T* p, const C& x) {
  (C::load(p) + x).store(p);
}

template <class C, class T, class S>
inline void scalar_gradients0(const Graph<T>& g, const ProductNode<T, S>& n, int c, int64_t h) {
  const C g0 = C::load(n.g0 + c);
  add_to(n.dscalars + 0 * h + c, g0 * dot_rows<C>(g.eigs, n.w1 + c, n.t1 + c, h));
  add_to(n.dscalars + 1 * h + c, g0 * dot_rows<C>(g.pairs, n.w2 + c, n.t2 + c, h));
}

// Gradients of the eigenpairs' rows, and the order-1 sums.
template <class C, class T, class S>
inline void gradients1(const Graph<T>& g, const Scalars<T>& s, const ProductNode<T, S>& n, int c,
                       int64_t h) {
  const C g01 = s.c01 * C::load(n.g0 + c), t = C::load(n.t0 + c);
  const S *w1 = n.w1 + c, *t1 = n.t1 + c, *t2 = n.t2 + c;
  const T *ds1 = n.ds1 + c, *masked = n.masked + c;
  C sum_dw = C::all(0), sum_da = C::all(0);
  for (int64_t k = 0; k < g.eigs; k++) {
    const C w = C::load(w1 + k * h), ds = C::load(ds1 + k * h);
    C act_k = C::all(0), through_t2 = C::all(0), through_t1 = C::all(0), through_w1 = C::all(0);
    for (int64_t l = g.low[k]; l < g.high[k]; l++) {
      const int64_t kl = g.pair(k, l) * h, lk = g.pair(l, k) * h;
      const C wl = C::load(w1 + l * h);
      act_k += wl * C::load(t2 + kl);
      through_t2 += C::load(ds1 + l * h) * C::load(t2 + lk);
      through_t1 += C::load(masked + kl) * C::load(t1 + l * h);
      through_w1 += C::load(masked + lk) * C::load(n.left + l * h + c);
    }
    (s.c10 * w * t + s.c12 * act_k).store(n.sum1 + k * h + c);
    (C::load(n.g1 + k * h + c) + s.c10 * ds * t + g01 * C::load(t1 + k * h) + s.c12 * through_t2 +
     s.c11 * through_t1).store(n.d1 + k * h + c);
    (g01 * w + s.c11 * through_w1).store(n.dt1 + k * h + c);
    sum_dw += ds * w;
    sum_da += ds * act_k;
  }
  (s.c10 * sum_dw).store(n.dt0 + c);
  add_to(n.dscalars + 2 * h + c, sum_dw * t);
  add_to(n.dscalars + 3 * h + c, sum_da);
}

// The gradient of the new W1, if the sums of W2 read it.
template <class C, class T, class S>
inline void through_sum2(const Graph<T>& g, const Scalars<T>& s, const ProductNode<T, S>& n, int c,
                         int64_t h) {
  for (int64_t k = 0; k < g.eigs; k++) {
    C sum = C::all(0);
    for (int64_t l = g.low[k]; l < g.high[k]; l++)
      sum += C::load(n.masked + g.pair(k, l) * h + c) * C::load(n.t1 + l * h + c);
    (C::load(n.g1 + k * h + c) + s.c11 * sum).store(n.whole1 + k * h + c);
  }
}

// Gradients of the pairs' rows, and the order-2 sums.
template <class C, class T, class S>
inline void gradients2(const Graph<T>& g, const Scalars<T>& s, const ProductNode<T, S>& n, int c,
                       int64_t h) {
  const C g02 = s.c02 * C::load(n.g0 + c), t = C::load(n.t0 + c);
  const S *w1 = n.w1 + c, *t1 = n.t1 + c, *w2 = n.w2 + c, *t2 = n.t2 + c;
  const T* masked = n.masked + c;
  C sum_dw = C::all(0), sum_do = C::all(0), sum_dm = C::all(0);
  for (int64_t k = 0; k < g.eigs; k++) {
    const C w1k = C::load(n.left + k * h + c), ds1k = s.c12 * C::load(n.ds1 + k * h + c);
    for (int64_t l = g.low[k]; l < g.high[k]; l++) {
      const int64_t p = g.pair(k, l), at = p * h;
      const int64_t begin = std::max(g.low[k], g.low[l]), end = std::min(g.high[k], g.high[l]);
      C matmul = C::all(0), through_t2 = C::all(0), through_w2 = C::all(0);
      for (int64_t m = begin; m < end; m++) {
        const int64_t km = g.pair(k, m) * h, ml = g.pair(m, l) * h;
        matmul += C::load(w2 + km) * C::load(t2 + ml);
        through_t2 += C::load(masked + km) * C::load(t2 + g.pair(l, m) * h);
        through_w2 += C::load(masked + ml) * C::load(w2 + g.pair(m, k) * h);
      }
      const C w = C::load(w2 + at), ds = C::load(n.ds2 + at + c), dm = C::load(masked + at);
      const C outer = w1k * C::load(t1 + l * h);
      (s.c20 * w * t + g.rho2[p] * (s.c11 * outer + s.c22 * matmul)).store(n.sum2 + at + c);
      (C::load(n.g2 + at + c) + s.c20 * ds * t + g02 * C::load(t2 + at) + s.c22 * through_t2)
          .store(n.d2 + at + c);
      (g02 * w + ds1k * C::load(w1 + l * h) + s.c22 * through_w2).store(n.dt2 + at + c);
      sum_dw += ds * w;
      sum_do += dm * outer;
      sum_dm += dm * matmul;
    }
  }
  add_to(n.dt0 + c, s.c20 * sum_dw);
  add_to(n.dscalars + 4 * h + c, sum_dw * t);
  add_to(n.dscalars + 5 * h + c, sum_do);
  add_to(n.dscalars + 6 * h + c, sum_dm);
}

template <class T, class S>
void product_backward(const Layout& layout, const ProductArgs& a) {
  const int64_t h = layout.channels, threads = std::max<int64_t>(1, layout.threads);
  const auto s = *static_cast<const Scalars<T>*>(a.scalars);
  const bool final = a.final;
  const Matrix<T, S> q1(a.q1, h, false), q2(a.q2, h, false);
  const Matrix<T, S> r1(final ? a.q1 : a.r1, h, false), r2(final ? a.q2 : a.r2, h, false);
  const Matrix<T, S> forward1(a.q1, h, true), forward2(a.q2, h, true);
  std::vector<std::vector<T>> sums(threads);  // gradients of the parameters, thread by thread
  for_nodes<T>(layout, [&](int64_t thread, const Graph<T>& g, int64_t begin, int64_t end) {
    auto& mine = sums[thread];
    if (mine.empty()) mine.resize(4 * h * h + 7 * h);
    T *dq1 = mine.data(), *dq2 = dq1 + h * h, *dr1 = dq2 + h * h, *dr2 = dr1 + h * h;
    const int64_t size1 = g.eigs * h, size2 = g.pairs * h;
    std::vector<T> work(2 * h + (a.in_order ? 5 : 4) * size1 + 4 * size2);
    T *norm1 = work.data(), *norm2 = norm1 + h;
    T *ds1 = norm2 + h, *sum1 = ds1 + size1, *dt1 = sum1 + size1, *own = dt1 + size1;
    T *ds2 = own + size1, *sum2 = ds2 + size2, *dt2 = sum2 + size2, *masked = dt2 + size2;
    T* whole1 = masked + size2;
    std::vector<S> own1(a.t1 ? 0 : size1), own2(a.t2 ? 0 : size2);
    for (int64_t i = begin; i < end; i++) {
      const int64_t at0 = (g.node + i) * h;
      const int64_t at1 = (g.row1 + i * g.eigs) * h, at2 = (g.row2 + i * g.pairs) * h;
      auto rows = [](const void* p, int64_t at) { return static_cast<const S*>(p) + at; };
      auto in = [](const void* p, int64_t at) { return static_cast<const T*>(p) + at; };
      S *out1 = static_cast<S*>(a.d1) + at1, *out2 = static_cast<S*>(a.d2) + at2;
      T *d1 = own, *d2 = ds2;  // an entry of ds2 is read before its place is written to
      if constexpr (std::is_same_v<T, S>) d1 = out1, d2 = out2;
      const ProductNode<T, S> n{
          rows(a.w1, at1), a.t1 ? rows(a.t1, at1) : own1.data(), rows(a.w2, at2),
          a.t2 ? rows(a.t2, at2) : own2.data(), final ? nullptr : rows(a.g1, at1),
          final ? nullptr : rows(a.g2, at2), rows(a.in_order ? a.out1 : a.w1, at1), in(a.t0, at0), in(a.g0, at0), ds1, ds2, masked, sum1,
          sum2, d1, d2, dt1, dt2, final ? nullptr : static_cast<T*>(a.dt0) + at0, whole1,
          mine.data() + 4 * h * h};
      inverse_norm<T>(g.eigs, n.w1, T(a.eps), norm1, h);
      inverse_norm<T>(g.pairs, n.w2, a.eps, norm2, h);
      if (!a.t1) {
        scale(g.eigs, n.w1, norm1, sum1, h);
        scale(g.pairs, n.w2, norm2, sum2, h);
        mix(g.eigs, sum1, forward1, own1.data());
        mix(g.pairs, sum2, forward2, own2.data());
      }
      if (!final) {
        mix(g.pairs, n.g2, r2, ds2);
        for (int64_t p = 0; p < g.pairs; p++)
          for (int64_t c = 0; c < h; c++) masked[p * h + c] = g.rho2[p] * ds2[p * h + c];
        if (a.in_order) {
          for_channels<T>(h, [&](auto lanes, int c) { through_sum2<decltype(lanes)>(g, s, n, c, h); });
          mix(g.eigs, n.whole1, r1, ds1);
        } else {
          mix(g.eigs, n.g1, r1, ds1);
        }
      }
      for_channels<T>(h, [&](auto lanes, int c) {
        using C = decltype(lanes);
        scalar_gradients0<C>(g, n, c, h);
        if (final) return final_gradients<C>(g, s, n, c, h);
        gradients1<C>(g, s, n, c, h);
        gradients2<C>(g, s, n, c, h);
      });
      if (!final) {
        if (a.in_order) mix_gradient<S>(g.eigs, n.whole1, sum1, dr1, h);
        else mix_gradient<S>(g.eigs, n.g1, sum1, dr1, h);
        mix_gradient<S>(g.pairs, n.g2, sum2, dr2, h);
      }
      T *x1 = sum1, *x2 = sum2;  // normalised rows, then their gradients
      scale(g.eigs, n.w1, norm1, x1, h);
      scale(g.pairs, n.w2, norm2, x2, h);
      mix_gradient<S>(g.eigs, dt1, x1, dq1, h);
      mix_gradient<S>(g.pairs, dt2, x2, dq2, h);
      mix(g.eigs, dt1, q1, x1);
      mix(g.pairs, dt2, q2, x2);
      normalize_backward(g.eigs, n.w1, norm1, x1, d1, out1, h);
      normalize_backward(g.pairs, n.w2, norm2, x2, d2, out2, h);
    }
  });
  for (const auto& mine : sums) {
    if (mine.empty()) continue;
    const T* from = mine.data();
    for (void* to : {a.dq1, a.dq2, a.dr1, a.dr2}) {
      if (to)
        for (int64_t j = 0; j < h * h; j++) static_cast<T*>(to)[j] += from[j];
      from += h * h;
    }
    for (int64_t j = 0; j < 7 * h; j++) static_cast<T*>(a.dscalars)[j / h] += from[j];
  }
}

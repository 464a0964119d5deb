// All layers in one call, with the scalars: for batches whose tensors may all be kept.
#pragma once
#include <stdexcept>

#include "message.h"
#include "product.h"
#include "scalars.h"
#include "start.h"

struct NetworkArgs {
  double eps, norm_eps;               // in the norms of rows; in the layer norms of scalars
  int64_t layers, in_order;
  int64_t keep;                       // whether there will be a backward pass
  int64_t count, size;                // of parameters; of numbers in `memory`
  const void* parameters;             // of all layers; see Pair
  const void *w0, *v, *s, *e, *q;     // [N, h] first scalars; the others as in StartArgs
  void* memory;                       // for the tensors; with `keep`, as the forward pass leaves it
  void* scalars;                      // [layers, N, h] W0 after each pair of layers
  const void* g;                      // their gradients
  void *dparameters, *de, *dq, *dw0;  // gradients, to be added to
};

// The parameters of a product and a message layer, or where their gradients go.
template <class T>
struct Pair {
  ScalarMix<T> own, sent;             // of the scalars, in the product and in the message
  T *q1, *q2, *r0, *c;                // [h, h] each; c00, c01, c02, and c10, c12, c20, c11, c22
  T *r1, *r2, *m1, *m2;               // [h, h] each; not in the last pair

  // The next ones from `at` on, which moves behind them.
  Pair(T*& at, int64_t h, bool final) {
    auto take = [&](int64_t count) { return (at += count) - count; };
    own.matrix = take(h * h), own.bias = take(h), own.gain = take(h), own.shift = take(h);
    sent.matrix = take(h * h), sent.bias = take(h), sent.gain = take(h), sent.shift = take(h);
    q1 = take(h * h), q2 = take(h * h), r0 = take(h * h), c = take(final ? 3 : 8);
    const int64_t more = final ? 0 : h * h;
    r1 = take(more), r2 = take(more), m1 = take(more), m2 = take(more);
  }
};

// What a pair of layers reads and writes.
template <class T>
struct PairTrace {
  T *w1, *w2, *t1, *t2, *p1, *p2;     // rows before it, their tilde copies, rows between the layers
  T *w0, *t0, *sum, *mid;             // [N, h] scalars: before it, tilde, in brackets, between
  ScalarTrace<T> own, sent;

  PairTrace(T*& at, const Layout& p, bool keep, bool final) {
    const int64_t h = p.channels, n = p.nodes * h;
    const int64_t one = p.row1[p.graphs] * h, two = p.row2[p.graphs] * h;
    auto take = [&](int64_t count) { return (at += count) - count; };
    w1 = take(one), w2 = take(two);
    t1 = keep ? take(one) : nullptr, t2 = keep ? take(two) : nullptr;
    p1 = final ? nullptr : take(one), p2 = final ? nullptr : take(two);
    w0 = take(n), t0 = take(n), sum = take(n), mid = take(n);
    own = {take(n), take(n), take(p.nodes)};
    sent = {take(n), take(n), take(p.nodes)};
  }
};

// Where all tensors lie. Without a backward pass all pairs of layers have the same place.
template <class T>
struct Network {
  std::vector<Pair<const T>> pairs;
  std::vector<PairTrace<T>> traces;
  T *g1, *g2, *b1, *b2;               // gradients of rows: after a pair of layers, inside it

  Network(const Layout& p, const NetworkArgs& a) {
    const T *begin = static_cast<const T*>(a.parameters), *parameter = begin;
    T *start = static_cast<T*>(a.memory), *at = start;
    for (int64_t l = 0; l < a.layers; l++) {
      const bool final = l + 1 == a.layers;
      pairs.emplace_back(parameter, p.channels, final);
      if (a.keep) traces.emplace_back(at, p, true, final);
    }
    if (!a.keep) traces.assign(a.layers, PairTrace<T>(at, p, false, false));
    const int64_t one = p.row1[p.graphs] * p.channels, two = p.row2[p.graphs] * p.channels;
    g1 = at, g2 = g1 + one, b1 = g2 + two, b2 = b1 + one;
    if (a.keep) at = b2 + two;
    if (parameter - begin != a.count || at - start != a.size)
      throw std::logic_error("the numbers of parameters or the memory are not those of this network");
  }
};

// The scalars of Scalars<T>, which are 0 where the last pair has none.
template <class T>
Scalars<T> row_scalars(const Pair<const T>& pair, bool final) {
  Scalars<T> s{};
  std::memcpy(&s, pair.c + 1, (final ? 2 : 7) * sizeof(T));
  return s;
}

template <class T>
ProductArgs product_args(const NetworkArgs& a, const Pair<const T>& pair, const PairTrace<T>& kept,
                         const Scalars<T>& s, bool final) {
  ProductArgs x{};
  x.eps = a.eps, x.final = final, x.in_order = a.in_order && !final;
  x.scalars = &s, x.w1 = kept.w1, x.w2 = kept.w2, x.t0 = kept.t0, x.t1 = kept.t1, x.t2 = kept.t2;
  x.q1 = pair.q1, x.q2 = pair.q2;
  if (!final) x.r1 = pair.r1, x.r2 = pair.r2, x.out1 = kept.p1, x.out2 = kept.p2;
  return x;
}

template <class T>
MessageArgs message_args(const NetworkArgs& a, const Pair<const T>& pair, const PairTrace<T>& kept) {
  MessageArgs x{};
  x.eps = a.eps, x.w1 = kept.p1, x.w2 = kept.p2, x.q1 = pair.m1, x.q2 = pair.m2;
  return x;
}

template <class T>
void network_forward(const Layout& p, const NetworkArgs& a) {
  const int64_t h = p.channels, n = p.nodes * h;
  const Network<T> network(p, a);
  std::vector<T> t(n);
  const auto& first = network.traces[0];
  start_forward<T, T>(p, {a.v, a.s, a.e, a.q, first.w1, first.w2});
  std::copy_n(static_cast<const T*>(a.w0), n, first.w0);
  for (int64_t l = 0; l < a.layers; l++) {
    const bool final = l + 1 == a.layers;
    const Pair<const T>& pair = network.pairs[l];
    const PairTrace<T>& to = network.traces[l];
    mix_scalars<T>(p.nodes, to.w0, pair.own, a.norm_eps, to.own, to.t0, h);
    const auto s = row_scalars<T>(pair, final);
    auto product = product_args<T>(a, pair, to, s, final);
    product.sum0 = to.sum;
    product_forward<T, T>(p, product);
    for (int64_t j = 0; j < n; j++) to.sum[j] += pair.c[0] * to.w0[j] * to.t0[j];
    mix(p.nodes, to.sum, Matrix<T, T>(pair.r0, h, true), to.w0, to.mid);
    mix_scalars<T>(p.nodes, to.mid, pair.sent, a.norm_eps, to.sent, t.data(), h);
    T* out = static_cast<T*>(a.scalars) + l * n;
    receive_scalars<T>(p, t.data(), to.mid, out);
    if (final) continue;
    const PairTrace<T>& next = network.traces[l + 1];
    std::copy_n(out, n, next.w0);
    auto message = message_args<T>(a, pair, to);
    message.out1 = next.w1, message.out2 = next.w2;
    message_forward<T, T>(p, message);
  }
}

template <class T>
void network_backward(const Layout& p, const NetworkArgs& a) {
  const int64_t h = p.channels, n = p.nodes * h;
  const Network<T> network(p, a);
  T *g1 = network.g1, *g2 = network.g2, *b1 = network.b1, *b2 = network.b2;
  T* parameter = static_cast<T*>(a.dparameters);
  std::vector<Pair<T>> gradients;
  for (int64_t l = 0; l < a.layers; l++) gradients.emplace_back(parameter, h, l + 1 == a.layers);
  std::vector<T> work(3 * n);
  T *g0 = static_cast<T*>(a.dw0);                                   // of the scalars
  T *dsum = work.data(), *dt = dsum + n, *through_rows = dt + n;
  for (int64_t l = a.layers; l-- > 0;) {
    const bool final = l + 1 == a.layers;
    const Pair<const T>& pair = network.pairs[l];
    const Pair<T>& d = gradients[l];
    const PairTrace<T>& from = network.traces[l];
    const T* g = static_cast<const T*>(a.g) + l * n;
    for (int64_t j = 0; j < n; j++) g0[j] += g[j];
    if (!final) {
      auto message = message_args<T>(a, pair, from);
      message.g1 = g1, message.g2 = g2, message.d1 = b1, message.d2 = b2;
      message.dq1 = d.m1, message.dq2 = d.m2;
      message_backward<T, T>(p, message);
    }
    receive_scalars<T>(p, g0, nullptr, dt);  // edges go both ways with the same weight
    mix_scalars_backward<T>(p.nodes, from.mid, pair.sent, from.sent, dt, g0, d.sent, h);
    mix_gradient<T>(p.nodes, g0, from.sum, d.r0, h);
    mix(p.nodes, g0, Matrix<T, T>(pair.r0, h, false), dsum);
    const auto s = row_scalars<T>(pair, final);
    Scalars<T> ds{};
    auto product = product_args<T>(a, pair, from, s, final);
    product.g0 = dsum, product.g1 = b1, product.g2 = b2, product.d1 = g1, product.d2 = g2;
    product.dq1 = d.q1, product.dq2 = d.q2, product.dscalars = &ds;
    if (!final) product.dt0 = through_rows, product.dr1 = d.r1, product.dr2 = d.r2;
    product_backward<T, T>(p, product);
    const T* more = &ds.c01;
    for (int i = 0; i < (final ? 2 : 7); i++) d.c[1 + i] += more[i];
    for (int64_t j = 0; j < n; j++) {
      d.c[0] += dsum[j] * from.w0[j] * from.t0[j];
      dt[j] = pair.c[0] * from.w0[j] * dsum[j] + (final ? T(0) : through_rows[j]);
      g0[j] += pair.c[0] * from.t0[j] * dsum[j];
    }
    mix_scalars_backward<T>(p.nodes, from.w0, pair.own, from.own, dt, g0, d.own, h);
  }
  start_backward<T, T>(p, {a.v, a.s, a.e, a.q, nullptr, nullptr, g1, g2, a.de, a.dq});
}

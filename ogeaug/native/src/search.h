// A branch of the search in pointclouds/search.py: features for given marks, what to mark next.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

struct SearchArgs {
  int64_t points, channels, padded, layers, kinds, marks;
  double width, smallest;
  const double *start;               // [n, c]; here c is `padded`, a multiple of 8: the rest are 0
  const double *kernel;              // [R, c] for each kind of pair of points
  const int32_t *member, *kind;      // [n, n] for each point, all points sorted by kind of pair
  const double *own, *own_bias;      // [L, c, c] from the first to the last, [L, c]
  const double *joint, *joint_bias;  // [L, c c, c], [L, c]
  const int64_t *mark;               // [n], of which `marks` are used
  double *x, *weight, *line;         // [n, c], [n], [n]
  double *square;                    // [1] mean of the squares of `line`
  int64_t *order;                    // [n] by `line`
};

constexpr int64_t kKept = 8;  // as in pointclouds/tree.py

struct MatchArgs {
  int64_t points, marks, rows, count;
  double tolerance;
  const double *gram;             // [n, n]
  const int64_t *order, *mark;    // [n] of the new branch
  const int64_t *orders, *others; // [rows, n] the same of kept branches
  const int64_t *row;             // [kKept], of which `count` are compared
  int64_t *perm;                  // [n]
};

namespace search {

typedef double Eight __attribute__((vector_size(64)));
typedef int64_t EightInts __attribute__((vector_size(64)));

inline Eight load(const double* p) {
  Eight x;
  std::memcpy(&x, p, sizeof x);
  return x;
}

inline void store(const Eight& x, double* p) { std::memcpy(p, &x, sizeof x); }

// By exp(2 x) - 1 = 2^k (1 + p) - 1 with p = exp(r) - 1 from its series: exact near 0.
inline Eight tanh(Eight x) {
  constexpr double kHigh = 0x1.62e42fefa39efp-1, kLow = 0x1.abc9e3b39803fp-56, kShift = 0x1.8p52;
  const Eight most = 20.0 - Eight{};
  x = x > most ? most : x;
  x = x < -most ? -most : x;
  const Eight y = 2 * x, t = y * 0x1.71547652b82fep0 + kShift, k = t - kShift;
  const Eight r = (y - k * kHigh) - k * kLow;
  Eight p = 1.0 / 87178291200.0 - Eight{};
  for (double d : {6227020800.0, 479001600.0, 39916800.0, 3628800.0, 362880.0, 40320.0, 5040.0,
                   720.0, 120.0, 24.0, 6.0, 2.0, 1.0})
    p = p * r + 1.0 / d;
  const Eight power = (Eight)(((EightInts)t + 1023) << 52), e = power * (p * r) + (power - 1);
  return e / (e + 2);
}

// sums[u, i, j] = sum over v of kernel[kind of (u, v), i] x[v, j]: points of a kind are added first.
inline void sum_kinds(const SearchArgs& a, std::vector<int64_t>& runs, double* total,
                      double* sums) {
  const int64_t n = a.points, c = a.padded;
  for (int64_t u = 0; u < n; u++) {
    const int32_t *member = a.member + u * n, *kind = a.kind + u * n;
    runs.clear();
    for (int64_t p = 0, q; p < n; p = q) {
      for (q = p + 1; q < n && kind[q] == kind[p];) q++;
      for (int64_t j = 0; j < c; j += 8) {
        Eight sum = load(a.x + member[p] * c + j);
        for (int64_t m = p + 1; m < q; m++) sum += load(a.x + member[m] * c + j);
        store(sum, total + int64_t(runs.size()) * c + j);
      }
      runs.push_back(kind[p]);
    }
    for (int64_t i = 0; i < c; i += 8)
      for (int64_t j = 0; j < c; j += 8) {
        Eight acc[8] = {};
        for (size_t m = 0; m < runs.size(); m++) {
          const double* k = a.kernel + runs[m] * c + i;
          const Eight sum = load(total + int64_t(m) * c + j);
          for (int h = 0; h < 8; h++) acc[h] += k[h] * sum;
        }
        for (int h = 0; h < 8; h++) store(acc[h], sums + (u * c + i + h) * c + j);
      }
  }
}

// Mean 0 over the points; the scale of variance 1: normalise(sums, 0.1) of pointclouds/channels.py.
inline void centre(double* sums, int64_t n, int64_t columns, double* scale) {
  for (int64_t j = 0; j < columns; j += 8) {
    Eight mean = {}, square = {};
    for (int64_t u = 0; u < n; u++) mean += load(sums + u * columns + j);
    mean /= double(n);
    for (int64_t u = 0; u < n; u++) {
      const Eight y = load(sums + u * columns + j) - mean;
      square += y * y;
      store(y, sums + u * columns + j);
    }
    for (int h = 0; h < 8; h++) scale[j + h] = 1 / std::sqrt(square[h] / double(n) + 0.1);
  }
}

// out[u, j] += sum over i of y[u, i] weight[i, j], for M rows u and 8 columns j.
template <int M>
inline void add_map(const double* y, int64_t rows, const double* weight, int64_t c, Eight* out) {
  for (int64_t i = 0; i < rows; i++) {
    const Eight w = load(weight + i * c);
    for (int m = 0; m < M; m++) out[m] += y[m * rows + i] * w;
  }
}

struct Layer {
  const double *own, *joint, *bias, *sums;
};

template <int M>
inline void next_features(const SearchArgs& a, const Layer& layer, int64_t u, double* next) {
  const int64_t c = a.padded;
  for (int64_t j = 0; j < c; j += 8) {
    Eight out[M];
    for (int m = 0; m < M; m++) out[m] = load(layer.bias + j);
    add_map<M>(a.x + u * c, c, layer.own + j, c, out);
    add_map<M>(layer.sums + u * c * c, c * c, layer.joint + j, c, out);
    for (int m = 0; m < M; m++) store(tanh(out[m]), next + (u + m) * c + j);
  }
}

inline void refine(const SearchArgs& a) {
  const int64_t n = a.points, c = a.padded;
  std::vector<double> sums(n * c * c), total(n * c), next(n * c), scale(c * c), joint(c * c * c),
      bias(c);
  std::vector<int64_t> runs;
  std::copy_n(a.start, n * c, a.x);
  for (int64_t k = 0; k < a.marks; k++)
    for (int64_t j = 0; j < a.channels; j++)
      a.x[a.mark[k] * c + j] = 2 * std::cos(double((k + 1) * (j + 1)));
  for (int64_t l = 0; l < a.layers; l++) {
    sum_kinds(a, runs, total.data(), sums.data());
    centre(sums.data(), n, c * c, scale.data());
    for (int64_t i = 0; i < c * c; i++)
      for (int64_t j = 0; j < c; j++)
        joint[i * c + j] = a.joint[(l * c * c + i) * c + j] * scale[i];
    for (int64_t j = 0; j < c; j++) bias[j] = a.own_bias[l * c + j] + a.joint_bias[l * c + j];
    const Layer layer = {a.own + l * c * c, joint.data(), bias.data(), sums.data()};
    int64_t u = 0;
    for (; u + 8 <= n; u += 8) next_features<8>(a, layer, u, next.data());
    for (; u < n; u++) next_features<1>(a, layer, u, next.data());
    std::copy_n(next.data(), n * c, a.x);
  }
}

// The weights of SearchCloud.choose. Points far apart on the line are far apart: |line| <= 2 sqrt(c).
inline void choose(const SearchArgs& a) {
  const int64_t n = a.points, c = a.channels, row = a.padded;
  std::iota(a.order, a.order + n, 0);
  *a.square = 0;
  for (int64_t u = 0; u < n; u++) {
    a.line[u] = 0;
    for (int64_t j = 0; j < c; j++) a.line[u] += (1 + double(j) / double(c - 1)) * a.x[u * row + j];
    if (!std::isfinite(a.line[u])) return std::fill(a.weight, a.weight + n, 0.0);  // cannot be sorted
  }
  for (int64_t u = 0; u < n; u++) *a.square += a.line[u] * a.line[u] / double(n);
  std::sort(a.order, a.order + n, [&](int64_t u, int64_t v) { return a.line[u] < a.line[v]; });
  std::vector<double> size(n, 1.0), score(n);
  const double reach = 2 * std::sqrt(double(c)) * a.width * (1 + 1e-6);
  for (int64_t p = 0; p < n; p++)
    for (int64_t q = p + 1; q < n; q++) {
      const int64_t u = a.order[p], v = a.order[q];
      if (!(a.line[v] - a.line[u] <= reach)) break;
      double away = 0;
      for (int64_t j = 0; j < c; j++) {
        const double d = (a.x[u * row + j] - a.x[v * row + j]) / a.width;
        away += d * d;
      }
      const double near = std::max(0.0, 1 - away);
      size[u] += near * near;
      size[v] += near * near;
    }
  double best = a.smallest;
  for (int64_t u = 0; u < n; u++) {
    double mean = 0;
    for (int64_t j = 0; j < c; j++) mean += a.x[u * row + j];
    const double shared = std::min(size[u] - 1, 1.0);
    score[u] = shared / size[u] * (1 + mean / double(c) / 4);
    best = std::max(best, score[u]);
  }
  for (int64_t u = 0; u < n; u++) {
    const double behind = 1 - score[u] / best;
    a.weight[u] = std::min(size[u] - 1, 1.0) * std::max(0.0, 1 - behind / a.width);
  }
}

// Whether the renumbering other[i] -> order[i] takes the marks `others` to those of the new branch
// and keeps all inner products; it is left in `perm`.
inline bool match(const MatchArgs& a, const int64_t* other, const int64_t* others) {
  const int64_t n = a.points;
  for (int64_t i = 0; i < n; i++) {
    if (other[i] < 0 || other[i] >= n || a.order[i] < 0 || a.order[i] >= n) return false;
    a.perm[other[i]] = a.order[i];
  }
  for (int64_t k = 0; k < a.marks; k++) {
    if (others[k] < 0 || others[k] >= n) return false;
    if (a.perm[others[k]] != a.mark[k]) return false;
  }
  for (int64_t i = 0; i < n; i++) {
    const double *left = a.gram + a.order[i] * n, *right = a.gram + other[i] * n;
    for (int64_t j = 0; j <= i; j++)
      if (!(std::abs(left[a.order[j]] - right[other[j]]) <= a.tolerance)) return false;
  }
  return true;
}

}  // namespace search

// Returns 0, or 1 if a number that points somewhere points outside.
inline int64_t search_branch(const SearchArgs& a) {
  const int64_t n = a.points;
  if (a.marks < 0 || a.marks > n || a.channels < 2 || a.padded < a.channels || a.padded % 8)
    return 1;
  for (int64_t k = 0; k < a.marks; k++)
    if (a.mark[k] < 0 || a.mark[k] >= n) return 1;
  bool outside = false;
  for (int64_t p = 0; p < n * n; p++)
    outside |= a.member[p] < 0 || a.member[p] >= n || a.kind[p] < 0 || a.kind[p] >= a.kinds;
  if (outside) return 1;
  search::refine(a);
  search::choose(a);
  return 0;
}

// Returns the place in `row` of the first kept branch that a symmetry maps to the new one, or -1.
inline int64_t match_branches(const MatchArgs& a) {
  const int64_t n = a.points;
  if (a.marks < 0 || a.marks > n || a.count < 0 || a.count > kKept) return -1;
  for (int64_t k = 0; k < a.count; k++) {
    if (a.row[k] < 0 || a.row[k] >= a.rows) return -1;
    if (search::match(a, a.orders + a.row[k] * n, a.others + a.row[k] * n)) return k;
  }
  return -1;
}

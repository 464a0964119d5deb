// The windows of sorted eigenvalues: which eigenpairs see each other.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

struct WindowArgs {
  int64_t graphs, all_nodes, all_eigs;  // B, N, sum K
  double reach;           // farther than this nobody sees
  const int64_t *nodes;   // [B] nodes of each graph
  const int64_t *eigs;    // [B] eigenpairs of each graph
  int64_t *node, *eig;    // [B + 1] first node, eigenpair of each graph
  const double *eigvals;  // [sum K]
  int32_t *low, *high;    // [sum K] window of each eigenpair, numbered in its graph
  int32_t *first;         // [sum K] first pair of each eigenpair, numbered in its graph
  int64_t *pair;          // [B + 1] first pair of each graph
  int64_t *row1, *row2;   // [B + 1] first row of W1, W2 of each graph
  double *distance;       // [P]
  const double *rho;      // [P]
  double *rho2;           // [P] the squares, those outside the trimmed windows left out
};

constexpr int64_t kBadCounts = -1, kTooMany = -2;

// The first node, eigenpair and row of each graph; false if the counts are not those of N nodes and
// sum K eigenvalues.
inline bool count_up(const WindowArgs& a) {
  a.node[0] = a.eig[0] = a.row1[0] = 0;
  for (int64_t g = 0; g < a.graphs; g++) {
    int64_t rows;
    if (a.nodes[g] < 0 || a.nodes[g] > a.all_nodes - a.node[g]) return false;
    if (a.eigs[g] < 0 || a.eigs[g] > a.all_eigs - a.eig[g]) return false;
    if (__builtin_mul_overflow(a.nodes[g], a.eigs[g], &rows)) return false;
    if (__builtin_add_overflow(a.row1[g], rows, &a.row1[g + 1])) return false;
    a.node[g + 1] = a.node[g] + a.nodes[g];
    a.eig[g + 1] = a.eig[g] + a.eigs[g];
  }
  return a.node[a.graphs] == a.all_nodes && a.eig[a.graphs] == a.all_eigs;
}

// Windows wide enough for `reach`; returns the number of pairs, kBadCounts, or kTooMany if those of
// a graph cannot be numbered in 32 bits.
inline int64_t find_windows(const WindowArgs& a) {
  if (!count_up(a)) return kBadCounts;
  int64_t pairs = 0;
  for (int64_t g = 0; g < a.graphs; g++) {
    const int64_t begin = a.eig[g], count = a.eig[g + 1] - begin;
    if (count == 0) continue;
    const double* x = a.eigvals + begin;
    int64_t low = 0, high = 0, before = pairs;
    double at_low = x[0], at = x[0], at_high = x[0];  // running maxima: ties may be out of order
    for (int64_t k = 0; k < count; k++) {
      at = std::max(at, x[k]);
      while (low < k && at_low < at - a.reach) at_low = std::max(at_low, x[++low]);
      while (high < count && std::max(at_high, x[high]) <= at + a.reach)
        at_high = std::max(at_high, x[high++]);
      a.low[begin + k] = low;
      a.high[begin + k] = high;
      pairs += high - low;
    }
    if (pairs - before > std::numeric_limits<int32_t>::max()) return kTooMany;
  }
  return pairs;
}

inline int64_t window_distances(const WindowArgs& a) {
  double* out = a.distance;
  for (int64_t g = 0; g < a.graphs; g++) {
    const double* x = a.eigvals + a.eig[g];
    for (int64_t k = 0; k < a.eig[g + 1] - a.eig[g]; k++)
      for (int64_t l = a.low[a.eig[g] + k]; l < a.high[a.eig[g] + k]; l++)
        *out++ = std::abs(x[k] - x[l]);
  }
  return 0;
}

// Cuts the ends where rho is zero; returns the number of pairs left, or -1 if rho has a hole.
inline int64_t trim_windows(const WindowArgs& a) {
  const double* rho = a.rho;
  int64_t pairs = 0;
  a.pair[0] = a.row2[0] = 0;
  for (int64_t g = 0; g < a.graphs; g++) {
    for (int64_t k = a.eig[g]; k < a.eig[g + 1]; k++) {
      const int64_t width = a.high[k] - a.low[k];
      int64_t begin = 0, end = width;
      while (begin < end && !(rho[begin] > 0)) begin++;
      while (begin < end && !(rho[end - 1] > 0)) end--;
      a.first[k] = pairs - a.pair[g];
      for (int64_t p = begin; p < end; p++) {
        if (!(rho[p] > 0)) return -1;
        a.rho2[pairs++] = rho[p] * rho[p];
      }
      a.high[k] = a.low[k] + end;
      a.low[k] += begin;
      rho += width;
    }
    a.pair[g + 1] = pairs;
    a.row2[g + 1] = a.row2[g] + a.nodes[g] * (pairs - a.pair[g]);
  }
  return pairs;
}

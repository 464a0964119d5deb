// Spectra of a batch of ordinary graphs: the fast way of ogeaug/spectrum/solve.py.
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "digest.h"

// LAPACK's eigensolvers for symmetric matrices, from whoever calls: by QR, by divide and conquer.
using Dsyev = void (*)(const char*, const char*, const int*, double*, const int*, double*, double*,
                       const int*, int*);
using Dsyevd = void (*)(const char*, const char*, const int*, double*, const int*, double*, double*,
                        const int*, int*, const int*, int*);
constexpr int64_t kSmall = 28;       // up to so many nodes, QR is the faster one
constexpr int64_t kLargest = 30000;  // LAPACK counts its workspace in 32 bits

struct SpectraArgs {
  int64_t graphs, nodes, edges;
  double scale;           // standard deviation of the noise
  Dsyev dsyev;
  Dsyevd dsyevd;
  mutable int64_t digest; // becomes that of the graph (digest.h), if there is one alone
  const int64_t *size;    // [B] nodes of each graph, or null if one graph has them all
  const int64_t *edge;    // [2, E] numbered through the batch
  const double *weight;   // [E], or null if all are 1
  const int64_t *place;   // [N] the new number of each node in its graph, or null
  const float *noise;     // [sum n (n + 1) / 2] standard normal, or null
  double *eigvals;        // [N]
  double *eigvecs;        // [sum n^2] zeros; becomes each graph's [n, n], row by row
};

// The matrices L = D - A, noise in the lower triangles only. Returns 0, or 1 if some graph is not
// ordinary: an edge out of bounds or listed one way only, weights negative or not allowed.
inline int64_t laplacians(const SpectraArgs& a) {
  if (!a.size && a.graphs != 1) return 1;
  const int64_t* sizes = a.size ? a.size : &a.nodes;
  std::vector<int64_t> owner, start(a.graphs);
  std::vector<double*> matrix(a.graphs);
  double* next = a.eigvecs;
  for (int64_t g = 0; g < a.graphs; g++) {
    if (sizes[g] < 1 || sizes[g] > kLargest) return 1;
    start[g] = owner.size();
    owner.resize(owner.size() + sizes[g], g);
    matrix[g] = next;
    next += sizes[g] * sizes[g];
  }
  const int64_t total = owner.size();
  if (total != a.nodes) return 1;
  for (int64_t i = 0; a.place && i < total; i++)
    if (a.place[i] < 0 || a.place[i] >= sizes[owner[i]]) return 1;
  uint64_t sum = 0;
  for (int64_t e = 0; e < a.edges; e++) {
    int64_t i = a.edge[e], j = a.edge[a.edges + e];
    if (i < 0 || j < 0 || i >= total || j >= total || owner[i] != owner[j]) return 1;
    const double w = a.weight ? a.weight[e] : 1.0;
    if (!(w >= 0 && w <= kLargestWeight)) return 1;
    if (i == j) continue;
    const int64_t g = owner[i];
    if (a.graphs == 1) sum += edge_digest(i, j, w);
    i = a.place ? a.place[i] : i - start[g];
    j = a.place ? a.place[j] : j - start[g];
    matrix[g][i * sizes[g] + j] -= w;
  }
  if (a.graphs == 1) a.digest = graph_digest(sum, total);
  const float* noise = a.noise;
  for (int64_t g = 0; g < a.graphs; g++) {
    const int64_t n = sizes[g];
    double* m = matrix[g];
    for (int64_t i = 0; i < n; i++) {
      double degree = 0;
      for (int64_t j = 0; j < n; j++) {
        if (m[i * n + j] != m[j * n + i]) return 1;
        degree -= m[i * n + j];
      }
      if (!std::isfinite(degree)) return 1;  // sums of weights may overflow
      m[i * n + i] = degree;
    }
    if (noise)
      for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) m[i * n + j] += a.scale * *noise++;
  }
  return 0;
}

// Returns 0, or 1 if some graph is not ordinary or LAPACK did not converge. The caller then takes
// the careful way, which says what is wrong.
inline int64_t spectra(const SpectraArgs& a) {
  if (laplacians(a) != 0) return 1;
  const int64_t* sizes = a.size ? a.size : &a.nodes;
  const int64_t* place = a.place;
  double *values = a.eigvals, *vectors = a.eigvecs;
  std::vector<double> work, columns;
  std::vector<int> integers;
  for (int64_t g = 0; g < a.graphs; g++) {
    const int64_t size = sizes[g];
    const int n = int(size), lwork = int(1 + 6 * size + 2 * size * size), liwork = 3 + 5 * n;
    int info = 0;
    work.resize(lwork);
    integers.resize(liwork);
    // What is the lower triangle row by row is the upper one column by column.
    if (size <= kSmall)
      a.dsyev("V", "U", &n, vectors, &n, values, work.data(), &lwork, &info);
    else
      a.dsyevd("V", "U", &n, vectors, &n, values, work.data(), &lwork, integers.data(), &liwork,
               &info);
    if (info != 0) return 1;
    columns.assign(vectors, vectors + size * size);
    for (int64_t i = 0; i < size; i++) {
      const double* from = columns.data() + (place ? place[i] : i);
      for (int64_t k = 0; k < size; k++) vectors[i * size + k] = from[k * size];
    }
    if (place) place += size;
    values += size;
    vectors += size * size;
  }
  return 0;
}

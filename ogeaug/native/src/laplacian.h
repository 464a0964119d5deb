// Laplacians of a batch of ordinary graphs: the fast way of ogeaug/spectrum/laplacian.py.
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

struct LaplacianArgs {
  int64_t graphs, edges;
  double scale;             // standard deviation of the noise
  const int64_t *size;      // [B] nodes of each graph
  const int64_t *offset;    // [B] where its matrix begins in `out`
  const int64_t *edge;      // [2, E] numbered through the batch
  const double *weight;     // [E], or null if all are 1
  const int64_t *place;     // [N] the new number of each node in its graph, or null
  const double *noise;      // [sum n (n + 1) / 2] standard normal, or null
  double *out;              // zeros; becomes L = D - A, noise in the lower triangle only
};

// Returns 0, or 1 if some graph is not ordinary: an edge out of bounds or listed one way only,
// weights negative or not finite. The caller then takes the careful way, which says what is wrong.
inline int64_t laplacians(const LaplacianArgs& a) {
  std::vector<int64_t> owner, start(a.graphs);
  for (int64_t g = 0; g < a.graphs; g++) {
    if (a.size[g] < 1) return 1;
    start[g] = owner.size();
    owner.resize(owner.size() + a.size[g], g);
  }
  const int64_t total = owner.size();
  for (int64_t e = 0; e < a.edges; e++) {
    int64_t i = a.edge[e], j = a.edge[a.edges + e];
    if (i < 0 || j < 0 || i >= total || j >= total || owner[i] != owner[j]) return 1;
    const double w = a.weight ? a.weight[e] : 1.0;
    if (!(w >= 0 && std::isfinite(w))) return 1;
    if (i == j) continue;
    const int64_t g = owner[i], n = a.size[g];
    i = a.place ? a.place[i] : i - start[g];
    j = a.place ? a.place[j] : j - start[g];
    a.out[a.offset[g] + i * n + j] -= w;
  }
  const double* noise = a.noise;
  for (int64_t g = 0; g < a.graphs; g++) {
    const int64_t n = a.size[g];
    double* m = a.out + a.offset[g];
    for (int64_t i = 0; i < n; i++) {
      double degree = 0;
      for (int64_t j = 0; j < n; j++) {
        if (m[i * n + j] != m[j * n + i]) return 1;
        degree -= m[i * n + j];
      }
      m[i * n + i] = degree;
    }
    if (noise)
      for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) m[i * n + j] += a.scale * *noise++;
  }
  return 0;
}

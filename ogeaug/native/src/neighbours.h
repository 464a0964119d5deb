// The neighbours of each node, for ordinary undirected graphs.
#pragma once
#include <cstdint>
#include <vector>

struct NeighbourArgs {
  int64_t nodes, edges;
  const int64_t *edge;   // [2, E]
  const double *weight;  // [E], or null if all are 1
  int64_t *start;        // [N + 1] first neighbour of each node
  int64_t *neighbour;    // [E] ascending for each node
  double *out_weight;    // [E], if there are weights
};

// Stable counting sort of the edges in `order` by their end `side`.
inline void sort_edges(const NeighbourArgs& a, int side, const std::vector<int64_t>& order,
                       std::vector<int64_t>& out) {
  std::vector<int64_t> count(a.nodes + 1);
  const int64_t* key = a.edge + side * a.edges;
  for (int64_t e = 0; e < a.edges; e++) count[key[e] + 1]++;
  for (int64_t i = 0; i < a.nodes; i++) count[i + 1] += count[i];
  for (int64_t e : order) out[count[key[e]]++] = e;
}

// Returns 0, or 1 if the graph is not ordinary: loops, parallel edges, edges listed one way only,
// unequal weights of the two ways.
inline int64_t list_neighbours(const NeighbourArgs& a) {
  const int64_t *row = a.edge, *col = a.edge + a.edges;
  std::vector<int64_t> given(a.edges), half(a.edges), by_row(a.edges), by_col(a.edges);
  for (int64_t e = 0; e < a.edges; e++) {
    if (row[e] < 0 || col[e] < 0 || row[e] >= a.nodes || col[e] >= a.nodes) return 1;
    if (row[e] == col[e]) return 1;
    given[e] = e;
  }
  sort_edges(a, 1, given, half);
  sort_edges(a, 0, half, by_row);
  sort_edges(a, 0, given, half);
  sort_edges(a, 1, half, by_col);
  std::fill(a.start, a.start + a.nodes + 1, 0);
  for (int64_t p = 0; p < a.edges; p++) {
    const int64_t e = by_row[p], back = by_col[p];
    if (row[e] != col[back] || col[e] != row[back]) return 1;
    if (a.weight && a.weight[e] != a.weight[back]) return 1;
    if (p > 0 && row[e] == row[by_row[p - 1]] && col[e] == col[by_row[p - 1]]) return 1;
    a.start[row[e] + 1]++;
    a.neighbour[p] = col[e];
    if (a.weight) a.out_weight[p] = a.weight[e];
  }
  for (int64_t i = 0; i < a.nodes; i++) a.start[i + 1] += a.start[i];
  return 0;
}

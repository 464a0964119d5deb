// Digests of graphs: ogeaug/spectrum/digest.py in C++, with the same numbers.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

constexpr double kLargestWeight = 1e12;  // LARGEST_WEIGHT of ogeaug/graph/edges.py

struct DigestArgs {
  int64_t graphs, edges;
  const int64_t *size;   // [B] nodes of each graph
  const int64_t *edge;   // [2, E] numbered through the batch
  const double *weight;  // [E], or null if all are 1
  int64_t *digest;       // [B]
  int64_t *tag;          // [E], or null
};

inline uint64_t mix_bits(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// Of an edge between nodes i and j, numbered in their graph. The weight counts to the 24 binary
// digits of float32, so that it may be stored as such later; -0 is 0.
inline uint64_t edge_digest(int64_t i, int64_t j, double weight) {
  int64_t bits;
  weight += 0.0;
  std::memcpy(&bits, &weight, sizeof bits);
  bits = (bits + ((int64_t(1) << 28) - 1) + ((bits >> 29) & 1)) >> 29;
  return mix_bits(mix_bits((uint64_t(i) << 32) + uint64_t(j)) + uint64_t(bits));
}

// From the sum over the edges, which knows no order, and the number of nodes. Always negative.
inline int64_t graph_digest(uint64_t sum, int64_t nodes) {
  return int64_t(mix_bits(sum + mix_bits(uint64_t(nodes))) | (uint64_t(1) << 63));
}

// Returns 0, or 1 if an edge leaves its graph or a weight is not allowed.
inline int64_t digests(const DigestArgs& a) {
  std::vector<int64_t> owner, start(a.graphs);
  for (int64_t g = 0; g < a.graphs; g++) {
    if (a.size[g] < 0) return 1;
    start[g] = owner.size();
    owner.resize(owner.size() + a.size[g], g);
  }
  const int64_t total = owner.size();
  std::vector<uint64_t> sum(a.graphs);
  for (int64_t e = 0; e < a.edges; e++) {
    const int64_t i = a.edge[e], j = a.edge[a.edges + e];
    if (i < 0 || j < 0 || i >= total || j >= total || owner[i] != owner[j]) return 1;
    const double w = a.weight ? a.weight[e] : 1.0;
    if (!(std::fabs(w) <= kLargestWeight)) return 1;
    const int64_t g = owner[i];
    const uint64_t edge = edge_digest(i - start[g], j - start[g], w);
    if (i != j) sum[g] += edge;
    if (a.tag) a.tag[e] = int64_t(edge);
  }
  for (int64_t g = 0; g < a.graphs; g++) a.digest[g] = graph_digest(sum[g], a.size[g]);
  if (a.tag)
    for (int64_t e = 0; e < a.edges; e++)
      a.tag[e] = int64_t(mix_bits(uint64_t(a.tag[e]) + uint64_t(a.digest[owner[a.edge[e]]])));
  return 0;
}

// The plan of a batch: sizes, windows and neighbours. No list has an entry for each row of W.
#pragma once
#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

struct Plan {
  int64_t graphs, channels, threads;
  const int64_t *node, *eig, *pair;     // [B + 1] first node, eigenpair, pair of each graph
  const int64_t *row1, *row2;           // [B + 1] first row of W1, W2 of each graph
  const int32_t *low, *high, *first;    // [sum K] window of each eigenpair, its first pair
  const void* rho2;                     // [sum P] squared smoothing
  const int64_t* start;                 // [N + 1] first neighbour of each node
  const int64_t* neighbour;             // [E]
  const void* weight;                   // [E], or null if all are 1
};

// One graph of a plan, its eigenpairs and pairs numbered from 0.
template <class T>
struct Graph {
  int64_t node, nodes, eigs, pairs, row1, row2;
  const int32_t *low, *high, *first;
  const T* rho2;

  Graph(const Plan& p, int64_t g)
      : node(p.node[g]), nodes(p.node[g + 1] - node), eigs(p.eig[g + 1] - p.eig[g]),
        pairs(p.pair[g + 1] - p.pair[g]), row1(p.row1[g]), row2(p.row2[g]), low(p.low + p.eig[g]),
        high(p.high + p.eig[g]), first(p.first + p.eig[g]),
        rho2(static_cast<const T*>(p.rho2) + p.pair[g]) {}

  int64_t pair(int64_t k, int64_t l) const { return first[k] + l - low[k]; }
};

// Calls work(thread, graph, first node, last node) for all nodes, split evenly among threads.
template <class T, class F>
void for_nodes(const Plan& p, F&& work) {
  const int64_t total = p.node[p.graphs];
  const int64_t threads = std::max<int64_t>(1, std::min(p.threads, total / 8));
  auto run = [&](int64_t t) {
    const int64_t begin = total * t / threads, end = total * (t + 1) / threads;
    int64_t g = std::upper_bound(p.node, p.node + p.graphs + 1, begin) - p.node - 1;
    for (; g < p.graphs && p.node[g] < end; g++) {
      const Graph<T> graph(p, g);
      work(t, graph, std::max(begin, graph.node) - graph.node,
           std::min(end, graph.node + graph.nodes) - graph.node);
    }
  };
  std::vector<std::thread> others;
  for (int64_t t = 1; t < threads; t++) others.emplace_back(run, t);
  run(0);
  for (auto& other : others) other.join();
}

// The first node that has a neighbour outside its graph, or -1: all else here relies on it.
inline int64_t foreign_neighbour(const Plan& p) {
  for (int64_t g = 0; g < p.graphs; g++)
    for (int64_t i = p.node[g]; i < p.node[g + 1]; i++)
      for (int64_t e = p.start[i]; e < p.start[i + 1]; e++)
        if (p.neighbour[e] < p.node[g] || p.neighbour[e] >= p.node[g + 1]) return i;
  return -1;
}

// The layout of a batch: sizes, windows and neighbours. No list has an entry for each row of W.
#pragma once
#include <algorithm>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

struct Layout {
  int64_t graphs, channels, threads;
  int64_t nodes, eigs, pairs, edges;    // N, sum K, sum P, E: how long the lists are
  const int64_t *node, *eig, *pair;     // [B + 1] first node, eigenpair, pair of each graph
  const int64_t *row1, *row2;           // [B + 1] first row of W1, W2 of each graph
  const int32_t *low, *high, *first;    // [sum K] window of each eigenpair, its first pair
  const void* rho2;                     // [sum P] squared smoothing
  const int64_t* start;                 // [N + 1] first neighbour of each node
  const int64_t* neighbour;             // [E]
  const void* weight;                   // [E], or null if all are 1
};

// One graph of a layout, its eigenpairs and pairs numbered from 0.
template <class T>
struct Graph {
  int64_t node, nodes, eigs, pairs, row1, row2;
  const int32_t *low, *high, *first;
  const T* rho2;

  Graph(const Layout& p, int64_t g)
      : node(p.node[g]), nodes(p.node[g + 1] - node), eigs(p.eig[g + 1] - p.eig[g]),
        pairs(p.pair[g + 1] - p.pair[g]), row1(p.row1[g]), row2(p.row2[g]), low(p.low + p.eig[g]),
        high(p.high + p.eig[g]), first(p.first + p.eig[g]),
        rho2(static_cast<const T*>(p.rho2) + p.pair[g]) {}

  int64_t pair(int64_t k, int64_t l) const { return first[k] + l - low[k]; }
};

// Calls work(thread, graph, first node, last node) for all nodes, split evenly among threads.
template <class T, class F>
void for_nodes(const Layout& p, F&& work) {
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
  // What a thread throws, and memory is what may be lacking, would end the process.
  std::exception_ptr failure;
  std::mutex lock;
  auto guarded = [&](int64_t t) {
    try {
      run(t);
    } catch (...) {
      const std::lock_guard<std::mutex> held(lock);
      failure = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  others.reserve(threads - 1);
  int64_t started = 1;
  try {
    for (; started < threads; started++) others.emplace_back(guarded, started);
  } catch (const std::system_error&) {
    // The system gives no more threads: this one does their part.
  }
  guarded(0);
  for (int64_t t = started; t < threads; t++) guarded(t);
  for (auto& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

// Whether `first[0..count]` ascends from 0 to `end`.
inline bool ascends(const int64_t* first, int64_t count, int64_t end) {
  if (first[0] != 0 || first[count] != end) return false;
  for (int64_t i = 0; i < count; i++)
    if (first[i] > first[i + 1]) return false;
  return true;
}

// Whether `first[0..count]` are the sums of a[g] b[g], from 0.
inline bool sums_up(const int64_t* first, const int64_t* a, const int64_t* b, int64_t count) {
  if (first[0] != 0) return false;
  for (int64_t g = 0; g < count; g++) {
    int64_t rows, end;
    if (__builtin_mul_overflow(a[g + 1] - a[g], b[g + 1] - b[g], &rows)) return false;
    if (__builtin_add_overflow(first[g], rows, &end) || first[g + 1] != end) return false;
  }
  return true;
}

// Whether the windows of a graph lie one after the other in its pairs, and who sees is seen.
template <class T>
inline bool windows_fit(const Graph<T>& g) {
  int64_t pairs = 0;
  for (int64_t k = 0; k < g.eigs; k++) {
    if (g.low[k] < 0 || g.low[k] > g.high[k] || g.high[k] > g.eigs) return false;
    if (g.first[k] != pairs) return false;
    pairs += g.high[k] - g.low[k];
  }
  if (pairs != g.pairs) return false;
  for (int64_t k = 0; k < g.eigs; k++)
    for (int64_t l = g.low[k]; l < g.high[k]; l++)
      if (k < g.low[l] || k >= g.high[l]) return false;
  return true;
}

constexpr int64_t kFits = -1, kTorn = -2, kOneSided = -3;

// All that the layers rely on. Returns kFits; kTorn: the lists do not fit together; kOneSided:
// neither do the windows; or the first node that has a neighbour outside its graph.
inline int64_t check_layout(const Layout& p) {
  if (!ascends(p.node, p.graphs, p.nodes) || !ascends(p.eig, p.graphs, p.eigs) ||
      !ascends(p.pair, p.graphs, p.pairs) || !ascends(p.start, p.nodes, p.edges) ||
      !sums_up(p.row1, p.node, p.eig, p.graphs) || !sums_up(p.row2, p.node, p.pair, p.graphs))
    return kTorn;
  for (int64_t g = 0; g < p.graphs; g++) {
    if (!windows_fit(Graph<char>(p, g))) return kOneSided;
    for (int64_t i = p.node[g]; i < p.node[g + 1]; i++)
      for (int64_t e = p.start[i]; e < p.start[i + 1]; e++)
        if (p.neighbour[e] < p.node[g] || p.neighbour[e] >= p.node[g + 1]) return i;
  }
  return kFits;
}

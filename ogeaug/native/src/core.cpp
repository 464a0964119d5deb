// What Python calls: the layers in each precision, and the preparation.
#include <limits>
#include <new>

#include "digest.h"
#include "edge_sum.h"
#include "message.h"
#include "neighbours.h"
#include "product.h"
#include "roots.h"
#include "search.h"
#include "spectra.h"
#include "start.h"
#include "windows.h"

#define EXPORT extern "C" __attribute__((visibility("default")))
#if defined(__AVX512BF16__)
#define BF16(...) __VA_ARGS__
#else
#define BF16(...)
#endif

constexpr int64_t kNoMemory = std::numeric_limits<int64_t>::min(), kFailed = kNoMemory + 1;

// What a function of the core returns. No exception leaves: C and Python know none of C++.
template <class F>
int64_t guard(F&& f) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    return kNoMemory;
  } catch (...) {
    return kFailed;
  }
}

#define PRECISION(name, Args, suffix, T, S)                          \
  EXPORT int64_t name##_##suffix(const Layout* p, const Args* a) {     \
    return guard([=] { return name<T, S>(*p, *a), int64_t(0); });    \
  }
#define LAYER(name, Args)                   \
  PRECISION(name, Args, f32, float, float)  \
  PRECISION(name, Args, f64, double, double) \
  BF16(PRECISION(name, Args, bf16, float, Bf16))

LAYER(start_forward, StartArgs)
LAYER(start_backward, StartArgs)
LAYER(product_forward, ProductArgs)
LAYER(product_backward, ProductArgs)
LAYER(message_forward, MessageArgs)
LAYER(message_backward, MessageArgs)

// The same without bfloat16.
#define ROOTS(name, suffix, T)                                              \
  EXPORT int64_t name##_##suffix(const Layout* p, const RootArgs* a) {       \
    return guard([=] { return name<T>(*p, *a), int64_t(0); });              \
  }
ROOTS(root_forward, f32, float)
ROOTS(root_forward, f64, double)
ROOTS(root_backward, f32, float)
ROOTS(root_backward, f64, double)

#define EDGES(name, suffix, T) \
  EXPORT int64_t name##_##suffix(const EdgeSumArgs* a) { \
    return guard([=] { return name<T>(*a); }); \
  }
EDGES(edge_sum_forward, f32, float)
EDGES(edge_sum_forward, f64, double)
EDGES(edge_sum_backward, f32, float)
EDGES(edge_sum_backward, f64, double)

// Names end in an underscore: C knows no overloads.
#define PREPARE(name, Args) \
  EXPORT int64_t name##_(const Args* a) { \
    return guard([=] { return name(*a); }); \
  }

PREPARE(digests, DigestArgs)
PREPARE(spectra, SpectraArgs)
PREPARE(list_neighbours, NeighbourArgs)
PREPARE(find_windows, WindowArgs)
PREPARE(window_distances, WindowArgs)
PREPARE(trim_windows, WindowArgs)
PREPARE(check_layout, Layout)
PREPARE(search_branch, SearchArgs)
PREPARE(match_branches, MatchArgs)

// The number that channels must be a multiple of for products in bfloat16; 0 if there are none.
EXPORT int64_t bf16_channels() {
#if defined(__AVX512BF16__)
  return kBf16Columns;
#else
  return 0;
#endif
}

// What Python calls: the layers in each precision, and the preparation.
#include "message.h"
#include "neighbours.h"
#include "product.h"
#include "spectra.h"
#include "start.h"
#include "windows.h"

#define EXPORT extern "C" __attribute__((visibility("default")))
#if defined(__AVX512BF16__)
#define BF16(...) __VA_ARGS__
#else
#define BF16(...)
#endif
#define LAYER(name, Args)                                                                \
  EXPORT void name##_f32(const Plan* p, const Args* a) { name<float, float>(*p, *a); }   \
  EXPORT void name##_f64(const Plan* p, const Args* a) { name<double, double>(*p, *a); } \
  BF16(EXPORT void name##_bf16(const Plan* p, const Args* a) { name<float, Bf16>(*p, *a); })

LAYER(start_forward, StartArgs)
LAYER(start_backward, StartArgs)
LAYER(product_forward, ProductArgs)
LAYER(product_backward, ProductArgs)
LAYER(message_forward, MessageArgs)
LAYER(message_backward, MessageArgs)

// Names end in an underscore: C knows no overloads.
#define PREPARE(name, Args) \
  EXPORT int64_t name##_(const Args* a) { return name(*a); }

PREPARE(spectra, SpectraArgs)
PREPARE(list_neighbours, NeighbourArgs)
PREPARE(find_windows, WindowArgs)
PREPARE(window_distances, WindowArgs)
PREPARE(trim_windows, WindowArgs)
PREPARE(foreign_neighbour, Plan)

// The number that channels must be a multiple of for products in bfloat16; 0 if there are none.
EXPORT int64_t bf16_channels() {
#if defined(__AVX512BF16__)
  return kBf16Columns;
#else
  return 0;
#endif
}

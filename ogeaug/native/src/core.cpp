// What Python calls: each function in single and double precision.
#include "laplacian.h"
#include "message.h"
#include "product.h"
#include "start.h"

#define EXPORT extern "C" __attribute__((visibility("default")))
#define BOTH(name, Args)                                                              \
  EXPORT void name##_f32(const Plan* p, const Args* a) { name<float>(*p, *a); }       \
  EXPORT void name##_f64(const Plan* p, const Args* a) { name<double>(*p, *a); }

BOTH(start_forward, StartArgs)
BOTH(start_backward, StartArgs)
BOTH(product_forward, ProductArgs)
BOTH(product_backward, ProductArgs)
BOTH(message_forward, MessageArgs)
BOTH(message_backward, MessageArgs)
EXPORT int64_t assemble_laplacians(const LaplacianArgs* a) { return laplacians(*a); }

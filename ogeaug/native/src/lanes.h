// Lanes: a run of neighbouring channels of one row, held in vector registers.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#include "bf16.h"

#if defined(__AVX512F__)
constexpr int kBytes = 64, kVectors = 4;  // of 32 registers, 24 sum up, 4 + 1 are read
#elif defined(__AVX__)
constexpr int kBytes = 32, kVectors = 2;  // of 16 registers, 12 sum up, 2 + 1 are read
#elif defined(__aarch64__)
constexpr int kBytes = 16, kVectors = 4;
#else
constexpr int kBytes = 16, kVectors = 2;
#endif
constexpr int kRows = 6;  // rows of a register tile

template <class T, int L, int V>
struct Lanes {
  typedef T Vector __attribute__((vector_size(L * sizeof(T))));
  static constexpr int width = L * V;
  Vector v[V];

  static inline Lanes load(const T* p) {
    Lanes a;
    for (int i = 0; i < V; i++) std::memcpy(&a.v[i], p + i * L, sizeof(Vector));
    return a;
  }
  static inline Lanes all(T x) {
    Lanes a;
    for (int i = 0; i < V; i++) a.v[i] = x - Vector{};
    return a;
  }
  inline void store(T* p) const {
    for (int i = 0; i < V; i++) std::memcpy(p + i * L, &v[i], sizeof(Vector));
  }
  static inline Lanes load(const Bf16* p) {
    Lanes a;
    for (int i = 0; i < V; i++) a.v[i] = expand(p + i * L);
    return a;
  }
  inline void store(Bf16* p) const {
    for (int i = 0; i < V; i++) round(v[i], p + i * L);
  }
  inline Lanes inverse_root() const {
    T x[width];  // entries of vectors one by one would not become one root of a vector
    store(x);
    for (int j = 0; j < width; j++) x[j] = T(1) / std::sqrt(x[j]);
    return load(x);
  }

 private:
  static inline Vector expand(const Bf16* p) {
    Vector x;
#if defined(__AVX512BF16__)
    if constexpr (L == 16) return (Vector)load16(p);
#endif
    for (int j = 0; j < L; j++) x[j] = float(p[j]);
    return x;
  }
  static inline void round(const Vector& x, Bf16* p) {
#if defined(__AVX512BF16__)
    if constexpr (L == 16) return store16(p, (__m512)x);
#endif
    for (int j = 0; j < L; j++) p[j] = Bf16(x[j]);
  }
};

template <class T, int L, int V>
inline Lanes<T, L, V> operator*(Lanes<T, L, V> a, const Lanes<T, L, V>& b) {
  for (int i = 0; i < V; i++) a.v[i] *= b.v[i];
  return a;
}
template <class T, int L, int V>
inline Lanes<T, L, V> operator*(T x, Lanes<T, L, V> a) {
  for (int i = 0; i < V; i++) a.v[i] *= x;
  return a;
}
template <class T, int L, int V>
inline Lanes<T, L, V> operator+(Lanes<T, L, V> a, const Lanes<T, L, V>& b) {
  for (int i = 0; i < V; i++) a.v[i] += b.v[i];
  return a;
}
template <class T, int L, int V>
inline Lanes<T, L, V> operator-(Lanes<T, L, V> a, const Lanes<T, L, V>& b) {
  for (int i = 0; i < V; i++) a.v[i] -= b.v[i];
  return a;
}
template <class T, int L, int V>
inline Lanes<T, L, V>& operator+=(Lanes<T, L, V>& a, const Lanes<T, L, V>& b) {
  for (int i = 0; i < V; i++) a.v[i] += b.v[i];
  return a;
}

// Calls f(Lanes, first channel) for runs of channels that cover 0..h-1, the widest first. Runs of two
// vectors are for 32 channels: what surrounds the arithmetic is then done once, not twice.
template <class T, class F>
inline void for_channels(int h, F&& f) {
  constexpr int L = kBytes / sizeof(T);
  int c = 0;
  for (; c + kVectors * L <= h; c += kVectors * L) f(Lanes<T, L, kVectors>{}, c);
  if constexpr (kVectors > 2)
    for (; c + 2 * L <= h; c += 2 * L) f(Lanes<T, L, 2>{}, c);
  for (; c + L <= h; c += L) f(Lanes<T, L, 1>{}, c);
  for (; c + L / 2 <= h; c += L / 2) f(Lanes<T, L / 2, 1>{}, c);
  if constexpr (L > 4)  // 20 channels are a run of 16 and one of 4, not of four times 1
    for (; c + L / 4 <= h; c += L / 4) f(Lanes<T, L / 4, 1>{}, c);
  for (; c < h; c++) f(Lanes<T, 1, 1>{}, c);
}

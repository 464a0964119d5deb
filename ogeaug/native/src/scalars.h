// The tensors of order 0 in both layers: small, and of one number per node and channel.
#pragma once
#include <cmath>

#include "layout.h"
#include "matmul.h"

// The parameters of t = silu(norm(w m^T + b)), or where their gradients go.
template <class T>
struct ScalarMix {
  T *matrix, *bias, *gain, *shift;  // [h, h] as in nn.Linear, [h], [h], [h]
};

// What its backward pass needs: the normalised rows x, sigmoid(z) of z = gain x + shift, the roots.
template <class T>
struct ScalarTrace {
  T *x, *sigmoid, *root;  // [n, h], [n, h], [n]
};

inline double exponential(double x) { return std::exp(x); }

// A polynomial around the nearest multiple of log 2, so that loops over it become vectors; off by one
// unit in the last place at most.
inline float exponential(float x) {
  x = std::fmin(std::fmax(x, -87.0f), 88.0f);
  const float k = std::rint(x * 1.44269504f);
  const float r = (x - k * 0.693359375f) + k * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  for (const float c : {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f, 1.6666665459e-1f,
                        5.0000001201e-1f})
    p = p * r + c;
  const int32_t bits = (int32_t(k) + 127) << 23;
  float power;
  std::memcpy(&power, &bits, sizeof power);
  return (p * r * r + r + 1) * power;
}

// t = silu(norm(w m^T + b)) of n rows.
template <class T>
void mix_scalars(int64_t n, const T* w, const ScalarMix<const T>& m, T eps, const ScalarTrace<T>& to,
                 T* t, int64_t h) {
  mix(n, w, Matrix<T, T>(m.matrix, h, true), to.x);
  for (int64_t i = 0; i < n; i++) {
    T *x = to.x + i * h, *sigmoid = to.sigmoid + i * h;
    T sum = 0, squares = 0;
    for (int64_t c = 0; c < h; c++) sum += x[c] += m.bias[c];
    const T mean = sum / T(h);
    for (int64_t c = 0; c < h; c++) squares += (x[c] - mean) * (x[c] - mean);
    const T root = to.root[i] = T(1) / std::sqrt(squares / T(h) + eps);
    for (int64_t c = 0; c < h; c++) {
      x[c] = (x[c] - mean) * root;
      const T z = m.gain[c] * x[c] + m.shift[c];
      sigmoid[c] = T(1) / (T(1) + exponential(-z));
      t[i * h + c] = z * sigmoid[c];
    }
  }
}

// Adds the gradients of w and of the parameters; dt, that of t, is overwritten.
template <class T>
void mix_scalars_backward(int64_t n, const T* w, const ScalarMix<const T>& m,
                          const ScalarTrace<T>& from, T* dt, T* dw, const ScalarMix<T>& d,
                          int64_t h) {
  for (int64_t i = 0; i < n; i++) {
    const T *x = from.x + i * h, *sigmoid = from.sigmoid + i * h;
    T* dy = dt + i * h;
    T sum = 0, along = 0;
    for (int64_t c = 0; c < h; c++) {
      const T z = m.gain[c] * x[c] + m.shift[c];
      const T dz = dy[c] * sigmoid[c] * (T(1) + z * (T(1) - sigmoid[c]));
      d.shift[c] += dz;
      d.gain[c] += dz * x[c];
      dy[c] = dz * m.gain[c];
      sum += dy[c];
      along += dy[c] * x[c];
    }
    for (int64_t c = 0; c < h; c++) {
      dy[c] = from.root[i] * (dy[c] - sum / T(h) - x[c] * along / T(h));
      d.bias[c] += dy[c];
    }
  }
  mix_gradient<T>(n, dt, w, d.matrix, h);
  mix(n, dt, Matrix<T, T>(m.matrix, h, false), dw, dw);
}

// out = add + sum over neighbours j of weight * t_j.
template <class T>
void receive_scalars(const Layout& layout, const T* t, const T* add, T* out) {
  const int64_t h = layout.channels;
  const T* weight = static_cast<const T*>(layout.weight);
  for (int64_t i = 0; i < layout.nodes; i++) {
    for (int64_t c = 0; c < h; c++) out[i * h + c] = add ? add[i * h + c] : T(0);
    for (int64_t e = layout.start[i]; e < layout.start[i + 1]; e++) {
      const T* from = t + layout.neighbour[e] * h;
      const T a = weight ? weight[e] : T(1);
      for (int64_t c = 0; c < h; c++) out[i * h + c] += a * from[c];
    }
  }
}

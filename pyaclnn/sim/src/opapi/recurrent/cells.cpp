// SPDX-License-Identifier: MIT
#include <cmath>

#include "opapi/recurrent/network.hpp"

namespace pyaclnn::sim {
namespace {

float sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }

void lstm_step(std::int64_t units, const float* from_input, const float* from_hidden, const float*,
               const float* cell_before, float* const* kept) {
  for (std::int64_t u = 0; u < units; ++u) {
    const auto gate = [&](std::int64_t g) {
      return from_input[g * units + u] + from_hidden[g * units + u];
    };
    const float i = sigmoid(gate(0));
    const float f = sigmoid(gate(1));
    const float g = std::tanh(gate(2));
    const float o = sigmoid(gate(3));
    const float c = f * cell_before[u] + i * g;
    const float squashed = std::tanh(c);
    const float values[] = {i, g, f, o, o * squashed, c, squashed};
    for (int k = 0; k < 7; ++k) kept[k][u] = values[k];
  }
}

void lstm_back(std::int64_t units, const float* const* kept, const float*, const float* cell_before,
               float* grad_hidden, float* grad_cell, float* to_input, float* to_hidden) {
  for (std::int64_t u = 0; u < units; ++u) {
    const float i = kept[0][u];
    const float g = kept[1][u];
    const float f = kept[2][u];
    const float o = kept[3][u];
    const float squashed = kept[6][u];
    const float cell = grad_cell[u] + grad_hidden[u] * o * (1.0f - squashed * squashed);
    const float gates[] = {cell * g * i * (1.0f - i), cell * cell_before[u] * f * (1.0f - f),
                           cell * i * (1.0f - g * g), grad_hidden[u] * squashed * o * (1.0f - o)};
    for (int k = 0; k < 4; ++k) to_input[k * units + u] = to_hidden[k * units + u] = gates[k];
    grad_hidden[u] = 0.0f;
    grad_cell[u] = cell * f;
  }
}

void gru_step(std::int64_t units, const float* from_input, const float* from_hidden,
              const float* hidden_before, const float*, float* const* kept) {
  for (std::int64_t u = 0; u < units; ++u) {
    const float r = sigmoid(from_input[u] + from_hidden[u]);
    const float z = sigmoid(from_input[units + u] + from_hidden[units + u]);
    const float of_hidden = from_hidden[2 * units + u];
    const float n = std::tanh(from_input[2 * units + u] + r * of_hidden);
    const float values[] = {r, z, n, of_hidden, (1.0f - z) * n + z * hidden_before[u]};
    for (int k = 0; k < 5; ++k) kept[k][u] = values[k];
  }
}

void gru_back(std::int64_t units, const float* const* kept, const float* hidden_before,
              const float*, float* grad_hidden, float*, float* to_input, float* to_hidden) {
  for (std::int64_t u = 0; u < units; ++u) {
    const float r = kept[0][u];
    const float z = kept[1][u];
    const float n = kept[2][u];
    const float grad = grad_hidden[u];
    const float of_n = grad * (1.0f - z) * (1.0f - n * n);
    const float of_r = of_n * kept[3][u] * r * (1.0f - r);
    const float of_z = grad * (hidden_before[u] - n) * z * (1.0f - z);
    to_input[u] = to_hidden[u] = of_r;
    to_input[units + u] = to_hidden[units + u] = of_z;
    to_input[2 * units + u] = of_n;
    to_hidden[2 * units + u] = of_n * r;
    grad_hidden[u] = grad * z;
  }
}

}  // namespace

const Cell kLstmCell = {4, 4, 5, 7, lstm_step, lstm_back};
const Cell kGruCell = {3, 4, -1, 5, gru_step, gru_back};

}  // namespace pyaclnn::sim

// SPDX-License-Identifier: MIT
#include "opapi/quant/sources.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "opapi/common/cpu_wide.hpp"
#include "opapi/common/round_stored.hpp"
#include "opapi/pointwise/math.hpp"

namespace pyaclnn::sim {
namespace {

struct GateLoop {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* a, const float* b, std::int64_t count, float alpha,
                                    float bias, float* y) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i)
      y[i] = a[i] / (1.0f + m::exp(-(alpha * a[i]))) * (b[i] + bias);
  }
};

struct GateGradientLoop {
  template <Isa>
  static SIM_ALWAYS_INLINE void run(const float* a, const float* grad, std::int64_t count,
                                    float* to) {
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) {
      const float b = a[count + i], sigmoid = 1.0f / (1.0f + m::exp(-a[i]));
      to[i] = ((1.0f - sigmoid) * a[i] + 1.0f) * b * sigmoid * grad[i];
      to[count + i] = sigmoid * grad[i] * a[i];
    }
  }
};

}  // namespace

void Normalised::operator()(const KernelMemory& memory, const RowPlace& place, float* to) const {
  const std::int64_t at = place.row * width;
  std::vector<float> buffer(static_cast<std::size_t>(width));
  const float* const first = RowMajorAccess(x1, memory).read(at, width, to);
  if (x2.given()) {
    const float* const second = RowMajorAccess(x2, memory).read(at, width, buffer.data());
    for (std::int64_t i = 0; i < width; ++i) to[i] = first[i] + second[i];
  } else if (first != to) {
    std::copy_n(first, width, to);
  }
  if (sum.given()) RowMajorAccess(sum, memory).write(at, width, to);
  if (rounds_sum) round_as_stored(to, width, dtype);
  double squares = 0;
  for (std::int64_t i = 0; i < width; ++i) squares += double(to[i]) * double(to[i]);
  const float mean = float(squares / double(width));
  const float plain = 1.0f / std::sqrt(mean + epsilon);
  const float factor = refines_root ? float(1.0 / std::sqrt(double(mean + epsilon))) : plain;
  if (rounds_later) round_as_stored(to, width, dtype);
  if (inverse.given()) RowMajorAccess(inverse, memory).write(place.row, 1, &factor);
  for (std::int64_t i = 0; i < width; ++i) to[i] *= factor;
  if (in_halves) round_as_stored(to, width, ACL_FLOAT16);
  const float* const factors = RowMajorAccess(gamma, memory).read(0, width, buffer.data());
  for (std::int64_t i = 0; i < width; ++i) to[i] *= factors[i];
  if (in_halves) round_as_stored(to, width, ACL_FLOAT16);
  if (norm.given()) RowMajorAccess(norm, memory).write(at, width, to);
  if (beta.given()) {
    const float* const shifts = RowMajorAccess(beta, memory).read(0, width, buffer.data());
    for (std::int64_t i = 0; i < width; ++i) to[i] += shifts[i];
  }
  if (rounds) round_as_stored(to, width, dtype);
}

void Centred::operator()(const KernelMemory& memory, const RowPlace& place, float* to) const {
  const std::int64_t at = place.row * width;
  std::vector<float> buffer(static_cast<std::size_t>(width));
  const float* const first = RowMajorAccess(x1, memory).read(at, width, to);
  if (first != to) std::copy_n(first, width, to);
  const auto apply = [&](const RowMajor& operand, std::int64_t position, auto with) {
    if (!operand.given()) return;
    const float* const values =
        RowMajorAccess(operand, memory).read(position, width, buffer.data());
    for (std::int64_t i = 0; i < width; ++i) with(to[i], values[i]);
  };
  const auto add = [](float& value, float other) { value += other; };
  const auto multiply = [](float& value, float other) { value *= other; };
  apply(x2, at, add);
  apply(bias, bias_by_row ? at : 0, add);
  if (sum.given()) RowMajorAccess(sum, memory).write(at, width, to);
  double total = 0, squares = 0;
  for (std::int64_t i = 0; i < width; ++i) total += double(to[i]);
  const float mean = float(total / double(width));
  for (std::int64_t i = 0; i < width; ++i) to[i] -= mean;
  for (std::int64_t i = 0; i < width; ++i) squares += double(to[i]) * double(to[i]);
  const float deviation = std::sqrt(float(squares / double(width)) + epsilon);
  for (std::int64_t i = 0; i < width; ++i) to[i] *= 1.0f / deviation;
  apply(gamma, 0, multiply);
  apply(beta, 0, add);
  const std::int64_t of_band = place.row / band * width;
  if (fused && scale.given() && shift.given()) {
    const std::vector<float> rows(to, to + width);
    apply(shift, of_band, [](float& value, float other) { value = other; });
    std::int64_t i = 0;
    apply(scale, of_band, [&](float& value, float other) {
      value = std::fma(rows[std::size_t(i++)], 1.0f + other, value);
    });
  } else {
    apply(scale, of_band, [](float& value, float other) { value *= 1.0f + other; });
    apply(shift, of_band, add);
  }
  if (result.given()) RowMajorAccess(result, memory).write(at, width, to);
}

bool ends_with(const Dims& shape, const Dims& last) {
  return !last.empty() && last.size() <= shape.size() &&
         std::equal(last.begin(), last.end(), shape.end() - std::ptrdiff_t(last.size()));
}

RowMajor read_rows(Plan& plan, const TensorArgument& tensor) {
  if (!tensor.given() || tensor.is_empty()) return {};
  plan.stage(tensor).contiguous();
  return RowMajor(plan.reads(tensor));
}

HalvesGate halves_gate(bool left, bool clamped, double limit, double alpha, double bias) {
  HalvesGate gate;
  gate.left = left;
  if (!clamped) return gate;
  gate.clamped = gate.interleaved = true;
  gate.limit = float(limit);
  gate.alpha = float(alpha);
  gate.bias = float(bias);
  return gate;
}

RowSource gated_halves(const RowSource& whole, std::int64_t width, const HalvesGate& given) {
  const HalvesGate gate = given;
  const auto loop =
      wide_loop_for_cpu<GateLoop, const float*, const float*, std::int64_t, float, float, float*>();
  return [=](const KernelMemory& memory, const RowPlace& place, float* to) {
    const auto count = static_cast<std::size_t>(width);
    std::vector<float> row(2 * count), parts;
    whole(memory, {place.row, place.group, 2 * width}, row.data());
    float* a = row.data() + (gate.left ? 0 : width);
    float* b = row.data() + (gate.left ? width : 0);
    if (gate.interleaved) {
      parts.resize(2 * count);
      for (std::size_t i = 0; i < count; ++i) {
        parts[i] = row[2 * i];
        parts[count + i] = row[2 * i + 1];
      }
      a = parts.data();
      b = parts.data() + width;
    }
    if (gate.clamped) {
      for (std::int64_t i = 0; i < width; ++i) {
        a[i] = a[i] > gate.limit ? gate.limit : a[i];
        b[i] = b[i] > gate.limit ? gate.limit : b[i] < -gate.limit ? -gate.limit : b[i];
      }
    }
    loop(a, b, width, gate.alpha, gate.bias, to);
    round_as_stored(to, width, gate.rounds_to);
  };
}

RowSource gated_gradients(const RowSource& whole, const RowSource& grad, std::int64_t width,
                          aclDataType rounds_to) {
  const auto loop =
      wide_loop_for_cpu<GateGradientLoop, const float*, const float*, std::int64_t, float*>();
  return [=](const KernelMemory& memory, const RowPlace& place, float* to) {
    std::vector<float> row(static_cast<std::size_t>(2 * width)), of_row(row.size() / 2);
    whole(memory, {place.row, place.group, 2 * width}, row.data());
    grad(memory, {place.row, place.group, width}, of_row.data());
    loop(row.data(), of_row.data(), width, to);
    round_as_stored(to, 2 * width, rounds_to);
  };
}

}  // namespace pyaclnn::sim

// SPDX-License-Identifier: MIT
#include "opapi/norm/channel_loops.hpp"

#include "opapi/common/double_lanes.hpp"

#define SIM_LANES_CODE "opapi/norm/channel_loops_lanes.hpp"
#include "opapi/common/each_lanes.hpp"

namespace pyaclnn::sim {
namespace {

void add_row(const float* grad, const float* x, std::int64_t count, double mean, double* sums) {
  DoubleLanes plain;
  DoubleLanes products;
  std::int64_t i = 0;
  for (; i + DoubleLanes::kLanes <= count; i += DoubleLanes::kLanes) {
    const DoubleLanes g(grad + i);
    plain += g;
    products.add_products(g, DoubleLanes(x + i));
  }
  for (; i < count; ++i) {
    plain.add_to_first(double(grad[i]));
    products.add_to_first(double(grad[i]) * double(x[i]));
  }
  const double total = plain.total();
  sums[0] += total;
  // Products of floats are exact, so that little is lost by taking the mean from their sum.
  sums[1] += products.total() - mean * total;
}

void add_rows(const void* grads, const void* xs, std::int64_t rows, std::int64_t count,
              const double* means, double* sums) {
  const auto* grad = static_cast<const float*>(grads);
  const auto* x = static_cast<const float*>(xs);
  for (std::int64_t row = 0; row < rows; ++row)
    add_row(grad + row * count, x + row * count, count, means[row], sums + 2 * row);
}

void map_rows(const void* grads, const void* xs, std::int64_t x_step, std::int64_t rows,
              std::int64_t count, const RowFactors* factors, void* results) {
  const auto* grad = static_cast<const float*>(grads);
  const auto* x = static_cast<const float*>(xs);
  auto* out = static_cast<float*>(results);
  const RowFactors of = *factors;
  for (std::int64_t row = 0; row < rows; ++row, grad += count, x += x_step, out += count) {
    const double grad_factor = of.grad[row];
    const double x_factor = of.x[row];
    const double constant = of.constant[row] - x_factor * of.mean[row];
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i)
      out[i] = static_cast<float>(
          fma(grad_factor, double(grad[i]), fma(x_factor, double(x[i]), constant)));
  }
}

constexpr ChannelLoops kFloats{&add_rows, &map_rows};

}  // namespace

const ChannelLoops* ChannelLoops::in_place([[maybe_unused]] aclDataType dtype) {
  return SIM_BY_LANES(channel_loops(dtype));
}

const ChannelLoops& ChannelLoops::of_floats() {
  const ChannelLoops* loops = in_place(ACL_FLOAT);
  return loops != nullptr ? *loops : kFloats;
}

}  // namespace pyaclnn::sim

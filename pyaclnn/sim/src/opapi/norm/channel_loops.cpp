// SPDX-License-Identifier: MIT
#include "opapi/norm/channel_loops.hpp"

#include "opapi/common/double_lanes.hpp"
#include "opapi/norm/precision.hpp"

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

template <class Number>
void map_rows(const void* grads, const void* xs, std::int64_t x_step, std::int64_t rows,
              std::int64_t count, const RowFactors* factors, void* results) {
  const auto* grad = static_cast<const float*>(grads);
  const auto* x = static_cast<const float*>(xs);
  auto* out = static_cast<float*>(results);
  const RowFactors of = *factors;
  for (std::int64_t row = 0; row < rows; ++row, grad += count, x += x_step, out += count) {
    const auto mean = Number(of.mean[row]);
    const auto grad_factor = Number(of.grad[row]);
    const auto x_factor = Number(of.x[row]);
    const auto constant = Number(of.constant[row]);
    SIM_INDEPENDENT_ITERATIONS
    for (std::int64_t i = 0; i < count; ++i) {
      const Number of_x = fma(x_factor, Number(x[i]) - mean, constant);
      out[i] = static_cast<float>(fma(grad_factor, Number(grad[i]), of_x));
    }
  }
}

constexpr ChannelLoops kInFloats{&add_rows, &map_rows<float>};
constexpr ChannelLoops kInDoubles{&add_rows, &map_rows<double>};

}  // namespace

const ChannelLoops* ChannelLoops::in_place([[maybe_unused]] aclDataType dtype) {
  return SIM_BY_LANES(channel_loops(dtype, false));
}

const ChannelLoops& ChannelLoops::of_floats(aclDataType dtype) {
  const ChannelLoops* lanes = SIM_BY_LANES(channel_loops(dtype, true));
  if (lanes != nullptr) return *lanes;
  return is_computed_in_floats(dtype) ? kInFloats : kInDoubles;
}

}  // namespace pyaclnn::sim

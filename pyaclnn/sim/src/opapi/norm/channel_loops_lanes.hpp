// ChannelLoops in registers of 16 floats. Compiled by each_lanes.hpp.
// SPDX-License-Identifier: MIT
#include <cstdint>

#include "opapi/common/lanes.hpp"
#include "opapi/norm/channel_loops.hpp"

namespace pyaclnn::sim::SIM_LANES {
namespace {

template <class Form>
SIM_LANES_LOOP void add_rows(const void* grads, const void* xs, std::int64_t rows,
                             std::int64_t count, const double* means, double* sums) {
  using Bits = typename Form::Bits;
  const auto* grad = static_cast<const Bits*>(grads);
  const auto* x = static_cast<const Bits*>(xs);
  for (std::int64_t row = 0; row < rows; ++row, grad += count, x += count, sums += 2) {
    Doubles plain = Doubles::of(0.0);
    Doubles products = plain;
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      const Doubles g = Form::doubles_at(grad + i);
      plain = plain + g;
      products = fused(g, Form::doubles_at(x + i), products);
    }
    if (i < count) {
      double first = plain.first();
      double first_product = products.first();
      for (; i < count; ++i) {
        const double g = double(Form::value(grad[i]));
        first += g;
        first_product += g * double(Form::value(x[i]));
      }
      plain = plain.with_first(first);
      products = products.with_first(first_product);
    }
    const double total = plain.total();
    sums[0] += total;
    sums[1] += products.total() - means[row] * total;
  }
}

struct RowMap {
  double grad_factor;
  double x_factor;
  double constant;

  template <class Form>
  SIM_LANES_INLINE Floats of(Form, const typename Form::Bits* grad,
                             const typename Form::Bits* x) const {
    const Doubles of_x = fused(Doubles::of(x_factor), Form::doubles_at(x), Doubles::of(constant));
    return fused(Doubles::of(grad_factor), Form::doubles_at(grad), of_x).narrowed();
  }
  SIM_LANES_INLINE float of(float grad, float x) const {
    return static_cast<float>(
        __builtin_fma(grad_factor, double(grad), __builtin_fma(x_factor, double(x), constant)));
  }
};

template <class Form>
SIM_LANES_LOOP void map_rows(const void* grads, const void* xs, std::int64_t x_step,
                             std::int64_t rows, std::int64_t count, const RowFactors* factors,
                             void* results) {
  using Bits = typename Form::Bits;
  const auto* grad = static_cast<const Bits*>(grads);
  const auto* x = static_cast<const Bits*>(xs);
  auto* out = static_cast<Bits*>(results);
  const RowFactors of = *factors;
  for (std::int64_t row = 0; row < rows; ++row, grad += count, x += x_step, out += count) {
    const RowMap map{of.grad[row], of.x[row], of.constant[row] - of.x[row] * of.mean[row]};
    std::int64_t i = 0;
    for (; i + 2 * kLanes <= count; i += 2 * kLanes)
      Form::template put<false>(out + i, map.of(Form(), grad + i, x + i),
                                map.of(Form(), grad + i + kLanes, x + i + kLanes));
    if (i + kLanes <= count) {
      Form::put(out + i, map.of(Form(), grad + i, x + i));
      i += kLanes;
    }
    for (; i < count; ++i) out[i] = Form::bits(map.of(Form::value(grad[i]), Form::value(x[i])));
  }
}

template <class Form>
constexpr ChannelLoops kLoops{&add_rows<Form>, &map_rows<Form>};

const ChannelLoops* channel_loops(aclDataType dtype) {
  if (dtype == ACL_FLOAT) return &kLoops<OfFloats>;
  if (dtype == ACL_FLOAT16) return &kLoops<OfHalves>;
  if (dtype == ACL_BF16) return &kLoops<OfBfloat16s>;
  return nullptr;
}

}  // namespace
}  // namespace pyaclnn::sim::SIM_LANES

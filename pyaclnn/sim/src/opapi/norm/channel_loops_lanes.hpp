// ChannelLoops in registers of 16 floats. Compiled by each_lanes.hpp.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <type_traits>

#include "opapi/common/double_lanes.hpp"
#include "opapi/common/lanes.hpp"
#include "opapi/norm/channel_loops.hpp"
#include "opapi/norm/precision.hpp"

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

/// The map with its factors as registers of floats, or of doubles.
template <class Some, class One>
struct RowMap {
  One mean;
  One grad_factor;
  One x_factor;
  One constant;

  template <class Form>
  static SIM_LANES_INLINE Some at(Form, const typename Form::Bits* from) {
    if constexpr (std::is_same_v<Some, Floats>)
      return Form::at(from);
    else
      return Form::doubles_at(from);
  }
  static SIM_LANES_INLINE Floats narrowed(Floats values) { return values; }
  static SIM_LANES_INLINE Floats narrowed(const Doubles& values) { return values.narrowed(); }

  template <class Form>
  SIM_LANES_INLINE Floats of(Form form, const typename Form::Bits* grad,
                             const typename Form::Bits* x) const {
    const Some centered = at(form, x) - Some::of(mean);
    const Some of_x = fused(Some::of(x_factor), centered, Some::of(constant));
    return narrowed(fused(Some::of(grad_factor), at(form, grad), of_x));
  }
  SIM_LANES_INLINE float of(float grad, float x) const {
    const One of_x = fma(x_factor, One(x) - mean, constant);
    return static_cast<float>(fma(grad_factor, One(grad), of_x));
  }
};

template <class Form, class Some, class One>
SIM_LANES_LOOP void map_rows(const void* grads, const void* xs, std::int64_t x_step,
                             std::int64_t rows, std::int64_t count, const RowFactors* factors,
                             void* results) {
  using Bits = typename Form::Bits;
  const auto* grad = static_cast<const Bits*>(grads);
  const auto* x = static_cast<const Bits*>(xs);
  auto* out = static_cast<Bits*>(results);
  const RowFactors of = *factors;
  for (std::int64_t row = 0; row < rows; ++row, grad += count, x += x_step, out += count) {
    const RowMap<Some, One> map{One(of.mean[row]), One(of.grad[row]), One(of.x[row]),
                                One(of.constant[row])};
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
constexpr ChannelLoops kInFloats{&add_rows<Form>, &map_rows<Form, Floats, float>};
template <class Form>
constexpr ChannelLoops kInDoubles{&add_rows<Form>, &map_rows<Form, Doubles, double>};

/// `converted`: the elements lie as floats, which were of this type.
const ChannelLoops* channel_loops(aclDataType dtype, bool converted) {
  if (converted) return is_computed_in_floats(dtype) ? &kInFloats<OfFloats> : &kInDoubles<OfFloats>;
  if (dtype == ACL_FLOAT) return &kInDoubles<OfFloats>;
  if (dtype == ACL_FLOAT16) return &kInFloats<OfHalves>;
  if (dtype == ACL_BF16) return &kInFloats<OfBfloat16s>;
  return nullptr;
}

}  // namespace
}  // namespace pyaclnn::sim::SIM_LANES

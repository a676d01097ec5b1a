// SPDX-License-Identifier: MIT
#include "opapi/padding/pad_grad.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/checked.hpp"
#include "opapi/common/axis_sums.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"

namespace pyaclnn::sim {
namespace {

using Extent = Checked<std::int64_t>;

/// The numbers before and after an axis, counted from the innermost one.
std::int64_t before(const IntArrayIn& padding, std::size_t axis) {
  return padding.values()[2 * axis];
}
std::int64_t after(const IntArrayIn& padding, std::size_t axis) {
  return padding.values()[2 * axis + 1];
}

std::int64_t extent_of(const TensorArgument& tensor, std::size_t axis) {
  return tensor.shape()[tensor.rank() - 1 - axis];
}

/// The longest padding an axis takes.
std::int64_t limit_of(PadMode mode, std::size_t axes, std::int64_t extent) {
  const bool whole = mode == PadMode::kCircular && axes == 2;
  return whole ? extent : extent - 1;
}

/// The element that a place copies, both counted from the start of the unpadded axis.
std::int64_t source_of(std::int64_t place, std::int64_t extent, PadMode mode) {
  switch (mode) {
    case PadMode::kReflect:
      return place < 0 ? -place : place >= extent ? 2 * (extent - 1) - place : place;
    case PadMode::kEdge:
      return std::clamp<std::int64_t>(place, 0, extent - 1);
    default:
      return (place + extent) % extent;
  }
}

AxisMap pad_map(std::int64_t extent, std::int64_t front, std::int64_t padded, PadMode mode) {
  AxisMap::Terms terms;
  for (std::int64_t i = 0; i < padded; ++i)
    terms.push_back({source_of(i - front, extent, mode), i, 1.0});
  return {padded, extent, terms};
}

}  // namespace

void check_padding(const Check& check, const TensorArgument& self, const IntArrayIn& padding,
                   PadMode mode, std::size_t axes) {
  check.that(padding.values().size() == 2 * axes, "padding has %zu entries, it takes %zu",
             padding.values().size(), 2 * axes);
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  for (std::int64_t value : padding.values())
    check.that(value >= -kMost && value <= kMost, "padding contains %lld, which no tensor has",
               static_cast<long long>(value));
  for (std::size_t i = 0; i < axes && mode != PadMode::kEdge; ++i) {
    const std::int64_t longest = std::max(before(padding, i), after(padding, i));
    const std::int64_t limit = limit_of(mode, axes, extent_of(self, i));
    check.that(longest <= limit, "padding has %lld for an axis of %lld, at most %lld is allowed",
               static_cast<long long>(longest), static_cast<long long>(extent_of(self, i)),
               static_cast<long long>(limit));
  }
}

void check_bf16_padding(const Check& check, const TensorArgument& self, const IntArrayIn& padding) {
  if (self.dtype() != ACL_BF16) return;
  const auto& values = padding.values();
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  check.that(*low >= 0 && (*high <= 7 || (values[2] == 0 && values[3] == 0)),
             "padding is from %lld to %lld, bfloat16 takes 0 to 7, or no padding of the height",
             static_cast<long long>(*low), static_cast<long long>(*high));
}

void check_padded(const Check& check, const TensorArgument& grad_output, const TensorArgument& self,
                  const IntArrayIn& padding) {
  Dims padded = grad_output.shape();
  for (std::size_t i = 0; i < padding.values().size() / 2; ++i)
    padded.set(self.rank() - 1 - i,
               (Extent(extent_of(self, i)) + before(padding, i) + after(padding, i)).saturated());
  check.shape_is(grad_output, padded, "the padded shape of self");
}

void check_empty_pad(const Check& check, const TensorArgument& self, PadMode mode,
                     std::size_t axes) {
  const bool batched = self.rank() == axes + 2;
  const bool takes_no_channels = axes < 3 && mode != PadMode::kEdge;
  check.that(batched || takes_no_channels, "self of shape %s is empty: that takes a batch axis",
             self.shape().text().c_str());
  for (std::size_t i = 1; i < self.rank(); ++i)
    check.that(self.shape()[i] != 0, "self has shape %s: only the first extent may be 0",
               self.shape().text().c_str());
}

void pad_gradient(Plan& plan, const TensorArgument& grad_output, const TensorArgument& self,
                  const IntArrayIn& padding, const TensorArgument& grad_input, PadMode mode) {
  plan.stage(grad_output).contiguous();
  plan.stage(self).contiguous();
  const bool is_newer = mode == PadMode::kCircular || self.dtype() == ACL_BF16;
  check_inside(plan, !(on_first_generation() && is_newer), "%s has no kernel for this",
               chip().name);
  const std::size_t axes = padding.values().size() / 2;
  Dims result = grad_output.shape();
  for (std::size_t i = self.rank() - axes; i < self.rank(); ++i) result.set(i, self.shape()[i]);
  plan.result(self.dtype(), result).copy_to(grad_input);
  std::vector<AxisMap> maps;
  for (std::size_t i = axes; i-- > 0;)
    maps.push_back(
        pad_map(extent_of(self, i), before(padding, i), extent_of(grad_output, i), mode));
  launch_axis_sums(plan, grad_output, grad_input, std::move(maps));
}

}  // namespace pyaclnn::sim

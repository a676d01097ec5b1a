// SPDX-License-Identifier: MIT
#include "opapi/padding/pad_grad.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/checked.hpp"
#include "core/status.hpp"
#include "opapi/common/axis_sums.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"

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

void check_padding(const Check& check, const In& self, const IntArrayIn& padding, PadMode mode,
                   std::size_t axes) {
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

/// In two dimensions bfloat16 has a kernel for small padding only, or none of the height.
void check_bf16(const Check& check, const IntArrayIn& padding) {
  const auto& values = padding.values();
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  check.that(*low >= 0 && (*high <= 7 || (values[2] == 0 && values[3] == 0)),
             "padding is from %lld to %lld, bfloat16 takes 0 to 7, or no padding of the height",
             static_cast<long long>(*low), static_cast<long long>(*high));
}

void check_shapes(const Check& check, const In& grad_output, const In& self,
                  const IntArrayIn& padding, const Out& grad_input, PadMode mode,
                  std::size_t axes) {
  check.same_shape(self, grad_input);
  check.that(self.rank() == axes + 1 || self.rank() == axes + 2,
             "self has %zu dimensions, it must have %zu or %zu", self.rank(), axes + 1, axes + 2);
  check.that(grad_output.rank() == self.rank(), "gradOutput has %zu dimensions, self has %zu",
             grad_output.rank(), self.rank());
  check_padding(check, self, padding, mode, axes);
  if (axes == 2 && mode != PadMode::kCircular && grad_output.dtype() == ACL_BF16)
    check_bf16(check, padding);
  Dims padded = self.shape();
  for (std::size_t i = 0; i < axes; ++i)
    padded.set(self.rank() - 1 - i,
               (Extent(extent_of(self, i)) + before(padding, i) + after(padding, i)).saturated());
  check.shape_is(grad_output, padded, "the padded shape of self");
}

/// Only the first axis may be empty, and without a batch some operators do not even take that.
void check_empty(const Check& check, const In& self, PadMode mode, std::size_t axes) {
  const bool batched = self.rank() == axes + 2;
  const bool takes_no_channels = axes < 3 && mode != PadMode::kEdge;
  check.that(batched || takes_no_channels, "self of shape %s is empty: that takes a batch axis",
             self.shape().text().c_str());
  for (std::size_t i = 1; i < self.rank(); ++i)
    check.that(self.shape()[i] != 0, "self has shape %s: only the first extent may be 0",
               self.shape().text().c_str());
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

void plan_pad_grad(const Check& check, Plan& plan, const In& grad_output, const In& self,
                   const IntArrayIn& padding, const Out& grad_input, PadMode mode,
                   std::size_t axes) {
  const bool is_circular = mode == PadMode::kCircular;
  check.dtype_in(is_circular ? DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16}
                             : DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_COMPLEX64,
                                        ACL_COMPLEX128},
                 grad_output, self, grad_input);
  check.same_dtype(self, grad_output, grad_input);
  check_formats(check, grad_output, self, grad_input);
  check_shapes(check, grad_output, self, padding, grad_input, mode, axes);
  if (grad_output.is_empty() || self.is_empty()) return check_empty(check, self, mode, axes);

  plan.stage(grad_output).contiguous();
  plan.stage(self).contiguous();
  if (on_first_generation() && (is_circular || self.dtype() == ACL_BF16))
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: %s has no kernel for this", plan.api(),
         config().soc_name.c_str());
  plan.result(self.dtype(), self.shape()).copy_to(grad_input);
  std::vector<AxisMap> maps;
  for (std::size_t i = axes; i-- > 0;)
    maps.push_back(
        pad_map(extent_of(self, i), before(padding, i), extent_of(grad_output, i), mode));
  launch_axis_sums(plan, grad_output, grad_input, std::move(maps));
}

}  // namespace pyaclnn::sim

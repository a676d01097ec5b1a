// Forward resizing: sizes, checks and the way to the kernel that all its operators share.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/resample/interpolation.hpp"

namespace pyaclnn::sim {

/// An image and what it is resized to.
struct Upsampling {
  const TensorArgument& self;
  const TensorArgument& out;
  std::vector<std::int64_t> input{};   // spatial extents
  std::vector<std::int64_t> output{};  // the same after resizing
  bool channels_last = false;

  std::size_t axes() const { return input.size(); }
  /// The shape of `self` with the spatial extents after resizing.
  Dims shape() const;
  bool keeps_size() const { return input == output; }
};

/// Refuses other than `axes` + 2 dimensions of `self` and other than `axes` entries of `size`.
/// Channels are last where the format of `self` says so.
Upsampling upsampling_of(const Check& check, std::size_t axes, const TensorArgument& self,
                         const IntArrayIn& size, const TensorArgument& out);

/// Refuses channels and spatial extents below 1, before and after.
void check_sizes(const Check& check, const Upsampling& call);

/// Refuses an `out` of another shape.
void check_out_shape(const Check& check, const Upsampling& call);

/// Refuses extents that `scales` do not lead to; a scale that is not above 0 is none.
void check_scales_lead_to(const Check& check, const Upsampling& call, const double* scales);

/// The map of spatial axis `axis` as the gradient has it.
using UpsamplingMap = std::function<AxisMap(std::size_t axis)>;

/// Plans the resizing in `type`; fails 561103 where `out` has another shape.
void launch_upsampling(Plan& plan, const Upsampling& call, aclDataType type,
                       const UpsamplingMap& map);

/// Plans a copy: nothing is resized.
void launch_same_size(Plan& plan, const Upsampling& call);

/// float32 for the half types, the type itself for others.
aclDataType at_least_float(aclDataType type);

}  // namespace pyaclnn::sim

// Quantising and back with scales that are given.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// The axis of AscendQuant, whose first version has none.
constexpr std::int32_t kNoAxis = INT32_MIN;

/// Refuses y that is not as large as x, or as that with eight int4 in each int32.
void check_quantised_shape(const Check& check, const TensorArgument& x, const TensorArgument& y,
                           bool packs = true);

/// Refuses an output of another type than an attribute names.
void check_is_type(const Check& check, const TensorArgument& out, std::int64_t dtype);

/// What Quantize refuses.
void check_quantize(const Check& check, const TensorArgument& x, const TensorArgument& scales,
                    const TensorArgument& zero_points, std::int64_t axis,
                    const TensorArgument& out);

/// Refuses bfloat16 scales or zero points beside anything else.
void check_quantize_bfloat16(const Check& check, const TensorArgument& x,
                             const TensorArgument& scales, const TensorArgument& zero_points);

/// Refuses scales and zero points that are not one for each element of an axis.
void check_fake_channels(const Check& check, const TensorArgument& x, const TensorArgument& scale,
                         const TensorArgument& zero_point, std::int64_t axis);

/// What quantising and back makes of x, and where that is no saturation. Unless it is enabled, by
/// 1 or more, x itself is the result.
struct FakeQuant {
  const TensorArgument &x, &scale, &zero_point, &out, &mask;
  std::int64_t axis;
  float enabled;
  std::int64_t low, high;
};
void fake_quant(Plan& plan, const FakeQuant& call);

}  // namespace pyaclnn::sim

// Quantising and back with scales that are given.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// Refuses y that is not as large as x, or as that with eight int4 in each int32.
void check_quantised_shape(const Check& check, const TensorArgument& x, const TensorArgument& y,
                           bool packs = true);

/// Refuses an output of another type than an attribute names.
void check_is_type(const Check& check, const TensorArgument& out, std::int64_t dtype);

/// What AscendQuant and its third version refuse; `axis` null for the first, which has none.
void check_ascend_quant(const Check& check, const TensorArgument& x, const TensorArgument& scale,
                        const TensorArgument& offset, const Text& mode, std::int64_t dtype,
                        const std::int32_t* axis, const TensorArgument& y);

/// Plans y = round(x * scale, once or twice, + offset), factors along an axis.
void ascend_quant(Plan& plan, const TensorArgument& x, const TensorArgument& scale,
                  const TensorArgument& offset, bool twice, const Text& mode, std::int64_t axis,
                  const TensorArgument& y);

/// What Quantize refuses.
void check_quantize(const Check& check, const TensorArgument& x, const TensorArgument& scales,
                    const TensorArgument& zero_points, std::int64_t axis,
                    const TensorArgument& out);

/// Refuses bfloat16 scales or zero points beside anything else.
void check_quantize_bfloat16(const Check& check, const TensorArgument& x,
                             const TensorArgument& scales, const TensorArgument& zero_points);

/// Plans out = round(x / scales + zero_points).
void quantize(Plan& plan, const TensorArgument& x, const TensorArgument& scales,
              const TensorArgument& zero_points, std::int64_t axis, const TensorArgument& out);

/// What AscendAntiQuant refuses.
void check_anti_quant(const Check& check, const TensorArgument& x, const TensorArgument& scale,
                      const TensorArgument& offset, const TensorArgument& y);

/// Plans y = (x + offset) * scale, once or twice.
void anti_quant(Plan& plan, const TensorArgument& x, const TensorArgument& scale,
                const TensorArgument& offset, bool twice, const TensorArgument& y);

/// What the quantisation of groups of rows refuses.
void check_group_quant(const Check& check, const TensorArgument& x, const TensorArgument& scale,
                       const TensorArgument& groups, const TensorArgument& offset,
                       const TensorArgument& y);

/// Plans y = round(x * scale of the row's group + offset).
void group_quant(Plan& plan, const TensorArgument& x, const TensorArgument& scale,
                 const TensorArgument& groups, const TensorArgument& offset,
                 const TensorArgument& y);

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

/// What TransQuantParam refuses.
void check_quant_parameters(const Check& check, const TensorArgument& scale,
                            const TensorArgument& offset, std::int64_t mode);

/// Plans the 64-bit words that matrix products take for scales and offsets.
void quant_parameters(Plan& plan, const TensorArgument& scale, const TensorArgument& offset,
                      bool rounds, const TensorArgument& out);

/// What DequantBias refuses where its work is divided.
void check_dequant_bias(const Plan& plan, const TensorArgument& x, const TensorArgument& scale,
                        const TensorArgument& row_scale, const TensorArgument& bias,
                        std::int64_t dtype, const TensorArgument& out);

/// Plans out = x * scale * row_scale with a bias, of int32 before and of floats after.
void dequant_bias(Plan& plan, const TensorArgument& x, const TensorArgument& scale,
                  const TensorArgument& row_scale, const TensorArgument& bias,
                  const TensorArgument& out);

}  // namespace pyaclnn::sim

// SPDX-License-Identifier: MIT
#include "opapi/convolution/forward.hpp"

#include <algorithm>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/convolution/convolution.hpp"
#include "opapi/convolution/operands.hpp"
#include "opapi/copy/cast.hpp"

namespace pyaclnn::sim {
namespace {

/// What CANN's kernels refuse: its answer is that of the runtime.
void check_in_kernel(const Plan& plan, bool holds, const char* what) {
  if (!holds) fail(ACLNN_ERR_RUNTIME_ERROR, "%s: %s", plan.api(), what);
}

void check_kernel(const Plan& plan, const ConvolutionTensors& t, const ConvolutionAttributes& a) {
  constexpr std::int64_t kMostGroups = 65535;
  check_in_kernel(plan, a.groups <= kMostGroups, "groups is more than 65535");
  check_in_kernel(plan, *std::min_element(a.padding.begin(), a.padding.end()) >= 0,
                  "padding has a negative value");
  if (t.input.rank() < 5 || has_float32_cube()) return;
  // The 310P makes a plane of a volume that is one thick.
  const bool is_flat = on_310p() && !a.transposed && a.padding[0] == 0 && t.input.shape()[2] == 1 &&
                       t.weight.shape()[2] == 1;
  check_in_kernel(plan, is_flat, "this chip has no three-dimensional convolution");
}

/// The type a result has before it is cast to the output's.
aclDataType result_type(const ConvolutionTensors& t, aclDataType type, CubePrecision precision,
                        bool transposed) {
  if (precision == CubePrecision::kFloat16 || !has_float32_cube()) return ACL_FLOAT16;
  return transposed && t.output.dtype() == ACL_FLOAT ? ACL_FLOAT : type;
}

/// The type the bias is added in.
aclDataType bias_type(const ConvolutionTensors& t, aclDataType type, aclDataType result,
                      CubePrecision precision, bool transposed) {
  aclDataType bias = precision == CubePrecision::kFloat16 ? ACL_FLOAT16 : type;
  if (transposed && has_float32_cube()) bias = promote(result, t.bias.dtype());
  const bool keeps_bf16 = on_950() || (transposed && t.input.rank() == 5);
  return bias == ACL_BF16 && !keeps_bf16 ? ACL_FLOAT : bias;
}

/// Floats of a byte beside other types, which CANN finds behind its checks.
void check_bytes(const Plan& plan, const ConvolutionTensors& t, bool transposed) {
  const auto is_hifloat8 = [](const TensorArgument& tensor) {
    return tensor.dtype() == ACL_HIFLOAT8;
  };
  check_inside(plan, transposed || is_hifloat8(t.input) == is_hifloat8(t.weight),
               "input is %s, and weight %s", dtype_name(t.input.dtype()),
               dtype_name(t.weight.dtype()));
  if (transposed && t.bias.given() && is_byte_float(convolved_type(t)))
    fail(ACLNN_ERR_PARAM_INVALID, "%s: a transposed convolution of %s has no bias", plan.api(),
         dtype_name(t.input.dtype()));
}

ConvolutionWindow window_of(const TensorArgument& image, const TensorArgument& positions,
                            const TensorArgument& weight, const ConvolutionAttributes& a) {
  ConvolutionWindow window;
  const std::size_t axes = weight.rank() - 2;
  const std::size_t each = a.padding.size() / axes;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const std::size_t to = axis + 3 - axes;
    window.image[to] = image.shape()[axis + 2];
    window.positions[to] = positions.shape()[axis + 2];
    window.taps[to] = weight.shape()[axis + 2];
    window.stride[to] = a.stride[axis];
    window.padding[to] = a.padding[each * axis];
    window.dilation[to] = a.dilation[axis];
  }
  return window;
}

/// Stages the operands and launches the kernel, whose geometry is given.
void launch(Plan& plan, const ConvolutionTensors& t, ConvolutionSum sum, bool transposed,
            std::int8_t cube_math_type, const View& weight) {
  const aclDataType type = convolved_type(t);
  const bool of_bytes = is_byte_float(type);
  if (!of_bytes) sum.precision = cube_precision(cube_math_type, type);
  const aclDataType operands = sum.precision == CubePrecision::kFloat16 ? ACL_FLOAT16 : type;
  sum.gives = result_type(t, type, sum.precision, transposed);
  plan.stage(t.input).contiguous().cast_to(operands);
  plan.stage(t.weight).contiguous().cast_to(operands);
  if (t.bias.given()) {
    sum.bias_type = of_bytes ? ACL_FLOAT : bias_type(t, type, sum.gives, sum.precision, transposed);
    plan.stage(t.bias).contiguous().cast_to(sum.bias_type);
    sum.bias = RowMajor(plan.reads(t.bias));
  }
  plan.result(sum.gives, t.output.shape()).cast_to(t.output.dtype()).copy_to(t.output);
  View result = plan.writes(t.output);
  const bool casts = of_bytes && type != t.output.dtype();
  if (casts) result = plan.writes(plan.scratch("sums", type, t.output.shape()));
  if (of_bytes || sum.gives == t.output.dtype()) sum.gives = ACL_FLOAT;  // storing rounds
  sum.source = RowMajor(plan.reads(t.input));
  sum.weight = RowMajor(weight);
  sum.result = RowMajor(result);
  launch_convolution_sum(plan, sum);
  if (casts) launch_cast(plan, plan.writes(t.output), result);
}

}  // namespace

bool is_byte_float(aclDataType dtype) {
  return dtype == ACL_HIFLOAT8 || dtype == ACL_FLOAT8_E4M3FN;
}

aclDataType convolved_type(const ConvolutionTensors& t) {
  const aclDataType type = promote(t.input.dtype(), t.weight.dtype());
  return type == ACL_DT_UNDEFINED ? ACL_FLOAT : type;
}

void convolution(Plan& plan, const ConvolutionTensors& t, const ConvolutionAttributes& a) {
  if (t.input.is_empty() || t.weight.is_empty() || t.output.is_empty()) return;
  check_bytes(plan, t, a.transposed);
  check_kernel(plan, t, a);
  ConvolutionSum sum;
  sum.window = a.transposed ? window_of(t.output, t.input, t.weight, a)
                            : window_of(t.input, t.output, t.weight, a);
  sum.samples = t.input.shape()[0];
  sum.groups = a.groups;
  sum.image_channels = t.weight.shape()[1];
  sum.position_channels = t.weight.shape()[0] / a.groups;
  sum.to_image = a.transposed;
  launch(plan, t, sum, a.transposed, a.cube_math_type, plan.reads(t.weight));
}

void depthwise(Plan& plan, const ConvolutionTensors& t, ConvolutionAttributes a) {
  a.groups = std::max<std::int64_t>(t.input.shape()[1], 1);
  convolution(plan, t, a);
}

void conv_tbc(Plan& plan, const ConvolutionTensors& t, std::int64_t pad,
              std::int8_t cube_math_type) {
  if (t.output.is_empty()) return;
  if (t.input.is_empty() || t.weight.is_empty()) return copy(plan, t.bias, t.output);
  check_in_kernel(plan, pad >= 0, "pad is negative");
  ConvolutionSum sum;
  sum.window.image[2] = t.input.shape()[0];
  sum.window.positions[2] = t.output.shape()[0];
  sum.window.taps[2] = t.weight.shape()[0];
  sum.window.padding[2] = pad;
  sum.samples = t.input.shape()[1];
  sum.image_channels = t.weight.shape()[1];
  sum.position_channels = t.weight.shape()[2];
  sum.time_first = true;
  launch(plan, t, sum, false, cube_math_type, reversed_axes(plan.reads(t.weight)));
}

}  // namespace pyaclnn::sim

// SPDX-License-Identifier: MIT
#include "aclnnop/aclnn_avgpool2d_backward.h"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/operator.hpp"
#include "opapi/pooling/avg_pool_grad.hpp"

using namespace pyaclnn::sim;

namespace {

// cubeMathType: how the matrix unit treats float32.
constexpr std::int8_t kKeepDtype = 0;
constexpr std::int8_t kAllowDown = 1;
constexpr std::int8_t kUseFp16 = 2;
constexpr std::int8_t kUseHf32 = 3;

void check_not_negative(const Check& check, const TensorArgument& tensor) {
  for (std::int64_t extent : tensor.shape())
    check.that(extent >= 0, "%s has the negative extent %lld", tensor.name(),
               static_cast<long long>(extent));
}

/// CANN divides by the kernel's size where that is the size of the image, 10 by 10 at least, and
/// one window remains: any padding is forgotten.
bool is_global(const TensorArgument& grad_output, const TensorArgument& self,
               const std::vector<Window>& windows, std::int64_t divisor) {
  if (divisor != 0) return false;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t extent = self.shape()[self.rank() - 2 + i];
    if (extent < 10 || windows[i].kernel != extent) return false;
    if (grad_output.shape()[grad_output.rank() - 2 + i] != 1) return false;
  }
  return true;
}

/// Whether A2 and A3 compute on the matrix unit, where cubeMathType counts; else on the vector one.
bool uses_matrix_unit(const TensorArgument& self, const std::vector<Window>& windows,
                      bool ceil_mode, bool include_padding, std::int64_t divisor) {
  const std::int64_t height = windows[0].kernel;
  const std::int64_t width = windows[1].kernel;
  const bool small =
      height <= 255 && width <= 255 && (height * width <= 255 || (height <= 20 && width <= 20));
  const std::int64_t rows = self.shape()[self.rank() - 2];
  const std::int64_t columns = self.shape()[self.rank() - 1];
  const std::int64_t channels = self.shape()[self.rank() == 4 ? 1 : 0];
  return divisor >= -255 && divisor <= 255 && small && include_padding && !ceil_mode &&
         columns / rows < 2 && rows / columns < 2 && channels < 65536;
}

}  // namespace

// gradInput = sum of gradOutput / divisor over the windows that cover a place.
OPERATOR(AvgPool2dBackward, (In, gradOutput), (In, self), (IntArrayIn, kernelSize),
         (IntArrayIn, stride), (IntArrayIn, padding), (Flag, ceilMode), (Flag, countIncludePad),
         (Int, divisorOverride), (Int8, cubeMathType), (Out, gradInput)) {
  check.not_null(gradOutput, self, kernelSize, padding, gradInput);
  check.dtype_in(DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16(), gradOutput, self, gradInput);
  check.same_dtype(gradOutput, gradInput);
  check_formats(check, gradOutput, self, gradInput);

  check.that(
      (gradOutput.rank() == 3 || gradOutput.rank() == 4) && gradInput.rank() == gradOutput.rank(),
      "gradOutput has %zu dimensions and gradInput %zu, both must have 3 or both 4",
      gradOutput.rank(), gradInput.rank());
  check_not_negative(check, gradOutput);
  check_not_negative(check, self);
  check_not_negative(check, gradInput);
  check_length(check, kernelSize, 2, false);
  check_at_least(check, kernelSize, 1);
  if (stride.given()) {
    check_length(check, stride, 2, true);
    check_at_least(check, stride, 1);
  }
  check_length(check, padding, 2, false);
  std::vector<Window> all = windows(2, kernelSize, stride, padding);
  for (const Window& window : all)
    check.that(window.padding >= 0 && window.padding <= window.kernel / 2,
               "padding is %lld, it must be from 0 to half of the kernel's size %lld",
               static_cast<long long>(window.padding), static_cast<long long>(window.kernel));
  check.that(cubeMathType >= kKeepDtype && cubeMathType <= kUseHf32,
             "cubeMathType is %d, it must be from 0 to 3", int(cubeMathType));
  check.same_shape(self, gradInput);
  if (gradOutput.is_empty() || self.is_empty()) return;

  const bool first_generation = on_first_generation();
  const bool divides = is_global(gradOutput, self, all, divisorOverride);
  check.that(!first_generation || (divisorOverride >= -255 && divisorOverride <= 255),
             "divisorOverride is %lld, it must be from -255 to 255 on %s",
             static_cast<long long>(divisorOverride), config().soc_name.c_str());
  check.that(!first_generation || divides || gradOutput.dtype() != ACL_FLOAT ||
                 cubeMathType == kAllowDown || cubeMathType == kUseFp16,
             "cubeMathType is %d, float32 needs 1 or 2 on %s", int(cubeMathType),
             config().soc_name.c_str());
  check.shape_is(gradOutput, pooled_shape(self.shape(), all, ceilMode), "the pooled shape of self");

  if (divides) {
    for (Window& window : all) window.padding = 0;
  }
  const bool is_950 = on_950();
  const bool on_matrix_unit =
      divides || first_generation ||
      (!is_950 && uses_matrix_unit(self, all, ceilMode, countIncludePad, divisorOverride));
  AxisSumOptions options;
  if (on_matrix_unit && self.dtype() == ACL_FLOAT) {
    // What is allowed to lose precision keeps float32's range where the unit can.
    const bool in_half =
        cubeMathType == kUseFp16 || (first_generation && cubeMathType == kAllowDown);
    if (in_half) options.through = ACL_FLOAT16;
    options.hfloat32 = !in_half && cubeMathType != kKeepDtype;
  }
  Divisor divisor;
  divisor.include_padding = countIncludePad;
  divisor.full_kernel = divides || (first_generation && countIncludePad);
  divisor.fixed = divisorOverride;

  plan.stage(gradOutput).contiguous();
  plan.stage(self).contiguous();
  plan.result(gradOutput.dtype(), gradInput.shape()).copy_to(gradInput);
  launch_avg_pool_grad(plan, gradOutput, gradInput, all, divisor, options);
}

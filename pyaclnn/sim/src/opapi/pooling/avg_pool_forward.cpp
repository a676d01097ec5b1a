// SPDX-License-Identifier: MIT
#include "opapi/pooling/avg_pool.hpp"

#include <utility>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/convolution/convolution.hpp"

namespace pyaclnn::sim {
namespace {

DtypeSet dtypes() { return DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16(); }

/// The window is the whole image, and nothing else.
bool is_global(const AvgPool& call, const std::vector<Window>& all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::int64_t extent = call.self.shape()[call.self.rank() - all.size() + i];
    if (all[i].kernel != extent || all[i].padding != 0) return false;
  }
  return true;
}

/// What the matrix unit makes of float32.
AxisSumOptions matrix_unit(const Check& check, aclDataType dtype, std::int8_t cube_math_type) {
  AxisSumOptions options;
  if (dtype != ACL_FLOAT) return options;
  if (!has_float32_cube() || cube_math_type == kUseFp16) {
    options.through = ACL_FLOAT16;
    return options;
  }
  check.that(cube_math_type == kKeepDtype,
             "cubeMathType is %d, float32 is pooled with 0 or 2 on %s", int(cube_math_type),
             chip().name);
  return options;
}

void launch(Plan& plan, const AvgPool& call, const std::vector<Window>& all, const Dims& pooled,
            const Divisor& divisor, const AxisSumOptions& options = {}) {
  plan.stage(call.self).contiguous();
  plan.result(call.self.dtype(), pooled).copy_to(call.out);
  std::vector<AxisMap> maps;
  const std::size_t leading = call.self.rank() - all.size();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::int64_t extent = call.self.shape()[leading + i];
    const bool is_last = i + 1 == all.size();
    if (pooled[leading + i] > std::int64_t(AxisMap::kMost)) AxisMap::Terms::refuse();
    maps.push_back(
        window_map(extent, covers_of(all[i], extent, pooled[leading + i], divisor, is_last)));
  }
  launch_axis_sums(plan, call.self, call.out, std::move(maps), options);
}

void check_adaptive_size(const Check& check, const std::vector<std::int64_t>& size,
                         const TensorArgument& out, std::size_t axes) {
  check.that(size.size() == axes, "outputSize has %zu values, it must have %zu", size.size(), axes);
  for (std::size_t i = 0; i < axes; ++i) {
    const std::int64_t extent = out.shape()[out.rank() - axes + i];
    check.that(size[i] > 0 && size[i] == extent,
               "outputSize has the value %lld, it must be positive and the extent %lld of out",
               ll(size[i]), ll(extent));
  }
}

void check_leading(const Check& check, const TensorArgument& self, const TensorArgument& out,
                   std::size_t axes) {
  check.that(self.rank() == axes + 1 || self.rank() == axes + 2,
             "self has %zu dimensions, it must have %zu or %zu", self.rank(), axes + 1, axes + 2);
  check.that(out.rank() == self.rank(), "out has %zu dimensions, self has %zu", out.rank(),
             self.rank());
  check_same_images(check, out, self, axes);
}

}  // namespace

void avg_pool2d(const Check& check, Plan& plan, const AvgPool& call, std::int8_t cube_math_type) {
  check.dtype_in(dtypes(), call.self, call.out);
  check.same_dtype(call.self, call.out);
  check_formats(check, call.self, call.out);
  check_not_negative(check, call.self);
  check_not_negative(check, call.out);
  check_at_least(check, call.kernel, 1);
  check_at_least(check, call.stride, 1);
  check_at_least(check, call.padding, 0);
  check.that(
      (call.self.rank() == 3 || call.self.rank() == 4) && call.out.rank() == call.self.rank(),
      "self has %zu dimensions and out %zu, both must have 3 or both 4", call.self.rank(),
      call.out.rank());
  check_plane(check, call.self, 2);
  check.that(call.self.shape()[call.self.rank() - 3] != 0,
             "self has shape %s: only the batch may be empty", call.self.shape().text().c_str());
  // More values than axes are not looked at.
  check.that(!call.kernel.values().empty(), "kernelSize is empty");
  check_length(check, call.padding, 2, false);
  check_length(check, call.stride, 2, true);
  const std::vector<Window> all = windows(2, call.kernel, call.stride, call.padding);
  check_half_paddings(check, all);
  const Dims pooled = check_pooled(check, call.self, all, call.ceil_mode);
  check.shape_is(call.out, pooled, "the pooled shape of self");
  check_cube_math_type(check, cube_math_type, call.self.dtype());
  if (call.self.is_empty()) return;

  Divisor divisor;
  divisor.include_padding = call.include_padding;
  divisor.fixed = call.divisor;
  AxisSumOptions options;
  if (!on_950() && (is_global(call, all) || !on_a2_or_a3() || uses_matrix_unit(call, all)))
    options = matrix_unit(check, call.self.dtype(), cube_math_type);
  // The matrix unit has one weight for all windows.
  divisor.full_kernel =
      call.include_padding && !on_950() && !on_a2_or_a3() && fits_matrix_unit(all, call.divisor);
  launch(plan, call, all, pooled, divisor, options);
}

void avg_pool3d(const Check& check, Plan& plan, const AvgPool& call) {
  check.dtype_in(dtypes(), call.self);
  check.same_dtype(call.self, call.out);
  check_formats(check, call.self, call.out);
  check.that(
      (call.self.rank() == 4 || call.self.rank() == 5) && call.out.rank() == call.self.rank(),
      "self has %zu dimensions and out %zu, both must have 4 or both 5", call.self.rank(),
      call.out.rank());
  check_length(check, call.kernel, 3, false);
  check_length(check, call.padding, 3, false);
  check_length(check, call.stride, 3, true);
  check_at_least(check, call.kernel, 1);
  check_at_least(check, call.stride, 1);
  check_plane(check, call.self, 3);
  const std::vector<Window> all = windows(3, call.kernel, call.stride, call.padding);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::int64_t extent = call.self.shape()[call.self.rank() - 3 + i];
    check.that(all[i].kernel <= extent, "kernelSize has the value %lld, self has the extent %lld",
               ll(all[i].kernel), ll(extent));
  }
  check_half_paddings(check, all);
  const Dims pooled = check_pooled(check, call.self, all, call.ceil_mode);
  check.shape_is(call.out, pooled, "the pooled shape of self");
  if (call.self.is_empty()) return;
  if (chip().soc == Soc::kAscend910)
    fail(ACLNN_ERR_INNER, "%s: there is no kernel for %s", plan.api(), chip().name);
  Divisor divisor;
  divisor.include_padding = call.include_padding;
  divisor.fixed = call.divisor;
  launch(plan, call, all, pooled, divisor);
}

void check_adaptive_avg_pool2d(const Check& check, const TensorArgument& self,
                               const std::vector<std::int64_t>& size, const TensorArgument& out) {
  check_leading(check, self, out, 2);
  check.dtype_in(dtypes(), self, out);
  check.same_dtype(self, out);
  check_formats(check, self, out);
  check_adaptive_size(check, size, out, 2);
}

void check_adaptive_avg_pool3d(const Check& check, const TensorArgument& self,
                               const std::vector<std::int64_t>& size, const TensorArgument& out) {
  check_leading(check, self, out, 3);
  // A batch of none is accepted by the 950 only.
  for (std::size_t i = on_950() ? 1 : 0; i < self.rank(); ++i)
    check.that(self.shape()[i] > 0, "extent %zu of self is %lld, it must be positive", i,
               ll(self.shape()[i]));
  check.dtype_in(dtypes(), self, out);
  check.same_dtype(self, out);
  check_formats(check, self, out);
  check_adaptive_size(check, size, out, 3);
}

void adaptive_avg_pool(const Check& check, Plan& plan, const TensorArgument& self,
                       const TensorArgument& out, std::size_t axes) {
  check_plane(check, self, axes);
  plan.stage(self).contiguous();
  plan.result(self.dtype(), out.shape()).copy_to(out);
  std::vector<AxisMap> maps;
  for (std::size_t i = self.rank() - axes; i < self.rank(); ++i) {
    const std::int64_t extent = self.shape()[i];
    maps.push_back(window_map(extent, adaptive_covers(extent, out.shape()[i])));
  }
  launch_axis_sums(plan, self, out, std::move(maps));
}

}  // namespace pyaclnn::sim

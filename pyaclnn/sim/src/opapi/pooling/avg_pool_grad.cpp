// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "opapi/common/as_stored.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/pooling/avg_pool.hpp"

namespace pyaclnn::sim {
namespace {

/// CANN divides by the kernel's size where that is the size of the image, 10 by 10 at least, and
/// one window remains: any padding is forgotten.
bool is_global(const TensorArgument& grad_output, const AvgPool& call,
               const std::vector<Window>& all) {
  if (call.divisor != 0 || !is_one_place(grad_output, 2)) return false;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t extent = call.self.shape()[call.self.rank() - 2 + i];
    if (extent < 10 || all[i].kernel != extent) return false;
  }
  return true;
}

void launch(Plan& plan, const TensorArgument& grad_output, const TensorArgument& grad_input,
            const std::vector<Window>& windows, const Divisor& divisor,
            const AxisSumOptions& options = {}) {
  std::vector<AxisMap> maps;
  const std::size_t leading = grad_input.rank() - windows.size();
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const std::int64_t extent = grad_input.shape()[leading + i];
    const bool is_last = i + 1 == windows.size();
    const auto covers =
        covers_of(windows[i], extent, grad_output.shape()[leading + i], divisor, is_last);
    maps.push_back(cover_map(extent, covers));
  }
  launch_axis_sums(plan, grad_output, grad_input, std::move(maps), options);
}

}  // namespace

std::vector<Cover> covers_of(const Window& window, std::int64_t extent, std::int64_t count,
                             const Divisor& divisor, bool is_last) {
  std::vector<Cover> covers;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t start = window.start(i);
    const std::int64_t padded_end = std::min(start + window.kernel, extent + window.padding);
    const std::int64_t begin = std::max<std::int64_t>(start, 0);
    const std::int64_t end = std::min(start + window.kernel, extent);
    const std::int64_t elements = divisor.fixed != 0        ? 1
                                  : divisor.full_kernel     ? window.kernel
                                  : divisor.include_padding ? padded_end - start
                                                            : end - begin;
    covers.push_back({begin, end, 1.0 / double(elements)});
    // A divisor for all axes counts once.
    if (divisor.fixed != 0 && is_last) covers.back().weight = 1.0 / double(divisor.fixed);
  }
  return covers;
}

bool fits_matrix_unit(const std::vector<Window>& all, std::int64_t divisor) {
  const std::int64_t height = all[0].kernel;
  const std::int64_t width = all[1].kernel;
  return height <= 255 && width <= 255 &&
         (height * width <= 255 || (height <= 20 && width <= 20)) && divisor >= -255 &&
         divisor <= 255;
}

bool uses_matrix_unit(const AvgPool& call, const std::vector<Window>& all) {
  const Dims& shape = call.self.shape();
  const std::int64_t rows = shape[call.self.rank() - 2];
  const std::int64_t columns = shape[call.self.rank() - 1];
  return fits_matrix_unit(all, call.divisor) && !call.ceil_mode && columns / rows < 2 &&
         rows / columns < 2 && shape[call.self.rank() - 3] < 65536;
}

void avg_pool2d_gradient(const Check& check, Plan& plan, const TensorArgument& grad_output,
                         const AvgPool& call, std::int8_t cube_math_type) {
  std::vector<Window> all = windows(2, call.kernel, call.stride, call.padding);
  const bool first_generation = on_first_generation();
  const bool divides = is_global(grad_output, call, all);
  check.that(!first_generation || (call.divisor >= -255 && call.divisor <= 255),
             "divisorOverride is %lld, it must be from -255 to 255 on %s",
             static_cast<long long>(call.divisor), chip().name);
  check.that(!first_generation || divides || grad_output.dtype() != ACL_FLOAT ||
                 cube_math_type == kAllowDown || cube_math_type == kUseFp16,
             "cubeMathType is %d, float32 needs 1 or 2 on %s", int(cube_math_type), chip().name);
  check.shape_is(grad_output, pooled_shape(call.self.shape(), all, call.ceil_mode),
                 "the pooled shape of self");

  if (divides) {
    for (Window& window : all) window.padding = 0;
  }
  const bool on_matrix_unit = divides || first_generation ||
                              (!on_950() && call.include_padding && uses_matrix_unit(call, all));
  AxisSumOptions options;
  if (on_matrix_unit && call.self.dtype() == ACL_FLOAT) {
    // What is allowed to lose precision keeps float32's range where the unit can.
    const bool in_half =
        cube_math_type == kUseFp16 || (first_generation && cube_math_type == kAllowDown);
    if (in_half) options.through = ACL_FLOAT16;
    options.hfloat32 = !in_half && cube_math_type != kKeepDtype;
  }
  Divisor divisor;
  divisor.include_padding = call.include_padding;
  divisor.full_kernel = divides || (first_generation && call.include_padding);
  divisor.fixed = call.divisor;

  plan.stage(grad_output).contiguous();
  plan.stage(call.self).contiguous();
  plan.result(grad_output.dtype(), call.out.shape()).copy_to(call.out);
  launch(plan, grad_output, call.out, all, divisor, options);
}

void avg_pool3d_gradient(const Check& check, Plan& plan, const TensorArgument& grad_output,
                         const AvgPool& call) {
  plan.stage(grad_output).contiguous();
  plan.stage(call.self).contiguous();
  check_at_least(check, call.kernel, 1);
  check_at_least(check, call.stride, 1);
  const std::vector<Window> all = windows(3, call.kernel, call.stride, call.padding);
  check_half_paddings(check, all);
  check.shape_is(grad_output, pooled_shape(call.self.shape(), all, call.ceil_mode),
                 "the pooled shape of self");
  plan.result(grad_output.dtype(), call.out.shape()).copy_to(call.out);
  if (call.out.is_empty()) return;
  Divisor divisor;
  divisor.include_padding = call.include_padding;
  divisor.fixed = call.divisor;
  launch(plan, grad_output, call.out, all, divisor);
}

bool is_one_place(const TensorArgument& tensor, std::size_t axes) {
  bool result = true;
  for (std::size_t i = tensor.rank() - axes; i < tensor.rank(); ++i)
    result = result && tensor.shape()[i] == 1;
  return result;
}

void check_adaptive_avg_pool3d_gradient(const Check& check, const TensorArgument& grad_output,
                                        const TensorArgument& self, const TensorArgument& out) {
  const std::size_t rank = self.rank();
  for (std::size_t i = 0; i < rank; ++i) {
    check.that(self.shape()[i] > 0, "extent %zu of self is %lld, it must be positive", i,
               static_cast<long long>(self.shape()[i]));
    check.that(self.shape()[i] == out.shape()[i], "out has shape %s, it must be %s as self has it",
               out.shape().text().c_str(), self.shape().text().c_str());
  }
  for (std::size_t i = 0; i + 3 < rank; ++i)
    check.that(self.shape()[i] == grad_output.shape()[i],
               "extent %zu of gradOutput is %lld, it must be %lld as self has it", i,
               static_cast<long long>(grad_output.shape()[i]),
               static_cast<long long>(self.shape()[i]));
  for (std::size_t i = rank - 3; i < rank; ++i)
    check.that(grad_output.shape()[i] > 0, "extent %zu of gradOutput is %lld, it must be positive",
               i, static_cast<long long>(grad_output.shape()[i]));
}

void adaptive_avg_pool_gradient(Plan& plan, const TensorArgument& grad_output,
                                const TensorArgument& self, const TensorArgument& out,
                                std::size_t axes) {
  plan.stage(grad_output).contiguous();
  plan.stage(self).contiguous();
  plan.result(self.dtype(), self.shape()).copy_to(out);
  const bool is_global = is_one_place(grad_output, axes);
  double places = 1;
  for (std::size_t i = out.rank() - axes; i < out.rank(); ++i) places *= double(out.shape()[i]);
  // CANN multiplies by the reciprocal as a tensor here, and rounds that to the tensor's type.
  const double reciprocal = as_stored(float(1.0 / places), out.dtype());
  std::vector<AxisMap> maps;
  for (std::size_t i = out.rank() - axes; i < out.rank(); ++i) {
    const std::int64_t extent = out.shape()[i];
    std::vector<Cover> covers = adaptive_covers(extent, grad_output.shape()[i]);
    if (is_global) covers[0].weight = i + 1 == out.rank() ? reciprocal : 1.0;
    maps.push_back(cover_map(extent, covers));
  }
  launch_axis_sums(plan, grad_output, out, std::move(maps));
}

}  // namespace pyaclnn::sim

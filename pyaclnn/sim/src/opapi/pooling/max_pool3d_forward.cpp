// Max pooling of volumes, and its inverse: checks in CANN's order, and plans.
// SPDX-License-Identifier: MIT
#include <limits>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/pooling/indexed.hpp"
#include "opapi/pooling/max_pool_forward.hpp"
#include "parameters/AdaptiveMaxPool3d.hpp"
#include "parameters/MaxPool3dWithArgmax.hpp"
#include "parameters/MaxUnpool2d.hpp"
#include "parameters/MaxUnpool3d.hpp"

namespace pyaclnn::sim {
namespace {

DtypeSet index_dtypes() { return on_950() ? DtypeSet{ACL_INT32, ACL_INT64} : DtypeSet{ACL_INT32}; }

void check_rank(const Check& check, const TensorArgument& tensor) {
  check.that(tensor.rank() == 4 || tensor.rank() == 5, "%s has %zu dimensions, it must have 4 or 5",
             tensor.name(), tensor.rank());
}

std::vector<Window> check_windows(const Check& check, const MaxPool3dWithArgmaxParameters& call) {
  check_length(check, call.kernelSize, 3, false);
  check_at_least(check, call.kernelSize, 1);
  check_length(check, call.stride, 3, true);
  check_at_least(check, call.stride, 1);
  check_length(check, call.padding, 3, false);
  check_at_least(check, call.padding, 0);
  check_length(check, call.dilation, 3, false);
  if (!on_950()) check_at_least(check, call.dilation, 1);
  std::vector<Window> all = windows(3, call.kernelSize, call.stride, call.padding);
  for (std::size_t i = 0; i < 3; ++i) {
    Window& window = all[i];
    check.that(window.padding <= window.kernel / 2,
               "padding is %lld, it must be at most half of the kernel's size %lld",
               ll(window.padding), ll(window.kernel));
    window.dilation = attribute(call.dilation, i);
    check.that(window.dilation == 1 || on_950(), "dilation is %lld, it must be 1 on %s",
               ll(window.dilation), chip().name);
  }
  return all;
}

/// Plans the maxima of windows and their places.
void launch_maxima(Plan& plan, const TensorArgument& self, const Dims& pooled,
                   const TensorArgument& out, const TensorArgument& indices,
                   const std::vector<AxisWindows>& axes) {
  plan.stage(self).contiguous();
  plan.result(self.dtype(), pooled).copy_to(out);
  plan.result(indices.dtype(), pooled).copy_to(indices);
  launch_max_pool(plan, plan.reads(self), plan.writes(out), plan.writes(indices), axes);
}

/// What both operators of unpooling check of a tensor and its indices.
void check_unpooled(const Check& check, std::size_t axes, const TensorArgument& self,
                    const TensorArgument& indices, const IntArrayIn& size) {
  check.that(self.rank() == axes + 1 || self.rank() == axes + 2,
             "self has %zu dimensions, it must have %zu or %zu", self.rank(), axes + 1, axes + 2);
  check.same_shape(self, indices);
  check_only_first_empty(check, self);
  const auto& values = size.values();
  check.that(values.size() == axes, "outputSize has %zu values, it must have %zu", values.size(),
             axes);
  double places = 1;
  double taken = 1;
  for (std::size_t i = 0; i < axes; ++i) {
    check.that(values[i] > 0, "outputSize has the value %lld, it must be above 0", ll(values[i]));
    places *= double(values[i]);
    taken *= double(self.shape()[self.rank() - axes + i]);
  }
  check.that(places >= taken, "outputSize has room for %.0f elements, a plane of self has %.0f",
             places, taken);
}

Dims unpooled_shape(const TensorArgument& self, const IntArrayIn& size) {
  Dims shape = self.shape();
  const std::size_t leading = self.rank() - size.values().size();
  for (std::size_t i = 0; i < size.values().size(); ++i) shape.set(leading + i, size.values()[i]);
  return shape;
}

void launch_unpooling(Plan& plan, const TensorArgument& self, const TensorArgument& indices,
                      const TensorArgument& out, std::size_t axes) {
  plan.stage(self).contiguous();
  plan.stage(indices).contiguous();
  plan.stage(out).contiguous();
  plan.result(self.dtype(), out.shape()).copy_to(out);
  launch_scatter(plan, self, indices, out, axes);
}

void check_unpool_dtypes(const Check& check, const TensorArgument& self,
                         const TensorArgument& indices, const TensorArgument& out) {
  check.dtype_in(
      {ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_UINT8, ACL_INT16, ACL_INT32, ACL_INT64, ACL_DOUBLE},
      self);
  check.same_dtype(self, out);
  check.dtype_in({ACL_INT32, ACL_INT64}, indices);
}

}  // namespace

/// indices[o] is the place of out[o] in its volume.
void max_pool3d_with_argmax(const Check& check, Plan& plan,
                            const MaxPool3dWithArgmaxParameters& call) {
  check.dtype_in({ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, call.self);
  check.dtype_in(index_dtypes(), call.indices);
  check.same_dtype(call.self, call.out);
  check_formats(check, call.self, call.out, call.indices);
  check_rank(check, call.self);
  const std::vector<Window> all = check_windows(check, call);
  if (call.self.is_empty() || call.out.is_empty()) return;
  if (call.self.meta().format == ACL_FORMAT_NDHWC) fail_not_simulated(plan, "format NDHWC");
  check_plane(check, call.self, 3);
  for (const Window& window : all)
    check_tiling(plan, window.dilation >= 1, "dilation has the value %lld", ll(window.dilation));
  const Dims pooled = check_pooled(check, call.self, all, call.ceilMode);
  // The result of as many dimensions as self gets the format that all have.
  const aclFormat format = call.self.meta().format;
  const bool is_image = format == ACL_FORMAT_NCHW, is_volume = format == ACL_FORMAT_NCDHW;
  check_inside(plan, call.self.rank() == 4 ? !is_volume : !is_image,
               "self has %zu dimensions, which its format has not", call.self.rank());
  check.shape_is(call.out, pooled, "the pooled shape of self");
  check.shape_is(call.indices, pooled, "the pooled shape of self");
  launch_maxima(plan, call.self, pooled, call.out, call.indices, ranges_of(call.self, pooled, all));
}

void adaptive_max_pool3d(const Check& check, Plan& plan, const AdaptiveMaxPool3dParameters& given) {
  for (const TensorArgument* tensor : {&given.self, &given.outputOut, &given.indicesOut})
    check_rank(check, *tensor);
  const bool has_kernel = chip().has_bf16();
  check.dtype_in(has_kernel ? DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16} : DtypeSet{}, given.self,
                 given.outputOut);
  check.dtype_in(index_dtypes(), given.indicesOut);
  check_formats(check, given.self, given.outputOut);
  const auto& sizes = given.outputSize.values();
  check.that(sizes.size() == 3 || (on_950() && sizes.size() <= 1),
             "outputSize has %zu values, it must have 3", sizes.size());
  Dims pooled = given.self.shape();
  for (std::size_t i = 0; i < 3 && !sizes.empty(); ++i)
    pooled.set(given.self.rank() - 3 + i, sizes[sizes.size() == 1 ? 0 : i]);
  check.shape_is(given.outputOut, pooled, "self and outputSize");
  check.shape_is(given.indicesOut, pooled, "self and outputSize");
  check.same_dtype(given.self, given.outputOut);
  double places = 1;
  for (std::size_t i = 1; i < given.self.rank(); ++i) {
    check.that(given.self.shape()[i] > 0, "self has shape %s: only its first extent may be 0",
               given.self.shape().text().c_str());
    if (i + 3 >= given.self.rank()) places *= double(given.self.shape()[i]);
  }
  check.that(given.indicesOut.dtype() == ACL_INT64 ||
                 places <= double(std::numeric_limits<std::int32_t>::max()),
             "a volume of self has %.0f elements, at most 2^31 - 1 are allowed", places);
  for (std::int64_t value : sizes)
    check.that(value > 0, "outputSize has the value %lld, it must be positive", ll(value));
  if (given.self.is_empty()) return;
  check_plane(check, given.self, 3);
  launch_maxima(plan, given.self, pooled, given.outputOut, given.indicesOut,
                adaptive_ranges(given.self, pooled, 3));
}

/// out[indices] = self in every channel, 0 elsewhere.
void max_unpool2d(const Check& check, Plan& plan, const MaxUnpool2dParameters& given) {
  check_unpool_dtypes(check, given.self, given.indices, given.out);
  check_unpooled(check, 2, given.self, given.indices, given.outputSize);
  if (given.self.is_empty()) return;
  const Dims shape = unpooled_shape(given.self, given.outputSize);
  if (given.out.elements() != shape.product())
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: out has shape %s, outputSize says %s", plan.api(),
         given.out.shape().text().c_str(), shape.text().c_str());
  if (given.out.shape() != shape)
    fail_not_simulated(plan, "an out of another shape than outputSize's");
  launch_unpooling(plan, given.self, given.indices, given.out, 2);
}

void max_unpool3d(const Check& check, Plan& plan, const MaxUnpool3dParameters& given) {
  check.that(given.outRef.meta().is_contiguous(), "outRef is not contiguous");
  check_unpool_dtypes(check, given.self, given.indices, given.outRef);
  for (const IntArrayIn* array : {&given.stride, &given.padding})
    check.that(array->values().size() == 3, "%s has %zu values, it must have 3", array->name(),
               array->values().size());
  check_at_least(check, given.stride, 1);
  check_unpooled(check, 3, given.self, given.indices, given.outputSize);
  check.shape_is(given.outRef, unpooled_shape(given.self, given.outputSize), "self and outputSize");
  if (given.self.is_empty()) return;
  launch_unpooling(plan, given.self, given.indices, given.outRef, 3);
}

}  // namespace pyaclnn::sim

// SPDX-License-Identifier: MIT
#include "opapi/pooling/max_pool_forward.hpp"

#include <algorithm>
#include <utility>

#include "aclnn/opdev/op_errno.h"
#include "core/checked.hpp"
#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/format.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "parameters/AdaptiveMaxPool2d.hpp"
#include "parameters/MaxPool.hpp"
#include "parameters/MaxPool2dWithIndices.hpp"

namespace pyaclnn::sim {
namespace {

void check_image(const Check& check, const TensorArgument& self, const TensorArgument& out) {
  check_formats(check, self, out);
  check.that(self.rank() == 3 || self.rank() == 4, "self has %zu dimensions, it must have 3 or 4",
             self.rank());
}

/// Returns the pooled shape, which has an element for every sample and channel.
Dims check_pooled_image(const Check& check, const TensorArgument& self,
                        const std::vector<Window>& all, bool ceil_mode) {
  check_plane(check, self, 2);
  check.that(self.shape()[self.rank() - 3] != 0, "self has shape %s: only the batch may be empty",
             self.shape().text().c_str());
  return check_pooled(check, self, all, ceil_mode);
}

AxisWindows ranges(const Window& window, std::int64_t extent, std::int64_t count) {
  if (count > std::int64_t(AxisMap::kMost)) AxisMap::Terms::refuse();
  AxisWindows result;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t start = window.start(i);
    const std::int64_t before = start < 0 ? (-start + window.dilation - 1) / window.dilation : 0;
    const std::int64_t begin = std::min(start + before * window.dilation, extent - 1);
    const std::int64_t end = std::min(start + window.dilation * (window.kernel - 1) + 1, extent);
    result.push_back({begin, end, window.dilation});
  }
  return result;
}

/// The same tensor with other extents.
TensorMeta reshaped(const TensorArgument& tensor, const Dims& shape, const Dims& strides) {
  TensorMeta meta = tensor.meta();
  meta.shape = shape;
  meta.strides = strides;
  return meta;
}

/// Channels last: CANN moves the channels ahead, and does not move them back. The numbers lie in
/// the outputs with the channels first, whatever shape these have.
void adaptive_max_pool_channels_last(const Check& check, Plan& plan, const TensorArgument& self,
                                     const std::vector<std::int64_t>& size,
                                     const TensorArgument& out, const TensorArgument& indices) {
  check_inside(plan, self.rank() == 4, "self has %zu dimensions, in format NHWC it must have 4",
               self.rank());
  const auto first = [](const Dims& last) { return Dims{last[0], last[3], last[1], last[2]}; };
  const TensorMeta image = reshaped(self, first(self.shape()), first(self.meta().strides));
  const TensorArgument input(self.name(), self.index(), &image);
  check_plane(check, input, 2);
  const Dims pooled{image.shape[0], image.shape[1], size[0], size[1]};
  check_inside(plan, out.elements() == pooled.product(),
               "out has shape %s, which has not as many elements as %s", out.shape().text().c_str(),
               pooled.text().c_str());
  if (!out.meta().is_contiguous() || !indices.meta().is_contiguous())
    fail_not_simulated(plan, "format NHWC and an output that is not contiguous");
  const Dims strides = contiguous_strides(pooled);
  const TensorMeta values = reshaped(out, pooled, strides);
  const TensorMeta places = reshaped(indices, pooled, strides);
  const TensorArgument maxima(out.name(), out.index(), &values);
  const TensorArgument where(indices.name(), indices.index(), &places);
  plan.stage(self).contiguous();
  plan.result(self.dtype(), pooled).copy_to(maxima);
  plan.result(ACL_INT32, pooled).cast_to(ACL_INT64).copy_to(where);
  launch_max_pool(plan, plan.reads(input), plan.writes(maxima), plan.writes(where),
                  adaptive_ranges(input, pooled, 2));
}

}  // namespace

std::vector<AxisWindows> ranges_of(const TensorArgument& self, const Dims& pooled,
                                   const std::vector<Window>& windows) {
  std::vector<AxisWindows> axes;
  const std::size_t leading = self.rank() - windows.size();
  for (std::size_t i = 0; i < windows.size(); ++i)
    axes.push_back(ranges(windows[i], self.shape()[leading + i], pooled[leading + i]));
  return axes;
}

std::vector<AxisWindows> adaptive_ranges(const TensorArgument& self, const Dims& pooled,
                                         std::size_t axes) {
  std::vector<AxisWindows> result;
  for (std::size_t i = self.rank() - axes; i < self.rank(); ++i) {
    AxisWindows windows;
    for (const Cover& cover : adaptive_covers(self.shape()[i], pooled[i]))
      windows.push_back({cover.begin, cover.end});
    result.push_back(std::move(windows));
  }
  return result;
}

/// indices[o] is the place of out[o] in its plane.
void max_pool2d_with_indices(const Check& check, Plan& plan,
                             const MaxPool2dWithIndicesParameters& call) {
  const DtypeSet dtypes =
      chip().has_bf16() ? DtypeSet{ACL_FLOAT, ACL_FLOAT16, ACL_BF16} : DtypeSet{};
  check.dtype_in(dtypes, call.self);
  check.same_dtype(call.self, call.out);
  check.dtype_in(DtypeSet{ACL_INT32, ACL_INT64}, call.indices);
  check_image(check, call.self, call.out);
  const std::vector<Window> all =
      max_pool2d_windows(check, call.kernelSize, call.stride, call.padding, call.dilation);
  refuse_channels_last(check, plan, call.self, call.out, all, call.ceilMode);
  const ChannelsFirst image(call.self), out(call.out, call.self), where(call.indices, call.self);
  const Dims pooled = check_pooled_image(check, image.tensor(), all, call.ceilMode);
  check.shape_is(out.tensor(), pooled, "the pooled shape of self");
  check.shape_is(where.tensor(), pooled, "the pooled shape of self");
  if (call.self.is_empty()) return;
  plan.stage(call.self).contiguous();
  plan.result(call.self.dtype(), call.out.shape()).copy_to(call.out);
  const aclDataType places = on_950() ? call.indices.dtype() : ACL_INT32;
  plan.result(places, call.indices.shape()).cast_to(call.indices.dtype()).copy_to(call.indices);
  launch_max_pool(plan, plan.reads(image.tensor()), plan.writes(out.tensor()),
                  plan.writes(where.tensor()), ranges_of(image.tensor(), pooled, all));
}

void check_mask_kernel(const Check& check, const TensorArgument& self, const IntArrayIn& kernel,
                       const TensorArgument& out) {
  check.not_null(kernel, self, out);
  check_length(check, kernel, 2, false);
  check.that(!on_950(), "use aclnnMaxPool2dWithIndices on %s", chip().name);
}

/// The same places as int32 at the start of a tensor of bytes, which has room for a bit mask.
void max_pool2d_with_mask(const Check& check, Plan& plan,
                          const MaxPool2dWithIndicesParameters& call) {
  const bool is_310p = on_310p();
  check.dtype_in(is_310p ? DtypeSet{ACL_FLOAT} : DtypeSet{ACL_FLOAT, ACL_FLOAT16}.with_bf16(),
                 call.self);
  check.same_dtype(call.self, call.out);
  check.dtype_in(DtypeSet{ACL_INT8}, call.indices);
  check_image(check, call.self, call.out);
  const std::vector<Window> all =
      max_pool2d_windows(check, call.kernelSize, call.stride, call.padding, call.dilation);
  refuse_channels_last(check, plan, call.self, call.out, all, call.ceilMode);
  const Dims pooled = check_pooled_image(check, call.self, all, call.ceilMode);
  check.shape_is(call.out, pooled, "the pooled shape of self");
  // A bit for each place of a window and each result, in blocks of 16, and one block more.
  using Extent = Checked<std::int64_t>;
  const std::size_t last = pooled.size() - 1;
  const Extent results = Extent(pooled[last - 1]) * pooled[last];
  const Extent bytes =
      (Extent(results.saturated() / 16 + (results.saturated() % 16 != 0)) + 1) * 32;
  Dims mask = pooled;
  mask.set(last - 1, (Extent(all[0].kernel) * all[1].kernel).saturated());
  mask.set(last, bytes.saturated());
  check.shape_is(call.indices, mask, "a mask of the windows");
  if (call.self.is_empty()) return;
  if (!chip().has_bf16() || (all[0].kernel == 1 && all[1].kernel == 1))
    fail_not_simulated(plan, "a mask of bits");
  constexpr std::int64_t kIndexSize = sizeof(std::int32_t);
  if (!call.indices.meta().is_contiguous() || call.indices.meta().offset % kIndexSize != 0)
    fail_not_simulated(plan, "a mask that is not contiguous");
  plan.stage(call.self).contiguous();
  plan.result(call.self.dtype(), pooled).copy_to(call.out);
  // As many bytes are written as there are places, however large the mask is.
  TensorMeta written = call.indices.meta();
  written.dtype = ACL_INT32;
  written.offset /= kIndexSize;
  written.shape = pooled;
  written.strides = contiguous_strides(pooled);
  const TensorArgument places(call.indices.name(), call.indices.index(), &written);
  launch_max_pool(plan, plan.reads(call.self), plan.writes(call.out), plan.writes(places),
                  ranges_of(call.self, pooled, all));
}

/// Without places; padding may differ from side to side.
void max_pool(const Check& check, Plan& plan, const MaxPoolParameters& call) {
  check_image(check, call.self, call.out);
  if (call.self.meta().format == ACL_FORMAT_NHWC) fail_not_simulated(plan, "format NHWC");
  const auto count_in = [&](const IntArrayIn& array, std::initializer_list<std::size_t> allowed) {
    const std::size_t count = array.values().size();
    check.that(std::find(allowed.begin(), allowed.end(), count) != allowed.end(),
               "%s has %zu entries", array.name(), count);
  };
  count_in(call.kernelShape, {1, 2});
  count_in(call.strides, {0, 1, 2});
  count_in(call.pads, {0, 1, 2, 4});
  count_in(call.dilations, {0, 1, 2, 4});
  check.that(call.autoPad == 0, "autoPad is %lld, it must be 0", ll(call.autoPad));
  for (std::int64_t value : call.dilations.values())
    check.that(value == 1, "dilations has the value %lld, it must be 1", ll(value));
  check_at_least(check, call.kernelShape, 1);
  check_at_least(check, call.strides, 1);
  check_at_least(check, call.pads, -std::int64_t(1 << 30));
  check_plane(check, call.self, 2);
  check.that(call.self.shape()[call.self.rank() - 3] != 0,
             "self has shape %s: only the batch may be empty", call.self.shape().text().c_str());
  const auto& pads = call.pads.values();
  std::vector<AxisWindows> axes;
  Dims pooled = call.self.shape();
  bool is_negative = false;
  for (std::size_t i = 0; i < 2; ++i) {
    Window window;
    window.kernel = attribute(call.kernelShape, i);
    window.stride = call.strides.values().empty() ? 1 : attribute(call.strides, i);
    // Of four, the first two stand before the image and the others behind.
    window.padding = pads.empty() ? 0 : pads[pads.size() == 1 ? 0 : i];
    const std::int64_t behind = pads.size() == 4 ? pads[i + 2] : window.padding;
    check.that(window.padding + behind <= window.kernel,
               "pads are %lld and %lld, together at most the kernel's size %lld",
               ll(window.padding), ll(behind), ll(window.kernel));
    is_negative = is_negative || window.padding < 0 || behind < 0;
    const std::size_t axis = call.self.rank() - 2 + i;
    const std::int64_t extent = call.self.shape()[axis];
    const std::int64_t count = window.count(extent, call.ceilMode != 0, behind);
    check.that(count > 0, "self of shape %s is too small for the kernel",
               call.self.shape().text().c_str());
    pooled.set(axis, count);
    axes.push_back(ranges(window, extent, count));
  }
  check.shape_is(call.out, pooled, "the pooled shape of self");
  if (call.self.is_empty()) return;
  if (is_negative) fail(ACLNN_ERR_INNER_NULLPTR, "%s: pads has a negative value", plan.api());
  plan.stage(call.self).contiguous();
  plan.result(call.self.dtype(), pooled).copy_to(call.out);
  launch_max_pool(plan, plan.reads(call.self), plan.writes(call.out), std::nullopt, axes);
}

/// Window o of n on an axis of extent m goes from floor(o m / n) to ceil((o + 1) m / n).
/// The dimensions that a format names; 0 for one that does not.
static std::size_t axes_of(aclFormat format) {
  switch (format) {
    case ACL_FORMAT_NCL:
      return 3;
    case ACL_FORMAT_NCHW:
    case ACL_FORMAT_NHWC:
    case ACL_FORMAT_HWCN:
      return 4;
    case ACL_FORMAT_NCDHW:
    case ACL_FORMAT_NDHWC:
      return 5;
    default:
      return 0;
  }
}

/// Formats that CANN cannot bring images or results into, which it notices inside. Where windows
/// are alike, those of MaxPool3d, images may be of any.
static void check_pooled_formats(const Plan& plan, const AdaptiveMaxPool2dParameters& given) {
  const TensorArgument& self = given.self;
  const bool general = !chip().has_bf16() || self.dtype() == ACL_DOUBLE;
  bool alike = true;
  for (std::size_t i = 0; i < 2; ++i)
    alike = alike && self.shape()[self.rank() - 2 + i] % given.outputSize.values()[i] == 0;
  const FormatSet images{ACL_FORMAT_NCHW, ACL_FORMAT_NHWC};
  if (self.rank() == 4 && (general || (on_950() && !alike)))
    check_inside(plan, images.contains(self.meta().format), "self has format %d, not NCHW or NHWC",
                 int(self.meta().format));
  if (general ? self.rank() == 4 : !alike) return;
  for (const TensorArgument* out : {&given.outputOut, &given.indicesOut}) {
    const std::size_t axes = axes_of(out->meta().format);
    check_inside(plan, axes == 0 || axes == out->rank(), "%s has %zu dimensions, its format %zu",
                 out->name(), out->rank(), axes);
  }
}

void adaptive_max_pool2d(const Check& check, Plan& plan, const AdaptiveMaxPool2dParameters& given) {
  check.that(given.self.rank() == 3 || given.self.rank() == 4,
             "self has %zu dimensions, it must have 3 or 4", given.self.rank());
  check.same_shape(given.outputOut, given.indicesOut);
  for (std::size_t i = 1; i < given.self.rank(); ++i)
    check.that(given.self.shape()[i] > 0, "self has shape %s: only its first extent may be 0",
               given.self.shape().text().c_str());
  check.that(given.outputSize.values().size() == 2, "outputSize has %zu values, it must have 2",
             given.outputSize.values().size());
  for (std::int64_t value : given.outputSize.values())
    check.that(value > 0, "outputSize has the value %lld, it must be positive", ll(value));
  check_formats(check, given.self);
  const bool general = !chip().has_bf16();
  const bool channels_last = given.self.meta().format == ACL_FORMAT_NHWC;
  if (given.self.is_empty()) return;
  check_pooled_formats(plan, given);
  if (channels_last && (general || given.self.dtype() == ACL_DOUBLE))
    fail_not_simulated(plan, "format NHWC");
  if (channels_last)
    return adaptive_max_pool_channels_last(check, plan, given.self, given.outputSize.values(),
                                           given.outputOut, given.indicesOut);
  check_plane(check, given.self, 2);
  Dims pooled = given.self.shape();
  for (std::size_t i = 0; i < 2; ++i)
    pooled.set(given.self.rank() - 2 + i, given.outputSize.values()[i]);
  plan.stage(given.self).contiguous();
  plan.result(given.self.dtype(), pooled).copy_to(given.outputOut);
  plan.result(general ? ACL_INT64 : ACL_INT32, pooled).cast_to(ACL_INT64).copy_to(given.indicesOut);
  launch_max_pool(plan, plan.reads(given.self), plan.writes(given.outputOut),
                  plan.writes(given.indicesOut), adaptive_ranges(given.self, pooled, 2));
}

}  // namespace pyaclnn::sim

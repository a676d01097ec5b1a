// SPDX-License-Identifier: MIT
#include "opapi/resample/resize.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/kernel_checks.hpp"
#include "opapi/copy/cast.hpp"

namespace pyaclnn::sim {
namespace {

/// Images have their format, volumes theirs.
bool has_channels_last(const TensorArgument& tensor, std::size_t axes, SizeOrder order) {
  const int format = tensor.meta().format;
  if (order == SizeOrder::kLastUnlessNCHW) return format != ACL_FORMAT_NCHW;
  if (order == SizeOrder::kLastUnlessNCHWOrND)
    return format != ACL_FORMAT_NCHW && format != ACL_FORMAT_ND;
  return means_channels_last(format, axes);
}

/// Whether the kernels can do with 32-bit indices.
void check_extents_fit(const Plan& plan, const Resize& resize) {
  constexpr std::int64_t kLimit = std::int64_t(1) << 30;
  for (std::int64_t extent : {resize.batch, resize.channels}) {
    if (extent > kLimit) fail(ACLNN_ERR_INNER_NULLPTR, "%s: the image is too large", plan.api());
  }
  for (std::size_t i = 0; i < resize.axes; ++i) {
    if (resize.input[i] > kLimit || resize.output[i] > kLimit)
      fail(ACLNN_ERR_INNER_NULLPTR, "%s: the image is too large", plan.api());
  }
}

}  // namespace

Dims Resize::shape(const std::vector<std::int64_t>& spatial) const {
  Dims result{batch};
  if (!channels_last) result.push_back(channels);
  for (std::int64_t extent : spatial) result.push_back(extent);
  if (channels_last) result.push_back(channels);
  return result;
}

void check_size_lengths(const Check& check, std::size_t axes, const IntArrayIn& output_size,
                        const IntArrayIn& input_size) {
  check.that(output_size.values().size() == axes, "%s has %zu entries, it takes %zu",
             output_size.name(), output_size.values().size(), axes);
  check.that(input_size.values().size() == axes + 2, "%s has %zu entries, it takes %zu",
             input_size.name(), input_size.values().size(), axes + 2);
}

void check_resize_rank(const Check& check, std::size_t axes, const TensorArgument& tensor) {
  check.that(tensor.rank() == axes + 2, "%s has %zu dimensions, it must have %zu", tensor.name(),
             tensor.rank(), axes + 2);
}

Resize resize_of(const TensorArgument& reference, const IntArrayIn& output_size,
                 const IntArrayIn& input_size, SizeOrder order) {
  const std::vector<std::int64_t>& size = input_size.values();
  Resize result;
  result.axes = output_size.values().size();
  result.channels_last = has_channels_last(reference, result.axes, order);
  result.batch = size.front();
  result.output = output_size.values();
  const bool channels_at_end = result.channels_last && order != SizeOrder::kChannelsSecond;
  const auto spatial = size.begin() + (channels_at_end ? 1 : 2);
  result.channels = channels_at_end ? size.back() : size[1];
  result.input.assign(spatial, spatial + static_cast<std::ptrdiff_t>(result.axes));
  return result;
}

Resize resize_of_gradient(const TensorArgument& grad_output, const IntArrayIn& input_size) {
  const std::vector<std::int64_t>& size = input_size.values();
  Resize result;
  result.axes = size.size() - 2;
  result.batch = grad_output.shape()[0];
  result.channels = grad_output.shape()[1];
  result.input.assign(size.begin() + 2, size.end());
  for (std::size_t i = 2; i < size.size(); ++i) result.output.push_back(grad_output.shape()[i]);
  return result;
}

void check_positive(const Check& check, const Resize& resize) {
  for (std::size_t i = 0; i < resize.axes; ++i)
    check.that(resize.input[i] > 0 && resize.output[i] > 0,
               "spatial axis %zu goes from %lld to %lld elements, both must be at least 1", i,
               static_cast<long long>(resize.input[i]), static_cast<long long>(resize.output[i]));
}

void check_batch_and_channels(const Check& check, const TensorArgument& reference,
                              const TensorArgument& other) {
  const std::size_t channel = reference.meta().format == ACL_FORMAT_NHWC ? 3 : 1;
  check.that(reference.shape()[0] == other.shape()[0] &&
                 reference.shape()[channel] == other.shape()[channel],
             "%s has shape %s, %s has %s: they differ in batch or channels", reference.name(),
             reference.shape().text().c_str(), other.name(), other.shape().text().c_str());
}

void check_leading_axes(const Check& check, const TensorArgument& reference,
                        const TensorArgument& other) {
  check.that(reference.shape()[0] == other.shape()[0] && reference.shape()[1] == other.shape()[1],
             "%s has shape %s, %s has %s: they differ in batch or channels", reference.name(),
             reference.shape().text().c_str(), other.name(), other.shape().text().c_str());
}

void check_scales(const Check& check, const Resize& resize, const std::vector<double>& scales,
                  double largest) {
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const double actual =
        scales[i] > 0 ? scales[i] : double(resize.output[i]) / double(resize.input[i]);
    check.that(actual <= largest, "an axis is enlarged %g times, at most %g times is possible",
               actual, largest);
  }
}

void need_a2_kernel(Plan& plan) { needs_kernel(plan, chip().has_bf16()); }

bool scale_fits(std::int64_t input, std::int64_t output, double scale) {
  return double(output) == std::floor(double(input) * scale);
}

void launch_resize(Plan& plan, const ResizeCall& call, const MapOfAxis& map, ComputeIn compute) {
  const Resize& r = call.sizes;
  check_extents_fit(plan, r);
  const bool casts = compute == ComputeIn::kFloat && call.grad.dtype() != ACL_DOUBLE;
  const aclDataType dtype = casts ? ACL_FLOAT : call.grad.dtype();
  const Dims result = r.grad_input_shape();
  plan.stage(call.grad).contiguous().cast_to(dtype);
  if (r.channels_last) {
    plan.reserve(r.grad_output_shape().product(), dtype);
    plan.reserve(result.product(), dtype);
  }
  plan.result(dtype, result).cast_to(call.out.dtype()).copy_to(call.out);
  std::vector<AxisMap> maps;
  for (std::size_t i = 0; i < r.axes; ++i) maps.push_back(map(i));
  if (r.channels_last) maps.push_back(identity_map(r.channels));
  launch_axis_sums(plan, call.grad, call.out, std::move(maps));
}

void launch_unresized(Plan& plan, const TensorArgument& grad_output,
                      const TensorArgument& grad_input) {
  plan.stage(grad_output).contiguous();
  plan.result(grad_output.dtype(), grad_output.shape()).copy_to(grad_input);
  copy(plan, grad_output, grad_input);
}

}  // namespace pyaclnn::sim

// SPDX-License-Identifier: MIT
#include "opapi/pooling/window.hpp"

#include <algorithm>
#include <limits>

#include "core/checked.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/kernel_checks.hpp"

namespace pyaclnn::sim {

std::int64_t Window::count(std::int64_t extent, bool ceil_mode, std::int64_t padding_behind) const {
  using Extent = Checked<std::int64_t>;
  const Extent padded = Extent(extent) + padding + padding_behind;
  const Extent checked =
      padded - Extent(dilation) * (kernel - 1) - 1 + (ceil_mode ? stride - 1 : 0);
  // No output is as long; what it is compared with differs.
  if (!checked.fits()) return checked.saturated();
  const std::int64_t room = checked.saturated();
  // Rounded down, also below zero.
  std::int64_t result = room / stride - (room % stride < 0 ? 1 : 0) + 1;
  // The last window must start inside the axis or the padding before it.
  const std::int64_t start = (Extent(result - 1) * stride).saturated();
  if (ceil_mode && start >= (Extent(extent) + padding).saturated()) --result;
  return result;
}

std::int64_t attribute(const IntArrayIn& array, std::size_t i) {
  return array.values().size() == 1 ? array.values().front() : array.values()[i];
}

void check_length(const Check& check, const IntArrayIn& array, std::size_t axes,
                  bool may_be_empty) {
  const std::size_t length = array.values().size();
  check.that(length == 1 || length == axes || (may_be_empty && length == 0),
             "%s has %zu entries, it takes %s1 or %zu", array.name(), length,
             may_be_empty ? "0, " : "", axes);
}

void check_at_least(const Check& check, const IntArrayIn& array, std::int64_t least) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  for (std::int64_t value : array.values())
    check.that(value >= least && value <= kMost, "%s contains %lld, it must be from %lld to %lld",
               array.name(), static_cast<long long>(value), static_cast<long long>(least),
               static_cast<long long>(kMost));
}

std::vector<Window> windows(std::size_t axes, const IntArrayIn& kernel, const IntArrayIn& stride,
                            const IntArrayIn& padding) {
  std::vector<Window> result(axes);
  for (std::size_t i = 0; i < axes; ++i) {
    result[i].kernel = attribute(kernel, i);
    result[i].stride =
        stride.given() && !stride.values().empty() ? attribute(stride, i) : result[i].kernel;
    result[i].padding = attribute(padding, i);
  }
  return result;
}

void check_half_padding(const Check& check, const Window& window) {
  check.that(window.padding >= 0 && window.padding <= window.kernel / 2,
             "padding is %lld, it must be from 0 to half of the kernel's size %lld",
             static_cast<long long>(window.padding), static_cast<long long>(window.kernel));
}

void check_half_paddings(const Check& check, const std::vector<Window>& windows) {
  for (const Window& window : windows) check_half_padding(check, window);
}

void check_at_most_half(const Check& check, const std::vector<Window>& windows) {
  for (const Window& window : windows) {
    check.that(window.padding <= window.kernel / 2,
               "padding is %lld, it must be at most half of the kernel's size %lld",
               static_cast<long long>(window.padding), static_cast<long long>(window.kernel));
  }
}

std::vector<Window> dilated(std::vector<Window> windows, const IntArrayIn& dilation) {
  for (std::size_t i = 0; i < windows.size(); ++i) windows[i].dilation = attribute(dilation, i);
  return windows;
}

std::vector<Window> max_pool2d_windows(const Check& check, const IntArrayIn& kernel,
                                       const IntArrayIn& stride, const IntArrayIn& padding,
                                       const IntArrayIn& dilation) {
  check_length(check, kernel, 2, false);
  check_length(check, stride, 2, true);
  check_length(check, padding, 2, false);
  check_length(check, dilation, 2, false);
  check_at_least(check, kernel, 1);
  check_at_least(check, stride, 1);
  check_at_least(check, dilation, 1);
  std::vector<Window> all = windows(2, kernel, stride, padding);
  for (std::size_t i = 0; i < 2; ++i) {
    check_half_padding(check, all[i]);
    all[i].dilation = attribute(dilation, i);
    check.that(all[i].dilation == 1 || on_950(), "dilation is %lld, it must be 1 on %s",
               static_cast<long long>(all[i].dilation), chip().name);
  }
  return all;
}

Dims pooled_shape(const Dims& shape, const std::vector<Window>& windows, bool ceil_mode) {
  Dims result = shape;
  const std::size_t leading = shape.size() - windows.size();
  for (std::size_t i = 0; i < windows.size(); ++i)
    result.set(leading + i, windows[i].count(shape[leading + i], ceil_mode));
  return result;
}

Dims check_pooled(const Check& check, const TensorArgument& self,
                  const std::vector<Window>& windows, bool ceil_mode) {
  const Dims pooled = pooled_shape(self.shape(), windows, ceil_mode);
  for (std::size_t i = pooled.size() - windows.size(); i < pooled.size(); ++i)
    check.that(pooled[i] > 0, "self of shape %s is too small for the kernel",
               self.shape().text().c_str());
  return pooled;
}

ChannelsFirst::ChannelsFirst(const TensorArgument& image, const TensorArgument& as)
    : meta_(image.meta()), tensor_(image.name(), image.index(), &meta_) {
  if (as.meta().format != ACL_FORMAT_NHWC || image.rank() < 3) return;
  const std::size_t rank = image.rank();
  const auto first = [&](const Dims& last) {
    Dims result = last;
    result.set(rank - 3, last[rank - 1]);
    result.set(rank - 2, last[rank - 3]);
    result.set(rank - 1, last[rank - 2]);
    return result;
  };
  meta_.shape = first(image.shape());
  meta_.strides = first(image.meta().is_contiguous() ? contiguous_strides(image.shape())
                                                     : image.meta().strides);
}

void refuse_channels_last(const Check& check, const Plan& plan, const TensorArgument& self,
                          const TensorArgument& result, const std::vector<Window>& windows,
                          bool ceil_mode) {
  if (self.meta().format != ACL_FORMAT_NHWC || on_950()) return;
  Dims pooled = self.shape();
  const std::size_t leading = pooled.size() - windows.size() - 1;
  for (std::size_t i = 0; i < windows.size(); ++i)
    pooled.set(leading + i, windows[i].count(pooled[leading + i], ceil_mode));
  check.shape_is(result, pooled, "the pooled shape of self");
  fail_not_simulated(plan, "format NHWC");
}

AxisMap cover_map(std::int64_t extent, const std::vector<Cover>& covers) {
  AxisMap::Terms terms;
  for (std::size_t i = 0; i < covers.size(); ++i) {
    for (std::int64_t at = covers[i].begin; at < covers[i].end; ++at)
      terms.push_back({at, static_cast<std::int64_t>(i), covers[i].weight});
  }
  return {static_cast<std::int64_t>(covers.size()), extent, terms};
}

AxisMap window_map(std::int64_t extent, const std::vector<Cover>& covers) {
  AxisMap::Terms terms;
  for (std::size_t i = 0; i < covers.size(); ++i) {
    for (std::int64_t at = covers[i].begin; at < covers[i].end; ++at)
      terms.push_back({static_cast<std::int64_t>(i), at, covers[i].weight});
  }
  return {extent, static_cast<std::int64_t>(covers.size()), terms};
}

std::vector<Cover> adaptive_covers(std::int64_t extent, std::int64_t count) {
  if (count > std::int64_t(AxisMap::kMost)) AxisMap::Terms::refuse();
  std::vector<Cover> covers;
  for (std::int64_t o = 0; o < count; ++o) {
    const std::int64_t begin = o * extent / count;
    const std::int64_t end = ((o + 1) * extent + count - 1) / count;
    covers.push_back({begin, end, 1.0 / double(end - begin)});
  }
  return covers;
}

void check_plane(const Check& check, const TensorArgument& tensor, std::size_t axes) {
  constexpr std::int64_t kMost = std::int64_t(1) << 36;
  for (std::size_t i = tensor.rank() - axes; i < tensor.rank(); ++i)
    check.that(tensor.shape()[i] > 0 && tensor.shape()[i] <= kMost,
               "%s has shape %s: its last %zu extents must be positive, and fit a memory",
               tensor.name(), tensor.shape().text().c_str(), axes);
}

void check_not_negative(const Check& check, const TensorArgument& tensor) {
  for (std::int64_t extent : tensor.shape())
    check.that(extent >= 0, "%s has the negative extent %lld", tensor.name(),
               static_cast<long long>(extent));
}

void check_only_first_empty(const Check& check, const TensorArgument& self) {
  for (std::size_t i = 1; i < self.rank(); ++i)
    check.that(self.shape()[i] > 0, "self has shape %s: only the first extent may be 0",
               self.shape().text().c_str());
}

void check_places(const Check& check, const TensorArgument& self, std::size_t axes,
                  const char* what) {
  double places = 1;
  for (std::size_t i = self.rank() - std::min(axes, self.rank()); i < self.rank(); ++i)
    places *= double(self.shape()[i]);
  check.that(places <= double(std::numeric_limits<std::int32_t>::max()),
             "a %s of self has %.0f elements, at most 2^31 - 1 are allowed", what, places);
}

void check_same_images(const Check& check, const TensorArgument& a, const TensorArgument& b,
                       std::size_t axes) {
  for (std::size_t i = 0; i + axes < a.rank(); ++i)
    check.that(a.shape()[i] == b.shape()[i], "%s has shape %s, %s has %s", a.name(),
               a.shape().text().c_str(), b.name(), b.shape().text().c_str());
}

}  // namespace pyaclnn::sim

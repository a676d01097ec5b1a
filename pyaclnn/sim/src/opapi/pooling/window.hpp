// The windows of a pooling: where they lie, and how large the result is.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "opapi/common/arguments.hpp"
#include "opapi/common/axis_sums.hpp"
#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// The windows along one axis.
struct Window {
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t padding = 0;
  std::int64_t dilation = 1;

  /// How many of them fit an axis of `extent`: 0 or less where none does. The padding behind it is
  /// that before it, unless given.
  std::int64_t count(std::int64_t extent, bool ceil_mode) const {
    return count(extent, ceil_mode, padding);
  }
  std::int64_t count(std::int64_t extent, bool ceil_mode, std::int64_t padding_behind) const;
  /// Where window `i` starts; it may start and end in the padding.
  std::int64_t start(std::int64_t i) const { return i * stride - padding; }
};

/// Entry `i` of an attribute that may have been given as one number for all axes.
std::int64_t attribute(const IntArrayIn& array, std::size_t i);

/// Refuses other than `axes` numbers, one, or, if that is allowed, none.
void check_length(const Check& check, const IntArrayIn& array, std::size_t axes, bool may_be_empty);

/// Refuses a number below `least`, or one that is not an int32.
void check_at_least(const Check& check, const IntArrayIn& array, std::int64_t least);

/// The windows along each of `axes` axes. A missing or empty stride is the kernel's size.
std::vector<Window> windows(std::size_t axes, const IntArrayIn& kernel, const IntArrayIn& stride,
                            const IntArrayIn& padding);

/// Refuses padding that is not from 0 to half of the kernel's size.
void check_half_padding(const Check& check, const Window& window);

void check_half_paddings(const Check& check, const std::vector<Window>& windows);

/// The same of padding that is known not to be negative, in other words.
void check_at_most_half(const Check& check, const std::vector<Window>& windows);

/// The windows with a dilation for each axis, or one for all.
std::vector<Window> dilated(std::vector<Window> windows, const IntArrayIn& dilation);

/// The windows of max pooling of images, or a refusal.
std::vector<Window> max_pool2d_windows(const Check& check, const IntArrayIn& kernel,
                                       const IntArrayIn& stride, const IntArrayIn& padding,
                                       const IntArrayIn& dilation);

/// `shape` with each of its last axes replaced by the number of windows along it.
Dims pooled_shape(const Dims& shape, const std::vector<Window>& windows, bool ceil_mode);
/// The same of `self`, or a refusal where no window fits.
Dims check_pooled(const Check& check, const TensorArgument& self,
                  const std::vector<Window>& windows, bool ceil_mode);

/// An image as it is, or, of format NHWC, as the one with its channels first: a view of the same
/// elements. The format is that of `image`, unless `as` has another.
class ChannelsFirst {
 public:
  explicit ChannelsFirst(const TensorArgument& image) : ChannelsFirst(image, image) {}
  ChannelsFirst(const TensorArgument& image, const TensorArgument& as);
  ChannelsFirst(const ChannelsFirst&) = delete;  // The argument points into it.
  ChannelsFirst& operator=(const ChannelsFirst&) = delete;

  const TensorArgument& tensor() const { return tensor_; }

 private:
  TensorMeta meta_;
  TensorArgument tensor_;
};

/// Images with their channels last are simulated on the 950 alone. Refuses `result` first, where it
/// has not the pooled shape of `self`.
void refuse_channels_last(const Check& check, const Plan& plan, const TensorArgument& self,
                          const TensorArgument& result, const std::vector<Window>& windows,
                          bool ceil_mode);

/// The mean over the windows of an axis, backwards: from the windows to the places they cover.
/// `begin` and `end` bound the window inside the axis, `weight` is what each place gets.
struct Cover {
  std::int64_t begin;
  std::int64_t end;
  double weight;
};
AxisMap cover_map(std::int64_t extent, const std::vector<Cover>& covers);
/// The same forwards: from the places to the windows.
AxisMap window_map(std::int64_t extent, const std::vector<Cover>& covers);

/// The windows of adaptive pooling: window o of n on an axis of extent m covers the places from
/// floor(o * m / n) to ceil((o + 1) * m / n).
std::vector<Cover> adaptive_covers(std::int64_t extent, std::int64_t count);

/// Refuses trailing axes that are empty, or longer than any memory.
void check_plane(const Check& check, const TensorArgument& tensor, std::size_t axes);

/// Refuses negative extents.
void check_not_negative(const Check& check, const TensorArgument& tensor);

/// Refuses extents of 0 behind the first.
void check_only_first_empty(const Check& check, const TensorArgument& self);

/// Refuses more places than an int32 counts on the last `axes` axes, a plane or a volume.
void check_places(const Check& check, const TensorArgument& self, std::size_t axes,
                  const char* what);

/// Refuses `a` where its extents before the last `axes` are not those of `b`, which has as many.
void check_same_images(const Check& check, const TensorArgument& a, const TensorArgument& b,
                       std::size_t axes);

}  // namespace pyaclnn::sim

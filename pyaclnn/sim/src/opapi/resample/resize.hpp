// What the gradients of all resizing operators share: their sizes, checks and the way to the
// kernel.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/resample/interpolation.hpp"

namespace pyaclnn::sim {

/// Where inputSize has its channels: where the tensor's format has them, second nevertheless, or
/// last for all formats but these.
enum class SizeOrder { kAsTensor, kChannelsSecond, kLastUnlessNCHW, kLastUnlessNCHWOrND };

/// The shapes that outputSize (spatial) and inputSize (whole) describe.
struct Resize {
  std::size_t axes = 0;  // 1 to 3
  bool channels_last = false;
  std::int64_t batch = 0;
  std::int64_t channels = 0;
  std::vector<std::int64_t> input;   // spatial extents of the result
  std::vector<std::int64_t> output;  // spatial extents of the gradient

  Dims grad_output_shape() const { return shape(output); }
  Dims grad_input_shape() const { return shape(input); }
  bool keeps_size() const { return input == output; }

 private:
  Dims shape(const std::vector<std::int64_t>& spatial) const;
};

/// Refuses other than `axes` and `axes` + 2 entries.
void check_size_lengths(const Check& check, std::size_t axes, const IntArrayIn& output_size,
                        const IntArrayIn& input_size);

/// Refuses other than `axes` + 2 dimensions.
void check_resize_rank(const Check& check, std::size_t axes, const TensorArgument& tensor);

/// The sizes of a call whose `reference` has a format with its channels last, or another.
Resize resize_of(const TensorArgument& reference, const IntArrayIn& output_size,
                 const IntArrayIn& input_size, SizeOrder order);

/// The sizes where CANN goes by the gradient's shape and outputSize is not looked at.
Resize resize_of_gradient(const TensorArgument& grad_output, const IntArrayIn& input_size);

/// Refuses spatial extents below 1.
void check_positive(const Check& check, const Resize& resize);

/// Refuses formats but NCHW and NHWC of `reference`, and other batches or channels in `other`.
void check_batch_and_channels(const Check& check, const TensorArgument& reference,
                              const TensorArgument& other);

/// The same, whatever the format: the first two axes.
void check_leading_axes(const Check& check, const TensorArgument& reference,
                        const TensorArgument& other);

/// Refuses scales, one an axis, that shrink the gradient more than the kernels' buffers allow.
void check_scales(const Check& check, const Resize& resize, const std::vector<double>& scales,
                  double largest);

/// Fails where the chip has no kernel for an operator of A2 and later.
void need_a2_kernel(Plan& plan);

/// Whether flooring input * scale gives the output's extent.
bool scale_fits(std::int64_t input, std::int64_t output, double scale);

/// The map of spatial axis `axis`.
using MapOfAxis = std::function<AxisMap(std::size_t axis)>;

/// Which element type a kernel works in, for the casts around it.
enum class ComputeIn { kFloat, kOwnType };

/// What is resized, its checks done.
struct ResizeCall {
  const TensorArgument& grad;
  const TensorArgument& out;
  const Resize& sizes;
  std::vector<double> scales;  // of the axes, outermost first
  bool align_corners = false;
};

/// Plans the resizing: contiguous copy, cast, kernel, cast, copy to `out`.
void launch_resize(Plan& plan, const ResizeCall& call, const MapOfAxis& map, ComputeIn compute);

/// Plans a copy: nothing is resized.
void launch_unresized(Plan& plan, const TensorArgument& grad_output,
                      const TensorArgument& grad_input);

}  // namespace pyaclnn::sim

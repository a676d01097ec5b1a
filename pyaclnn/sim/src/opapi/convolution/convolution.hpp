// The gradients of a convolution, transposed or not, in up to three dimensions.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/common/row_major.hpp"
#include "opapi/convolution/window.hpp"

namespace pyaclnn::sim {

/// What the matrix unit rounds its operands to before it multiplies.
enum class CubePrecision { kKeep, kHfloat32, kFloat16 };

/// A convolution reads an image with (samples, groups * image_channels, ...) and makes positions
/// with (samples, groups * position_channels, ...) by weights with
/// (groups * position_channels, image_channels, taps). Transposed, it goes the other way.
struct ConvolutionGradients {
  ConvolutionWindow window;
  std::int64_t samples = 0;
  std::int64_t groups = 1;
  std::int64_t image_channels = 0;     // of a group
  std::int64_t position_channels = 0;  // of a group
  bool transposed = false;
  bool time_first = false;  // one spatial axis, and it is the first of image, positions, grad_input
  CubePrecision precision = CubePrecision::kKeep;
  RowMajor image;      // the input, or the output's gradient where transposed
  RowMajor positions;  // the output's gradient, or the input where transposed
  RowMajor weight;
  RowMajor grad_input;  // each result may be left out
  RowMajor grad_weight;
  RowMajor grad_bias;
};

/// Plans the kernel. No operand is empty.
void launch_convolution_gradients(Plan& plan, ConvolutionGradients gradients);

/// A convolution with the same window, from image to positions; or back, which is the transposed
/// one, and the plain one's gradient by its input.
struct ConvolutionSum {
  ConvolutionWindow window;
  std::int64_t samples = 0;
  std::int64_t groups = 1;
  std::int64_t image_channels = 0;     // of a group
  std::int64_t position_channels = 0;  // of a group
  bool to_image = false;
  bool time_first = false;  // one spatial axis, and it is the first of source and result
  CubePrecision precision = CubePrecision::kKeep;
  RowMajor source;
  RowMajor weight;
  RowMajor bias;  // of each channel of the result; may be left out
  RowMajor result;
  aclDataType bias_type = ACL_FLOAT;  // the bias is rounded to this type
  aclDataType gives = ACL_FLOAT;  // and the result, before it is converted to that of its tensor
};

/// Plans result = sums + bias. No operand is empty.
void launch_convolution_sum(Plan& plan, ConvolutionSum sum);
/// For kernels of which the sums are a part.
void run_convolution_sum(const ConvolutionSum& sum, const KernelMemory& memory);

/// Refuses a cubeMathType that is none, or that the matrix unit does not have for this type.
void check_cube_math_type(const Check& check, std::int8_t cube_math_type, aclDataType dtype);
/// What a cubeMathType that was accepted means for the computation.
CubePrecision cube_precision(std::int8_t cube_math_type, aclDataType dtype);

/// The chips whose matrix unit multiplies float32.
bool has_float32_cube();

}  // namespace pyaclnn::sim

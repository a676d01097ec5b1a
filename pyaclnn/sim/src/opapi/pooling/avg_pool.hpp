// Average pooling and its gradients: checks in CANN's order, and plans.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/axis_sums.hpp"
#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/pooling/window.hpp"

namespace pyaclnn::sim {

// cubeMathType: how the matrix unit treats float32.
constexpr std::int8_t kKeepDtype = 0;
constexpr std::int8_t kAllowDown = 1;
constexpr std::int8_t kUseFp16 = 2;

/// What both average poolings and their gradients have in common; \p out of these is the gradient
/// of self. A divisor other than 0 stands for the elements of every window.
struct AvgPool {
  const TensorArgument& self;
  const IntArrayIn& kernel;
  const IntArrayIn& stride;
  const IntArrayIn& padding;
  bool ceil_mode;
  bool include_padding;
  std::int64_t divisor;
  const TensorArgument& out;
};

void avg_pool2d(const Check& check, Plan& plan, const AvgPool& call, std::int8_t cube_math_type);
void avg_pool3d(const Check& check, Plan& plan, const AvgPool& call);

void check_adaptive_avg_pool2d(const Check& check, const TensorArgument& self,
                               const std::vector<std::int64_t>& size, const TensorArgument& out);
void check_adaptive_avg_pool3d(const Check& check, const TensorArgument& self,
                               const std::vector<std::int64_t>& size, const TensorArgument& out);
/// The mean of each window of the last `axes` axes.
void adaptive_avg_pool(const Check& check, Plan& plan, const TensorArgument& self,
                       const TensorArgument& out, std::size_t axes);

/// out = sum of gradOutput / divisor over the windows that cover a place.
void avg_pool2d_gradient(const Check& check, Plan& plan, const TensorArgument& grad_output,
                         const AvgPool& call, std::int8_t cube_math_type);
void avg_pool3d_gradient(const Check& check, Plan& plan, const TensorArgument& grad_output,
                         const AvgPool& call);

/// Whether the last `axes` axes have one place.
bool is_one_place(const TensorArgument& tensor, std::size_t axes);
void check_adaptive_avg_pool3d_gradient(const Check& check, const TensorArgument& grad_output,
                                        const TensorArgument& self, const TensorArgument& out);
/// out = sum of gradOutput / elements(window) over the windows of the last `axes` axes that cover a
/// place.
void adaptive_avg_pool_gradient(Plan& plan, const TensorArgument& grad_output,
                                const TensorArgument& self, const TensorArgument& out,
                                std::size_t axes);

/// What a window's sum is divided by.
struct Divisor {
  bool include_padding = false;  // padding counts as elements; what a ceiled window has beyond not
  bool full_kernel = false;      // the kernel's size, whatever the window covers
  std::int64_t fixed = 0;        // this number, if it is not 0
};

/// The windows along an axis, with the weight of each place in them; that of all axes is their
/// product.
std::vector<Cover> covers_of(const Window& window, std::int64_t extent, std::int64_t count,
                             const Divisor& divisor, bool is_last);

/// Whether the matrix unit's kernel takes windows of this size.
bool fits_matrix_unit(const std::vector<Window>& all, std::int64_t divisor);
/// Whether A2 and A3 compute on the matrix unit, where cubeMathType counts; else on the vector one.
bool uses_matrix_unit(const AvgPool& call, const std::vector<Window>& all);

}  // namespace pyaclnn::sim

// Gradients of max pooling and of its inverse: plans, and the checks that no step of a row says.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/pooling/window.hpp"

namespace pyaclnn::sim {

// Each of these: gradInput[indices] += gradOutput in every channel.

/// Refuses a gradient of another shape than that of the pooled image.
void check_pooled_gradient(const Check& check, const TensorArgument& grad_output,
                           const TensorArgument& self, const std::vector<Window>& windows,
                           bool ceil_mode);
void max_pool2d_gradient(Plan& plan, const TensorArgument& grad_output, const TensorArgument& self,
                         const TensorArgument& indices, const TensorArgument& grad_input);

/// CANN answers a wrong length with the code of a null pointer here.
void check_mask_kernel_given(const Plan& plan, const IntArrayIn& kernel);
/// What is called indices are bytes with room for a bit mask. On A2 and A3 the forward operator
/// puts int32 indices at their start instead, except for a kernel of 1 by 1.
void max_pool2d_mask_gradient(Plan& plan, const TensorArgument& grad_output,
                              const TensorArgument& self, const TensorArgument& indices,
                              const TensorArgument& grad_input, const std::vector<Window>& windows,
                              const Dims& pooled);

void max_pool3d_gradient(const Check& check, Plan& plan, const TensorArgument& grad_output,
                         const TensorArgument& self, const TensorArgument& indices,
                         const TensorArgument& grad_input, const Dims& pooled);

void adaptive_max_pool_gradient(Plan& plan, const TensorArgument& grad_output,
                                const TensorArgument& self, const TensorArgument& indices,
                                const TensorArgument& grad_input, std::size_t axes);

/// Refuses where the last axes of gradOutput are not `size`.
void check_unpooled_size(const Check& check, const TensorArgument& grad_output,
                         const IntArrayIn& size);
/// Refuses where the axes before the last `axes` differ.
void check_unpooled_channels(const Check& check, const TensorArgument& grad_output,
                             const TensorArgument& self, std::size_t axes);
/// Refuses volumes that are smaller than those of self.
void check_unpooled_room(const Check& check, const TensorArgument& self, const IntArrayIn& size);
/// out[i] = gradOutput[indices[i]] in every channel.
void max_unpool_gradient(Plan& plan, const TensorArgument& grad_output,
                         const TensorArgument& indices, const TensorArgument& out,
                         std::size_t axes);

}  // namespace pyaclnn::sim

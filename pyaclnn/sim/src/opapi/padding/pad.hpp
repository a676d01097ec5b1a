// Padding a tensor with a number, or with copies of its own elements.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/padding/pad_grad.hpp"

namespace pyaclnn::sim {

/// The shape of self with two numbers for each axis, innermost first, added to its extents; refuses
/// numbers that no tensor has and results below 0.
Dims padded_shape(const Check& check, const TensorArgument& self,
                  const std::vector<std::int64_t>& padding);

/// Refuses what no constant padding gives. Negative numbers cut off.
void check_constant_pad(const Check& check, const TensorArgument& self,
                        const std::vector<std::int64_t>& padding, const TensorArgument& out);
/// Refuses what tensors of 8 bits are not padded with before CANN 9.1: any number but 0.
void check_zero_bits(const Check& check, const TensorArgument& self,
                     const std::vector<std::int64_t>& padding, const ScalarIn& value);
/// The last `axes` axes, of tensors with one or two axes more; the output's others are not looked
/// at where elements are mirrored.
void check_copied_pad(const Check& check, const TensorArgument& self,
                      const std::vector<std::int64_t>& padding, const TensorArgument& out,
                      std::size_t axes, PadMode mode);
void check_padded(const Check& check, const TensorArgument& self,
                  const std::vector<std::int64_t>& padding, const TensorArgument& out);
/// Nothing to do for an empty tensor, or a refusal: only the batch may be empty.
bool is_empty_pad(const Check& check, const TensorArgument& self, const TensorArgument& out,
                  std::size_t axes);
void copied_pad(Plan& plan, const TensorArgument& self, const std::vector<std::int64_t>& padding,
                const TensorArgument& out, PadMode mode);

}  // namespace pyaclnn::sim

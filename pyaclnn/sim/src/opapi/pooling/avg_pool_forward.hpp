// Average pooling: checks in CANN's order, and plans.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/pooling/window.hpp"

namespace pyaclnn::sim {

/// What both average poolings have in common. A divisor other than 0 stands for the elements of
/// every window.
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

}  // namespace pyaclnn::sim

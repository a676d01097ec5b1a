// Sampling an image or a volume at the points of a grid.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

void check_grid_sampler2d(const Check& check, const TensorArgument& input,
                          const TensorArgument& grid, std::int64_t interpolation,
                          std::int64_t padding, const TensorArgument& out);
void check_grid_sampler3d(const Check& check, const TensorArgument& input,
                          const TensorArgument& grid, std::int64_t interpolation,
                          std::int64_t padding, const TensorArgument& out);
}  // namespace pyaclnn::sim

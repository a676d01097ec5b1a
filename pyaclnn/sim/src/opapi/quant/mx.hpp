// What operators refuse that quantise to blocks with a common exponent.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/plan.hpp"
#include "opapi/quant/tiles.hpp"

namespace pyaclnn::sim {

constexpr std::int64_t kMxBlock = 32;

/// What a caller asks for of such blocks.
struct MxCall {
  const TensorArgument& y;
  const Text& mode;  // null for "rint"
  std::int64_t dtype;
  std::int64_t algorithm;
  double largest = 0;
};

/// Refuses, where the work is divided, an attribute that the type of y does not have.
void check_mx(const Plan& plan, const MxCall& call);

/// Rounding by its name: "rint", "floor" or "round".
Round mx_round(const Text& mode);

/// Refuses scales that do not have the shape of x with an axis in pairs of blocks.
void check_mx_scales(const Plan& plan, const TensorArgument& x, std::size_t axis,
                     std::int64_t block, const TensorArgument& scales);

/// Refuses y that is not as large as x, or that has an odd number of 4 bits in a row.
void check_mx_shape(const Plan& plan, const TensorArgument& x, const TensorArgument& y);

/// The results of blocks of rows, and of blocks of columns.
struct DualAxis {
  const TensorArgument &y1, &scales1, &y2, &scales2;
};

/// Both of matrices that are the last two axes of a shape; how scales are found is left to say.
TilesCall dual_axis_call(Plan& plan, const Dims& shape, RowSource source, const DualAxis& out);

}  // namespace pyaclnn::sim

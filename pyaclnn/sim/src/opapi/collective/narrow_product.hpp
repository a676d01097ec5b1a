// Products of numbers of 8 and 4 bits that have scales, of operands that lie turned or not.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "opapi/common/plan.hpp"
#include "opapi/matmul/scaled_blocks.hpp"

namespace pyaclnn::sim {

/// A matrix, or a batch of them that are transposed where a flag says so, with scales: one for all,
/// or one for each row (of the first operand) or column (of the second), or, in float8_e8m0, one
/// for each 32 along the depth, in pairs behind the other axis.
struct NarrowOperand {
  const TensorArgument &values, &scales;
  bool turned = false;
  std::int64_t first = 0;  // the first row of the first operand, or the matrix of a batch
};

/// The shape of scales for each 32, where a matrix of `lines` is `turned` or not.
Dims mx_scales(std::int64_t lines, std::int64_t depth, bool lines_first);

/// Numbers of 4 bits, int4 in int32 too, as equal ones of 8 without gaps; others as they are.
TensorArgument in_bytes(Plan& plan, const TensorArgument& tensor);
/// The way back: `out` may be of 4 bits, or like `bytes`.
void copy_bytes(Plan& plan, const TensorArgument& bytes, const TensorArgument& out);

/// Plans out = a b with their scales; `bias` may be absent, and is added before what scales rows
/// and columns. `out` is a matrix of rows and columns.
void narrow_product(Plan& plan, const NarrowOperand& a, const NarrowOperand& b, std::int64_t depth,
                    const TensorArgument& bias, const TensorArgument& out);

}  // namespace pyaclnn::sim

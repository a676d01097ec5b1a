// The products of operators that communicate: those of one device, in tensors of the plan's own.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/collective/exchange.hpp"
#include "opapi/matmul/quant_floats.hpp"

namespace pyaclnn::sim {

/// out = a b + bias, of rows and a matrix; bias may be absent.
void product(Plan& plan, const TensorArgument& a, const TensorArgument& b,
             const TensorArgument& bias, const TensorArgument& out);

/// The same of int8, with a number for each row of `a`, which may be absent, and for each column of
/// `b`, or one for all; 161002 for types that do not go together.
void quant_product(const Check& check, Plan& plan, const TensorArgument& a, const TensorArgument& b,
                   const TensorArgument& a_scale, const TensorArgument& b_scale,
                   const TensorArgument& bias, const TensorArgument& out);

/// Checks of a kernel's tiling.
Check kernel_tiling(const Plan& plan);

/// What is asked of scales in groups, beside what QuantMatmulV5 asks: a transposed `b` beside those
/// in float8_e8m0 (`mx`), and no bias, and 128 rows, beside those of tiles.
void check_grouped_scales(const Plan& plan, const TensorArgument& a, const TensorArgument& b,
                          const TensorArgument& a_scale, const TensorArgument& bias,
                          std::int64_t group_size, bool mx);

/// The product of floats of 8 and 4 bits, with the scales of QuantMatmulV5; what it refuses is
/// refused by `check`.
void float_product(const Check& check, Plan& plan, const TensorArgument& a, const TensorArgument& b,
                   const TensorArgument& a_scale, const TensorArgument& b_scale,
                   const TensorArgument& bias, std::int64_t group_size, const TensorArgument& out,
                   BiasPlace place = BiasPlace::kFirst);

/// out += other, rounded as the operator Add does.
void add_to(Plan& plan, const TensorArgument& other, const TensorArgument& out);

/// Refuses operands in blocks.
void check_no_blocks(const Check& check, const TensorArgument& matrix);

}  // namespace pyaclnn::sim

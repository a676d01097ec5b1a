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

/// The first version of an operator has no quantised operands, and no mode of communication.
bool is_first(const Text& comm_mode);

/// 561002 for a result of another shape.
void check_result(const Plan& plan, const TensorArgument& result, const Dims& shape);

/// 561002 for scales that do not go with a product of int8; those of rows may be absent.
void check_scales(const Plan& plan, const TensorArgument& rows, const TensorArgument& columns,
                  std::int64_t row_count, std::int64_t column_count, aclDataType result);

/// A tensor of numbers for rows or columns as one of a single axis; absent as it is, or not `used`.
TensorArgument as_line(Plan& plan, const TensorArgument& tensor, bool used = true);

/// A matrix as it lies in memory, where its axes may have been exchanged.
TensorArgument in_storage_order(Plan& plan, const TensorArgument& matrix);

}  // namespace pyaclnn::sim

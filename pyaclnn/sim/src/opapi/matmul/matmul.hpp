// Matrix products of the operators: shapes as NumPy's matmul has them.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"
#include "opapi/pointwise/pointwise.hpp"

namespace pyaclnn::sim {

/// The shape of a product of tensors of rank 1 and more; refuses depths and batches that do not
/// fit.
Dims product_shape(const Check& check, const TensorArgument& a, const TensorArgument& b);

/// Refuses a `cubeMathType` that the chip does not compute in for these operands.
void check_math_type(const Check& check, const TensorArgument& a, const TensorArgument& b,
                     std::int8_t cube_math_type);
/// The same where chips before A2 only look for modes of float32; they notice others inside.
void check_known_math_type(const Check& check, const TensorArgument& a, const TensorArgument& b,
                           std::int8_t cube_math_type);

/// The same of the modes that sums of products know, with an addend and the product's shape.
void check_sum_math_type(const Check& check, const TensorArgument& addend, const Dims& product,
                         std::int8_t cube_math_type);

/// Refuses a left matrix of another format than ND or FRACTAL_NZ that is copied or converted before
/// it is multiplied. CANN calls the original ND after that, so that only what is taken as it lies
/// has no other format then, which the cube unit does not read.
void check_left_format(const Plan& plan, const TensorArgument& a, const TensorArgument& b,
                       std::int8_t cube_math_type);

/// Whether a factor is a value but for the last place of a float, as CANN compares it.
bool is_nearly(const Number& factor, float value);

/// The elements that a matrix in FRACTAL_NZ takes in memory, turned or not: those of whole blocks.
std::int64_t stored_in_blocks(const TensorArgument& matrix);

/// out = a b.
void matmul(Plan& plan, const TensorArgument& a, const TensorArgument& b, const TensorArgument& out,
            std::int8_t cube_math_type);

/// Whether products of 16 bits are rounded before something is added to them.
enum class Sum {
  kOfRounded,
  /// A row with factors of 1 is a bias, which the cube unit adds; all else is added afterwards.
  kBiased,
  /// The same, and A2 and A3 add all else in float32, too, from CANN 9.1.
  kInFloat,
};

/// out = beta * addend + alpha * a b.
void addmm(Plan& plan, const TensorArgument& addend, const TensorArgument& a,
           const TensorArgument& b, Number beta, Number alpha, const TensorArgument& out,
           std::int8_t cube_math_type, Sum sum = Sum::kBiased);

/// out = beta * addend + alpha * the sum of the products of two batches of matrices.
void addbmm(Plan& plan, const TensorArgument& addend, const TensorArgument& a,
            const TensorArgument& b, Number beta, Number alpha, const TensorArgument& out,
            std::int8_t cube_math_type);

/// out = alpha * A B + beta * C, A and B transposed first where asked for.
void gemm(Plan& plan, const TensorArgument& a, const TensorArgument& b, const TensorArgument& c,
          Number alpha, Number beta, bool transpose_a, bool transpose_b, const TensorArgument& out,
          std::int8_t cube_math_type);

/// The shape of that product; refuses depths that differ.
Dims gemm_shape(const Check& check, const TensorArgument& a, const TensorArgument& b,
                bool transpose_a, bool transpose_b);

}  // namespace pyaclnn::sim

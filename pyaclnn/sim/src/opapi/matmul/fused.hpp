// Matrix products with something done to their operands or result on the way.
// SPDX-License-Identifier: MIT
#pragma once

#include "opapi/common/check.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// What FusedMatmul does to its product.
enum class Fused { kNothing, kRelu, kAdd, kMul, kGeluErf, kGeluTanh };

/// The meaning of `fusedOpType`; refuses other texts.
Fused fused_of(const Check& check, const ConstText& type);

/// Refuses ranks and addends that do not go with a fused product.
void check_fused(const Check& check, Fused fused, const TensorArgument& a, const TensorArgument& b,
                 const TensorArgument& bias, const TensorArgument& other, const TensorArgument& out,
                 std::int8_t cube_math_type);

/// out = fused(a b + bias, other).
void fused_matmul(Plan& plan, Fused fused, const TensorArgument& a, const TensorArgument& b,
                  const TensorArgument& bias, const TensorArgument& other,
                  const TensorArgument& out, std::int8_t cube_math_type);

/// The two equations that CANN knows, in letters of its own: "a,b->ab" and "abcd,abced->abce".
void einsum(const Check& check, Plan& plan, const TensorListIn& tensors, const ConstText& equation,
            const TensorArgument& out);

}  // namespace pyaclnn::sim

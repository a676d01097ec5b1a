// Products of matrices of any floating point type and layout: out = alpha * a b + beta * addend.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "opapi/common/blocks.hpp"
#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// How the cube unit takes its operands: `cubeMathType` of the operators, with its numbers.
enum CubeMathType : std::int8_t {
  kKeepDtype = 0,
  kAllowDownPrecision = 1,
  kUseFloat16 = 2,
  kUseHfloat32 = 3,
};

struct Gemm {
  View out;                    // [..., m, n]
  View a;                      // [..., m, k], leading axes broadcast to those of `out`
  View b;                      // [..., k, n]
  std::optional<View> addend;  // broadcast to `out`
  /// The result is a sum of so many products, whose operands lie these numbers of elements apart.
  std::int64_t terms = 1;
  std::int64_t a_term_step = 0;
  std::int64_t b_term_step = 0;
  float alpha = 1.0f;
  float beta = 1.0f;
  /// The type the product is rounded to before anything is added to it.
  aclDataType product = ACL_FLOAT;
  /// Operands are rounded to this type, or to hfloat32, on their way in.
  aclDataType through = ACL_FLOAT;
  bool hfloat32 = false;
};

/// Plans the product. Sums are float32, in blocks of the depth, in the same order whatever the
/// number of threads.
void launch_gemm(Plan& plan, Gemm gemm);

/// The same of a second operand that may lie in blocks.
void launch_gemm(Plan& plan, Gemm gemm, const PlainOperand& b);

/// The kernel of a product that is not empty, for a launch that does more.
Launch gemm_kernel(const Plan& plan, Gemm gemm);

/// Runs the product, for kernels that know their operands only then.
void run_gemm(const Gemm& gemm, const KernelMemory& memory);

/// What a product is rounded to before it goes anywhere; `cubeMathType` 2 is of float32 only.
aclDataType product_type(aclDataType operands, std::int8_t cube_math_type);

/// What `cubeMathType` asks of float32 operands: float16 for 2, hfloat32 for 1 and 3; float16 for 1
/// on chips without hfloat32.
void set_math_type(Gemm& gemm, aclDataType operands, std::int8_t cube_math_type);

}  // namespace pyaclnn::sim

// Element-wise operators whose element types are known at run time.
//
// A formula is compiled once for each type that is computed in; operators refer to it and cost no
// template of their own.
// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <cstdint>
#include <initializer_list>

#include "opapi/common/plan.hpp"

namespace pyaclnn::sim {

/// The types that formulas are compiled for. float16 and bfloat16 are computed as float, the
/// narrower integers and bool as int64_t, but for int8_t where a formula has it.
enum class ComputeType {
  kFloat,
  kDouble,
  kInt8,
  kInt32,
  kInt64,
  kComplexFloat,
  kComplexDouble,
  kCount
};

/// output[i] = f(inputs[0][i], ..., scalars[0], ...) over contiguous values of one compute type.
using PointwiseLoop = void (*)(const void* scalars, std::int64_t count, const void* const* inputs,
                               void* output);

struct PointwiseFormula {
  const char* name;
  PointwiseLoop loops[static_cast<int>(ComputeType::kCount)];  // null: not for this type
  // The float loop with operands and result as they are in memory; null: by way of floats there.
  PointwiseLoop of_halves = nullptr;
  PointwiseLoop of_bfloat16s = nullptr;
  // What is computed in place of this where numbers are rounded to bfloat16; null: this.
  const PointwiseFormula* for_bfloat16 = nullptr;
  // This with a number in place of the last operand, in front of its numbers; null: there is none.
  const PointwiseFormula* of_number = nullptr;
};

/// An aclScalar, or an attribute, as a formula wants it.
struct Number {
  std::complex<double> value;
  std::int64_t integer;  // exact beyond 2^53
  bool rounds = true;    // to float16 or bfloat16 where these are computed in

  /// As float32 whatever is computed in, which is how some kernels take their numbers.
  static Number unrounded(float number) {
    Number result{double(number)};
    result.rounds = false;
    return result;
  }

  explicit Number(const ScalarIn& scalar)
      : value(scalar->to_double(), scalar->imaginary()), integer(exact(*scalar.operator->())) {}
  explicit Number(double number) : value(number), integer(0) {
    if (number > -9.2e18 && number < 9.2e18) integer = static_cast<std::int64_t>(number);
  }
  explicit Number(std::int64_t number) : value(double(number)), integer(number) {}
  template <class T>
  explicit Number(const Value<T>& attribute) : Number(double(attribute.value)) {
    if constexpr (std::is_integral_v<T>) integer = std::int64_t(attribute.value);
  }

 private:
  /// Of a uint64_t its bits.
  static std::int64_t exact(const Scalar& scalar);
};

/// Plans out = formula(inputs..., scalars...): operands broadcast to the shape of `out` and are
/// cast to `compute`, the result is rounded to `gives` and cast to the type of `out`. Adds what
/// CANN needs as workspace for it.
void pointwise(Plan& plan, const PointwiseFormula& formula, aclDataType compute, aclDataType gives,
               const TensorArgument& out, std::initializer_list<const TensorArgument*> inputs,
               std::initializer_list<Number> scalars);

/// The same without what it needs as workspace.
void launch_pointwise(Plan& plan, const PointwiseFormula& formula, aclDataType compute,
                      aclDataType gives, const View& out, const std::vector<View>& inputs,
                      std::initializer_list<Number> scalars);

}  // namespace pyaclnn::sim

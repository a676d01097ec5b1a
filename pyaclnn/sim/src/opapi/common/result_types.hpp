// The element type an operator computes in and gives. Python has the same rules by the same names,
// in pyaclnn/table/types.py.
// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>

#include "objects/dtype.hpp"
#include "opapi/common/promote.hpp"

namespace pyaclnn::sim {

inline aclDataType type_of(const TensorArgument& tensor) { return tensor.dtype(); }
inline aclDataType type_of(const ScalarIn& scalar) { return scalar->dtype(); }

bool is_floating(aclDataType dtype);

/// promote() of the types of tensors and scalars, or a refusal.
aclDataType common_type(const Check& check, std::initializer_list<aclDataType> types);
template <class... Arguments>
aclDataType common(const Check& check, const Arguments&... arguments) {
  return common_type(check, {type_of(arguments)...});
}

/// float32 in place of integers and bool.
aclDataType float_in_place_of_integer(aclDataType dtype);

template <class Argument>
aclDataType same(const Check&, const Argument& argument) {
  return type_of(argument);
}
template <class Argument>
aclDataType float_of(const Check&, const Argument& argument) {
  return float_in_place_of_integer(type_of(argument));
}
template <class... Arguments>
aclDataType common_float(const Check& check, const Arguments&... arguments) {
  return float_in_place_of_integer(common(check, arguments...));
}

/// The type of the tensor, or the output's in place of integers and bool.
aclDataType own_or_output(const Check& check, const TensorArgument& tensor,
                          const TensorArgument& out);
inline aclDataType own_or_output(const Check& check, const TensorArgument& both) {
  return own_or_output(check, both, both);
}

/// A tensor and a number, which counts by its category only.
aclDataType with_scalar(const Check& check, const TensorArgument& tensor, const ScalarIn& scalar);

/// A tensor and a number that it is compared with for equality: its own type where it is complex,
/// floating beside a real number, or an integer beside an integer.
aclDataType kept_beside_scalar(const Check& check, const TensorArgument& tensor,
                               const ScalarIn& scalar);

/// A tensor and the number it is divided by: its own type, float32 for integers.
aclDataType quotient_by_scalar(const Check& check, const TensorArgument& tensor,
                               const ScalarIn& scalar);

/// A tensor and a number that it is compared with: int8 in place of bool. They promote, but a
/// double that a floating tensor's type can hold counts as one of that type.
aclDataType with_fitting_scalar(const Check& check, const TensorArgument& tensor,
                                const ScalarIn& scalar);

/// The same where the number is made to fit: a floating tensor keeps its type, and beside others a
/// double counts as float32.
aclDataType own_beside_number(const Check& check, const TensorArgument& tensor,
                              const ScalarIn& scalar);

/// What the 950 computes a tensor and a number in: the number counts by its category, and as
/// float32 or complex64 of the floating and complex ones.
aclDataType category_type(const Check& check, aclDataType tensor, aclDataType number);

/// On the 950 refuses operands that cannot be cast to that type, and an output that it cannot be.
void check_category(const Check& check, const TensorArgument& tensor, const ScalarIn& number,
                    const TensorArgument& out);

/// A tensor and a number that it is multiplied by.
aclDataType multiplied_by_number(const Check& check, const TensorArgument& tensor,
                                 const ScalarIn& number, const TensorArgument& out);
inline aclDataType multiplied_by_number(const Check& check, const TensorArgument& both,
                                        const ScalarIn& number) {
  return multiplied_by_number(check, both, number, both);
}

/// A tensor that is subtracted from a number: its own type, unless the number alone is floating.
aclDataType subtracted_from_number(const Check& check, const TensorArgument& tensor,
                                   const ScalarIn& number);

/// The promoted type; on the 950 the number counts by its category.
aclDataType common_or_category(const Check& check, const TensorArgument& tensor,
                               const ScalarIn& number);

/// The promoted type; on the 950 the number counts by its category, with its own type.
aclDataType common_or_own(const Check& check, const TensorArgument& tensor, const ScalarIn& number);

/// A tensor whose quotient by a number is rounded down: the promoted type, float32 in place of
/// bool; on the 950 the number counts by its category, and 16 bits become float32.
aclDataType divided_down(const Check& check, const TensorArgument& tensor, const ScalarIn& number);

/// A number whose remainder by a tensor is the result: the output's type. The 950 computes in what
/// both have in common, unless that is float64.
aclDataType remainder_of_number(const Check& check, const TensorArgument& tensor,
                                const ScalarIn& number, const TensorArgument& out);

/// A tensor that is held between numbers, of which one may be missing: the output's type, on the
/// 950 what the tensor and the numbers have in common.
aclDataType clamped_in(const Check& check, const TensorArgument& tensor, const ScalarIn& low,
                       const ScalarIn& high, const TensorArgument& out);
inline aclDataType clamped_in(const Check& check, const TensorArgument& tensor,
                              const ScalarIn& bound, const TensorArgument& out) {
  return clamped_in(check, tensor, bound, bound, out);
}
inline aclDataType clamped_in(const Check& check, const TensorArgument& both,
                              const ScalarIn& bound) {
  return clamped_in(check, both, bound, bound, both);
}

/// The promoted type, float32 in place of bool.
template <class... Arguments>
aclDataType common_not_bool(const Check& check, const Arguments&... arguments) {
  const aclDataType type = common(check, arguments...);
  return type == ACL_BOOL ? ACL_FLOAT : type;
}

/// The promoted type, float32 in place of integers, bool and float64.
template <class... Arguments>
aclDataType common_single(const Check& check, const Arguments&... arguments) {
  const aclDataType type = common_float(check, arguments...);
  return type == ACL_DOUBLE ? ACL_FLOAT : type;
}

/// The promoted type, float32 in place of float16 and bfloat16.
template <class... Arguments>
aclDataType in_float32(const Check& check, const Arguments&... arguments) {
  const aclDataType type = common(check, arguments...);
  return is_16_bit_float(type) ? ACL_FLOAT : type;
}

/// float32 for the narrow floating types and float64 for all others.
aclDataType exactly_real(const Check& check, const TensorArgument& tensor);

/// A tensor that is added to a number: float32 if it is floating.
aclDataType added_to_number(const Check& check, const TensorArgument& tensor,
                            const ScalarIn& number, const TensorArgument& out);
inline aclDataType added_to_number(const Check& check, const TensorArgument& both,
                                   const ScalarIn& number) {
  return added_to_number(check, both, number, both);
}

/// A tensor to the power of a number: float32 for a double number and a float32 output; int32 for
/// the square of a narrower integer. On the 950 the number counts by its category.
aclDataType power_of_tensor(const Check& check, const TensorArgument& tensor,
                            const ScalarIn& number, const TensorArgument& out);
inline aclDataType power_of_tensor(const Check& check, const TensorArgument& both,
                                   const ScalarIn& number) {
  return power_of_tensor(check, both, number, both);
}

/// A number to the power of a tensor: float32 for a double tensor and a float32 output, but for the
/// 950, where the number counts by its category.
aclDataType power_of_number(const Check& check, const TensorArgument& tensor,
                            const ScalarIn& number, const TensorArgument& out);

/// Quotients that are rounded down (2), cut off (1) or neither (0). The 950 keeps float64, cuts off
/// integers as such, and divides 16 bits by a number in float32.
aclDataType quotient(const Check& check, const TensorArgument& first, const TensorArgument& second,
                     std::int64_t mode);
aclDataType quotient_by_number(const Check& check, const TensorArgument& tensor,
                               const ScalarIn& number, std::int64_t mode);

/// Refuses a type computed in that the chip has no kernel for.
void check_result_type(const Check& check, aclDataType type, const DtypeSet& accepted);

/// Refuses a scalar that cannot be cast to the type computed in.
void check_scalar_castable(const Check& check, const ScalarIn& scalar, aclDataType type);

/// The broadcast shape of all.
Dims broadcast(const Check& check, std::initializer_list<const TensorArgument*> tensors);

/// Refuses a tensor that does not broadcast to a shape.
void check_broadcasts_to(const Check& check, const TensorArgument& tensor, const Dims& shape);

/// Whether both are shapes of one number, () or (1,).
bool both_one(const Dims& a, const Dims& b);

/// `every` on all chips, with `newer` on those with bfloat16, with `newest` on the 950.
DtypeSet by_chip(const DtypeSet& every, const DtypeSet& newer, const DtypeSet& newest);

}  // namespace pyaclnn::sim

// SPDX-License-Identifier: MIT
#include "opapi/common/result_types.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "objects/dtype.hpp"
#include "objects/half.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/quotient_modes.hpp"

namespace pyaclnn::sim {
namespace {

bool is_complex(aclDataType dtype) { return dtype == ACL_COMPLEX64 || dtype == ACL_COMPLEX128; }

bool is_narrow_floating(aclDataType dtype) { return is_floating(dtype) && dtype != ACL_DOUBLE; }

aclDataType quotient_type(aclDataType whole, aclDataType own, std::int64_t mode) {
  if (mode == kRoundedDown) return whole == ACL_BOOL ? ACL_FLOAT : whole;
  return is_narrow_floating(own) || is_complex(own) ? own : ACL_FLOAT;
}

/// The 950 keeps float64, and divides integers as such unless the quotient is exact.
aclDataType quotient_on_950(aclDataType both, std::int64_t mode) {
  const bool single = both == ACL_DOUBLE && mode == kCutOff && !behaves(Behaviour::kCutsByKernel);
  const bool whole = is_integral(both) && mode == kExact;
  return single || whole || both == ACL_BOOL ? ACL_FLOAT : both;
}

}  // namespace

bool is_floating(aclDataType dtype) {
  return dtype == ACL_FLOAT || is_16_bit_float(dtype) || dtype == ACL_DOUBLE;
}

aclDataType common_type(const Check& check, std::initializer_list<aclDataType> types) {
  aclDataType result = *types.begin();
  for (aclDataType type : types) {
    const aclDataType wider = promote(result, type);
    check.that(wider != ACL_DT_UNDEFINED, "%s and %s have no type in common", dtype_name(result),
               dtype_name(type));
    result = wider;
  }
  return result;
}

aclDataType category_type(const Check& check, aclDataType tensor, aclDataType number) {
  if (is_complex(tensor)) return tensor;
  if (is_complex(number)) {
    return is_floating(tensor) ? common_type(check, {tensor, ACL_COMPLEX64}) : number;
  }
  if (is_floating(tensor)) return tensor;
  const aclDataType by_default = is_floating(number) ? ACL_FLOAT : number;
  const bool promotes = tensor == ACL_BOOL || is_floating(number);
  return promotes ? common_type(check, {tensor, by_default}) : tensor;
}

void check_category(const Check& check, const TensorArgument& tensor, const ScalarIn& number,
                    const TensorArgument& out) {
  if (!on_950()) return;
  const aclDataType both = category_type(check, tensor.dtype(), number->dtype());
  check.that(can_cast(tensor.dtype(), both) && can_cast(number->dtype(), both),
             "%s and %s cannot both be cast to %s", dtype_name(tensor.dtype()),
             dtype_name(number->dtype()), dtype_name(both));
  check_castable(check, both, out);
}

aclDataType multiplied_by_number(const Check& check, const TensorArgument& tensor,
                                 const ScalarIn& number, const TensorArgument& out) {
  const aclDataType own = tensor.dtype();
  const aclDataType other = number->dtype();
  if (on_950()) return category_type(check, own, other);
  if (is_complex(own) || is_complex(other)) return common_type(check, {own, other});
  if (is_floating(own)) return own;
  if (other == ACL_DOUBLE && (own == ACL_BOOL || out.dtype() == ACL_FLOAT)) return ACL_FLOAT;
  return is_floating(other) || own == ACL_BOOL ? common_type(check, {own, other}) : own;
}

aclDataType subtracted_from_number(const Check& check, const TensorArgument& tensor,
                                   const ScalarIn& number) {
  const aclDataType own = tensor.dtype();
  const aclDataType other = number->dtype();
  if (on_950()) return category_type(check, own, other);
  return !is_floating(own) && is_floating(other) ? common_type(check, {own, other}) : own;
}

aclDataType common_or_category(const Check& check, const TensorArgument& tensor,
                               const ScalarIn& number) {
  if (on_950()) return category_type(check, tensor.dtype(), number->dtype());
  return common(check, tensor, number);
}

aclDataType common_or_own(const Check& check, const TensorArgument& tensor,
                          const ScalarIn& number) {
  return on_950() ? with_scalar(check, tensor, number) : common(check, tensor, number);
}

aclDataType divided_down(const Check& check, const TensorArgument& tensor, const ScalarIn& number) {
  if (!on_950()) return common_not_bool(check, tensor, number);
  const aclDataType both = category_type(check, tensor.dtype(), number->dtype());
  return both == ACL_BOOL || is_16_bit_float(both) ? ACL_FLOAT : both;
}

aclDataType remainder_of_number(const Check& check, const TensorArgument& tensor,
                                const ScalarIn& number, const TensorArgument& out) {
  if (!on_950()) return out.dtype();
  const aclDataType both = with_scalar(check, tensor, number);
  return both == ACL_DOUBLE ? out.dtype() : both;
}

aclDataType clamped_in(const Check& check, const TensorArgument& tensor, const ScalarIn& low,
                       const ScalarIn& high, const TensorArgument& out) {
  if (!on_950()) return out.dtype();
  const ScalarIn& one = low.given() ? low : high;
  aclDataType bounds = one->dtype();
  if (low.given() && high.given()) bounds = common(check, low, high);
  return category_type(check, tensor.dtype(), bounds);
}

aclDataType float_in_place_of_integer(aclDataType dtype) {
  return is_integral(dtype) ? ACL_FLOAT : dtype;
}

aclDataType own_or_output(const Check&, const TensorArgument& tensor, const TensorArgument& out) {
  return is_integral(tensor.dtype()) ? out.dtype() : tensor.dtype();
}

aclDataType with_scalar(const Check& check, const TensorArgument& tensor, const ScalarIn& scalar) {
  const aclDataType type = tensor.dtype();
  const aclDataType number = scalar->dtype();
  const bool promotes = is_complex(type) || is_complex(number) ||
                        (!is_floating(type) && (is_floating(number) || type == ACL_BOOL));
  return promotes ? common(check, tensor, scalar) : type;
}

aclDataType kept_beside_scalar(const Check& check, const TensorArgument& tensor,
                               const ScalarIn& scalar) {
  const aclDataType type = tensor.dtype();
  const aclDataType number = scalar->dtype();
  if (on_950()) return category_type(check, type, number);
  if (is_complex(type) || (is_floating(type) && !is_complex(number))) return type;
  const bool promotes = type == ACL_BOOL || is_floating(number) || is_complex(number);
  return promotes ? common(check, tensor, scalar) : type;
}

aclDataType quotient_by_scalar(const Check& check, const TensorArgument& tensor,
                               const ScalarIn& scalar) {
  const aclDataType own = float_in_place_of_integer(tensor.dtype());
  return is_complex(scalar->dtype()) ? common_type(check, {own, scalar->dtype()}) : own;
}

aclDataType exactly_real(const Check&, const TensorArgument& tensor) {
  return is_narrow_floating(tensor.dtype()) ? ACL_FLOAT : ACL_DOUBLE;
}

aclDataType added_to_number(const Check& check, const TensorArgument& tensor,
                            const ScalarIn& number, const TensorArgument& out) {
  if (is_floating(tensor.dtype()) && !is_complex(number->dtype())) return ACL_FLOAT;
  if (number->dtype() == ACL_DOUBLE && out.dtype() == ACL_FLOAT) return ACL_FLOAT;
  return with_scalar(check, tensor, number);
}

aclDataType power_of_tensor(const Check& check, const TensorArgument& tensor,
                            const ScalarIn& number, const TensorArgument& out) {
  if (on_950()) return category_type(check, tensor.dtype(), number->dtype());
  if (number->dtype() == ACL_DOUBLE && out.dtype() == ACL_FLOAT) return ACL_FLOAT;
  const aclDataType type = with_scalar(check, tensor, number);
  const bool narrow = type == ACL_INT8 || type == ACL_UINT8 || type == ACL_INT16;
  return narrow && number->to_float() == 2.0f ? ACL_INT32 : type;
}

aclDataType power_of_number(const Check& check, const TensorArgument& tensor,
                            const ScalarIn& number, const TensorArgument& out) {
  if (on_950()) return category_type(check, tensor.dtype(), number->dtype());
  if (tensor.dtype() == ACL_DOUBLE && out.dtype() == ACL_FLOAT) return ACL_FLOAT;
  return with_scalar(check, tensor, number);
}

aclDataType quotient(const Check& check, const TensorArgument& first, const TensorArgument& second,
                     std::int64_t mode) {
  const aclDataType both = common(check, first, second);
  return on_950() ? quotient_on_950(both, mode) : quotient_type(both, both, mode);
}

aclDataType quotient_by_number(const Check& check, const TensorArgument& tensor,
                               const ScalarIn& number, std::int64_t mode) {
  if (on_950()) {
    const aclDataType both =
        quotient_on_950(category_type(check, tensor.dtype(), number->dtype()), mode);
    const bool kept = mode == kCutOff && tensor.dtype() == number->dtype();
    return is_16_bit_float(both) && !kept && behaves(Behaviour::kCutsByKernel) ? ACL_FLOAT : both;
  }
  if (is_narrow_floating(tensor.dtype()) && is_narrow_floating(number->dtype()))
    return tensor.dtype();
  const aclDataType both = common(check, tensor, number);
  return quotient_type(both, is_complex(both) ? both : tensor.dtype(), mode);
}

aclDataType with_fitting_scalar(const Check& check, const TensorArgument& tensor,
                                const ScalarIn& scalar) {
  const aclDataType type = tensor.dtype();
  if (on_950()) {
    const aclDataType both = category_type(check, type, scalar->dtype());
    return both == ACL_BOOL ? ACL_INT8 : both;
  }
  if (is_floating(type) && scalar->dtype() == ACL_DOUBLE) {
    const double value = scalar->to_double();
    const auto narrow = static_cast<float>(value);
    double held = value;
    if (type == ACL_FLOAT) held = narrow;
    if (type == ACL_FLOAT16) held = half_to_float(float_to_half(narrow));
    if (type == ACL_BF16) held = bfloat16_to_float(float_to_bfloat16(narrow));
    if (std::fabs(held - value) <= double(FLT_EPSILON)) return type;
  }
  const aclDataType promoted_type = common(check, tensor, scalar);
  return promoted_type == ACL_BOOL ? ACL_INT8 : promoted_type;
}

aclDataType own_beside_number(const Check& check, const TensorArgument& tensor,
                              const ScalarIn& scalar) {
  const aclDataType type = tensor.dtype();
  const aclDataType number = scalar->dtype();
  if (on_950()) return category_type(check, type, number);
  if (is_floating(type)) return type;
  return common_type(check, {type, number == ACL_DOUBLE ? ACL_FLOAT : number});
}

void check_result_type(const Check& check, aclDataType type, const DtypeSet& accepted) {
  check.that(accepted.contains(type), "the operands have %s in common; %s computes in %s",
             dtype_name(type), chip().name, accepted.text().c_str());
}

void check_scalar_castable(const Check& check, const ScalarIn& scalar, aclDataType type) {
  const aclDataType from = scalar->dtype();
  check.that(type == ACL_BOOL ? is_integral(from) : can_cast(from, type),
             "%s is %s and cannot be cast to %s", scalar.name(), dtype_name(from),
             dtype_name(type));
}

Dims broadcast(const Check& check, std::initializer_list<const TensorArgument*> tensors) {
  Dims result = (*tensors.begin())->shape();
  const TensorArgument* first = *tensors.begin();
  for (const TensorArgument* tensor : tensors) {
    Dims wider;
    const std::size_t rank = std::max(result.size(), tensor->rank());
    for (std::size_t i = 0; i < rank; ++i) {
      const std::int64_t x = i + result.size() < rank ? 1 : result[i + result.size() - rank];
      const std::int64_t y =
          i + tensor->rank() < rank ? 1 : tensor->shape()[i + tensor->rank() - rank];
      check.that(x == y || x == 1 || y == 1, "%s of shape %s does not broadcast with %s (%s)",
                 tensor->name(), tensor->shape().text().c_str(), first->name(),
                 result.text().c_str());
      wider.push_back(x == 1 ? y : x);
    }
    result = wider;
  }
  return result;
}

void check_broadcasts_to(const Check& check, const TensorArgument& tensor, const Dims& shape) {
  bool fits = tensor.rank() <= shape.size();
  for (std::size_t i = 0; fits && i < tensor.rank(); ++i) {
    const std::int64_t extent = tensor.shape()[tensor.rank() - 1 - i];
    fits = extent == 1 || extent == shape[shape.size() - 1 - i];
  }
  check.that(fits, "%s of shape %s does not broadcast to %s", tensor.name(),
             tensor.shape().text().c_str(), shape.text().c_str());
}

bool both_one(const Dims& a, const Dims& b) {
  const auto one = [](const Dims& dims) {
    return dims.size() == 0 || (dims.size() == 1 && dims[0] == 1);
  };
  return one(a) && one(b);
}

DtypeSet by_chip(const DtypeSet& every, const DtypeSet& newer, const DtypeSet& newest) {
  DtypeSet result = every;
  if (chip().has_bf16()) result = result | newer;
  if (on_950()) result = result | newest;
  return result;
}

}  // namespace pyaclnn::sim

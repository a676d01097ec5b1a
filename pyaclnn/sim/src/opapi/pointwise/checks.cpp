// SPDX-License-Identifier: MIT
#include "opapi/pointwise/checks.hpp"

#include <cmath>
#include <limits>

#include "aclnn/opdev/op_errno.h"
#include "core/status.hpp"
#include "objects/dtype.hpp"
#include "opapi/common/chip_family.hpp"
#include "opapi/common/one_element.hpp"
#include "opapi/common/promote.hpp"
#include "opapi/common/quotient_modes.hpp"

namespace pyaclnn::sim {
namespace {

/// The largest number of a type; infinity where any will do.
double largest(aclDataType type) {
  switch (type) {
    case ACL_INT8:
      return 127;
    case ACL_UINT8:
      return 255;
    case ACL_INT16:
      return 32767;
    case ACL_INT32:
      return 2147483647;
    case ACL_FLOAT16:
      return 65504;
    case ACL_BF16:
    case ACL_FLOAT:
    case ACL_COMPLEX64:
      return double(std::numeric_limits<float>::max());
    default:
      return std::numeric_limits<double>::infinity();
  }
}

double smallest(aclDataType type) {
  if (type == ACL_UINT8) return 0;
  return is_integral(type) ? -largest(type) - 1 : -largest(type);
}

}  // namespace

void check_given_inside(const Plan& plan, const ScalarIn& scalar) {
  if (!scalar.given()) fail(ACLNN_ERR_INNER_NULLPTR, "%s: %s is null", plan.api(), scalar.name());
}

void check_given_inside(const Plan& plan, const TensorArgument& tensor) {
  if (!tensor.given()) fail(ACLNN_ERR_INNER_NULLPTR, "%s: %s is null", plan.api(), tensor.name());
}

void check_quotient_castable(const Check& check, aclDataType common, std::int64_t mode,
                             const TensorArgument& out) {
  if (!on_950() || (mode == kCutOff && behaves(Behaviour::kCutsByKernel))) return;
  const bool whole = can_cast(common, ACL_INT64);
  const bool single = (mode == kExact && whole) || (mode == kCutOff && common == ACL_DOUBLE);
  check_castable(check, single ? ACL_FLOAT : common, out);
}

void check_shape_inside(const Plan& plan, const TensorArgument& out, const Dims& shape) {
  if (!same_or_one(out.shape(), shape))
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: the result of shape %s cannot be copied to %s of shape %s",
         plan.api(), shape.text().c_str(), out.name(), out.shape().text().c_str());
}

void check_stored_as(const Plan& plan, aclDataType type, const TensorArgument& out) {
  if (out.dtype() != type)
    fail(ACLNN_ERR_INNER_NULLPTR, "%s: the result is %s and cannot be copied to %s, which is %s",
         plan.api(), dtype_name(type), out.name(), dtype_name(out.dtype()));
}

double power_of_ten(std::int64_t decimals) { return std::pow(10.0, std::fabs(double(decimals))); }

int last_bit(aclDataType type) { return int(dtype_size(type)) * 8 - 1; }

void check_exponent(const Check& check, aclDataType type, const ScalarIn& exponent) {
  const auto held = [&](double value) {
    return !std::isfinite(value) || (value >= smallest(type) && value <= largest(type));
  };
  const double value = exponent->to_double();
  check.that(!is_integral(type) || value >= 0, "%s is %g; integers have no negative powers",
             exponent.name(), value);
  check.that(held(value) && held(exponent->imaginary()), "%s is %g, which %s cannot hold",
             exponent.name(), value, dtype_name(type));
}

}  // namespace pyaclnn::sim

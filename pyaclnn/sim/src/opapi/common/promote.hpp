// Which element type several operands have in common, and which ones a result may be cast to.
// SPDX-License-Identifier: MIT
#pragma once

#include "acl/acl_base.h"
#include "opapi/common/arguments.hpp"
#include "opapi/common/check.hpp"

namespace pyaclnn::sim {

/// The type two operands are computed in: complex beats floating point beats integer beats bool,
/// then the wider one. float16 and bfloat16 meet in float32, int8 and uint8 in int16; the wider
/// unsigned integers meet none but themselves. ACL_DT_UNDEFINED where there is none.
aclDataType promote(aclDataType a, aclDataType b);

/// Whether a result may be cast: bool to integer to floating point to complex, not back.
bool can_cast(aclDataType from, aclDataType to);

/// promote() of all arguments' types, or a refusal.
aclDataType promoted(const Check& check, const TensorArgument& first);
template <class... Tensors>
aclDataType promoted(const Check& check, const TensorArgument& first, const Tensors&... others) {
  aclDataType result = promoted(check, first);
  const auto include = [&](const TensorArgument& tensor) {
    const aclDataType common = promote(result, tensor.dtype());
    check.that(common != ACL_DT_UNDEFINED,
               "%s has element type %d, which has no type in common "
               "with the arguments before it",
               tensor.name(), int(tensor.dtype()));
    result = common;
  };
  (include(others), ...);
  return result;
}

/// Refuses an output that a result of type `dtype` may not be cast to.
void check_castable(const Check& check, aclDataType dtype, const TensorArgument& out);

}  // namespace pyaclnn::sim
